# The image of Wartable. docs/install-image.md says how to use it, docs/design/installation.md why it is built this way.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
# .dockerignore says what comes along, `files` and `bundleDependencies` in package.json what is shipped.
COPY . .
RUN npm pack --silent && mkdir /package && tar -xzf wartable-*.tgz -C /package --strip-components=1

# For the services of compose.yaml that call the programs of PostgreSQL, or curl: it is never older than their server.
FROM postgres:18-bookworm AS tools
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates curl \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /package /opt/wartable
# A new volume belongs to the owner of the folder on which it is mounted.
RUN ln -s /opt/wartable/bin/wartable.cjs /usr/local/bin/wartable && wartable --version \
 && install --directory --owner 1000 --group 1000 /backups /srv/wartable-files /var/lib/wartable-sheets
WORKDIR /opt/wartable
USER 1000:1000
ENTRYPOINT ["wartable"]
CMD ["--help"]

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Wartable" \
      org.opencontainers.image.description="Results of tabletop-wargame tournaments as a read-only JSON API" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /package /opt/wartable
RUN ln -s /opt/wartable/bin/wartable.cjs /usr/local/bin/wartable && wartable --version
# Nothing outside the container reaches its 127.0.0.1. Never publish the port of the private listener, 9090.
ENV API_HOST=0.0.0.0 SITE_HOST=0.0.0.0 OPS_HOST=0.0.0.0
EXPOSE 3000 3001 9090
WORKDIR /opt/wartable
# A number, because Kubernetes cannot see from a name that it is not root.
USER 1000:1000
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=2 \
  CMD ["node", "--input-type=module", "-e", "const answer = await fetch('http://127.0.0.1:' + (process.env.OPS_PORT || 9090) + '/ready'); console.log(await answer.text()); process.exit(answer.ok ? 0 : 1)"]
ENTRYPOINT ["wartable"]
CMD ["serve"]
