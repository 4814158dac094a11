# syntax=docker/dockerfile:1
# The single file in a minimal image. Both bases are arguments, so that it can be built where no
# registry is in reach: scripts/build-image.sh makes them from Debian packages.
#
# BUILD_BASE needs Node 20.15 or later with npm; binutils makes the image smaller.
# RUNTIME_BASE needs glibc, libstdc++ and libgcc; no shell is used. From glibc 2.38 on, which Debian 13
# has, the newer build of uWebSockets.js is used, from 2.28 on the older.
ARG BUILD_BASE=docker.io/library/node:22-trixie
ARG RUNTIME_BASE=gcr.io/distroless/cc-debian13

FROM ${BUILD_BASE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
# All packages are of development, whatever NODE_ENV the base has. Not `npm ci`, which refuses a lock file without the
# optional packages of every other platform.
RUN npm install --include=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
COPY snapshots ./snapshots
# The documents that the service serves to agents.
COPY docs ./docs
COPY LICENSE ./
RUN npx tsx scripts/build-binary.ts
# What the executable would unpack when it first runs is unpacked here, so that the root file system
# can be read-only; and the directories of the volumes, owned by whom the service runs as.
RUN mkdir -p /root-fs/usr/bin /root-fs/usr/share/doc/authority-index /root-fs/data /root-fs/snapshots \
 && cp release/authority-index /root-fs/usr/bin/ \
 && cp release/LICENSES.txt /root-fs/usr/share/doc/authority-index/ \
 && XDG_CACHE_HOME=/root-fs/var/cache /root-fs/usr/bin/authority-index --help > /dev/null \
 && chmod -R a+rX,go-w /root-fs/var \
 && chown 10001:10001 /root-fs/data /root-fs/snapshots \
 && chmod 0700 /root-fs/data

FROM ${RUNTIME_BASE}
COPY --from=build /root-fs/ /
ENV XDG_CACHE_HOME=/var/cache \
    AUTHORITY_INDEX_HOST=0.0.0.0 \
    AUTHORITY_INDEX_EXPLORER=local \
    AUTHORITY_INDEX_DATA=/data \
    AUTHORITY_INDEX_SNAPSHOTS=/snapshots
USER 10001:10001
VOLUME ["/data", "/snapshots"]
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 \
  CMD ["/usr/bin/authority-index", "health"]
ENTRYPOINT ["/usr/bin/authority-index"]
CMD ["serve"]
