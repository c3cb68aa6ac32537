"""What an organiser runs: referee, tournaments, ratings, and their gRPC services."""

import os

# Fits are short and share the machine with bots: a second thread of OpenBLAS would only spin there
# (five times slower when all cores are busy). It must be said before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
