# The service: Node runs its TypeScript as it stands. Only the workspace UI is built.
FROM node:26.12.0-trixie-slim

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Of the optional packages, the build needs its compilers for this machine. The others are Node itself, for machines that
# have an older one.
RUN npm ci --omit=dev && npm cache clean --force && rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/.bin/node
COPY . .
# The service finds these files up to date, so that it does not build when it starts.
RUN node src/ui-build/build.ts

# The program stays root's; the service may write its data and nothing else.
RUN mkdir -m 700 /data && chown node:node /data
USER node
# Whoever may add connectors can have them read the artifacts that are mounted here, and no other file of the container.
ENV HOST=0.0.0.0 PORT=8080 DATA_DIR=/data CONNECTOR_FOLDERS=/artifacts
# Threads start in a third of the time with compiled sources.
ENV NODE_COMPILE_CACHE=/tmp/compiled
VOLUME /data
EXPOSE 8080

HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "bin/tributary.js", "serve"]
