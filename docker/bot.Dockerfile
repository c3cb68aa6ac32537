# One Python bot. Built from the top of the repository; docker/README.md says how it is run.
# BASE is any Debian whose Python is 3.11 or newer; BOT is the bot's file.
ARG BASE=docker.io/library/debian:12-slim

FROM ${BASE} AS python
RUN apt-get update \
    && apt-get install --yes --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/*

FROM python AS build
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
COPY requirements/bot.txt requirements/wheels.txt requirements/
RUN python3 -m venv /opt/bot \
    && /opt/bot/bin/pip install --require-hashes --no-deps -r requirements/bot.txt \
    && python3 -m venv /opt/wheels \
    && /opt/wheels/bin/pip install --require-hashes --no-deps -r requirements/wheels.txt
COPY sdk sdk
RUN /opt/wheels/bin/pip wheel --no-deps --no-build-isolation --wheel-dir wheels ./sdk \
    && /opt/bot/bin/pip install --no-deps --no-index wheels/*.whl

FROM python
COPY --from=build /opt/bot /opt/bot
RUN useradd --uid 10002 --home-dir /bot --no-create-home --shell /usr/sbin/nologin bot
ENV PATH=/opt/bot/bin:$PATH PYTHONUNBUFFERED=1
WORKDIR /bot
ARG BOT=example_bots/careful_bot.py
COPY ${BOT} bot.py
USER bot
# The same as Ctrl-C: running games are finished first.
STOPSIGNAL SIGINT
ENTRYPOINT ["euchre", "connect"]
CMD ["--help"]
