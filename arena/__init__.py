"""What an organiser runs: referee, tournaments, ratings, and their gRPC services."""
