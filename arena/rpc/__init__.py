"""The gRPC services. Only `edge` knows asyncio; everything else runs under trio."""
