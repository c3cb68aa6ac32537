# The arena. Built from the top of the repository; docker/README.md says how it is run.
# BASE is any Debian whose Python is 3.11 or newer.
ARG BASE=docker.io/library/debian:12-slim

FROM ${BASE} AS python
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/*

FROM python AS build
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
# Libraries first: they change less often than the arena does.
COPY requirements/arena.txt requirements/wheels.txt requirements/
RUN python3 -m venv /opt/arena \
    && /opt/arena/bin/pip install --require-hashes --no-deps -r requirements/arena.txt \
    && python3 -m venv /opt/wheels \
    && /opt/wheels/bin/pip install --require-hashes --no-deps -r requirements/wheels.txt
COPY LICENSE README.md pyproject.toml ./
COPY sdk sdk
COPY arena arena
RUN /opt/wheels/bin/pip wheel --no-deps --no-build-isolation --wheel-dir wheels . ./sdk \
    && /opt/arena/bin/pip install --no-deps --no-index wheels/*.whl

FROM python
COPY --from=build /opt/arena /opt/arena
# The user's number is fixed, so that a volume outlives the image it was made with.
RUN useradd --uid 10001 --home-dir /arena --no-create-home --shell /usr/sbin/nologin arena \
    && install --directory --owner=arena --group=arena --mode=0700 /arena/arena-data
ENV PATH=/opt/arena/bin:$PATH PYTHONUNBUFFERED=1 ARENA_ADDRESS=0.0.0.0:50051
USER arena
# The commands look for the organiser's token in arena-data beneath the directory they are run in.
WORKDIR /arena
VOLUME /arena/arena-data
EXPOSE 50051
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=15s CMD ["arena", "status"]
ENTRYPOINT ["arena"]
CMD ["serve"]
