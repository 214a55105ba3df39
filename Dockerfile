# CliqueRAG as a server: the chat endpoint (8765) or, with the command `web`, the desk in the browser (8766).
#   docker build -t cliquerag .
#   docker run --read-only --tmpfs /tmp -v cliquerag:/data -p 127.0.0.1:8765:8765 -e CLIQUERAG_SERVE_KEY=... cliquerag
# docs/containers.md tells more; docker-compose.yml runs it with Neo4j.
FROM python:3.12.11-slim-bookworm AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY core core
COPY evaluation evaluation
COPY ingest ingest
COPY kg kg
COPY models models
COPY prompts prompts
COPY retrieval retrieval
# The model of `cliquerag setup` comes with it: a file system that is read-only takes nothing in later.
RUN python -m venv /opt/cliquerag \
    && /opt/cliquerag/bin/pip install --no-cache-dir --disable-pip-version-check ".[serve,web,neo4j,communities,office]" \
    && /opt/cliquerag/bin/cliquerag setup --yes \
    && /opt/cliquerag/bin/python -m compileall -q /opt/cliquerag/lib

FROM python:3.12.11-slim-bookworm
RUN useradd --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin cliquerag \
    && install -d -o cliquerag -g cliquerag -m 0700 /data
COPY --from=build /opt/cliquerag /opt/cliquerag
ENV PATH=/opt/cliquerag/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    CLIQUERAG_CACHE=/data/cache \
    XDG_DATA_HOME=/data \
    CLIQUERAG_HEALTH=http://127.0.0.1:8765/health
# All that is written lies in /data: the workspace, the desk's notes, dropped documents, the cache.
WORKDIR /data
VOLUME /data
EXPOSE 8765 8766
USER 10001:10001
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(os.environ['CLIQUERAG_HEALTH'], timeout=8)"]
ENTRYPOINT ["cliquerag"]
CMD ["serve", "--host", "0.0.0.0", "--processes", "2"]
