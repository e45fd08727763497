# The server and the web app. .env.example explains the settings; docs/deploying.md starts it.
FROM node:24-slim AS build
WORKDIR /app
ENV CI=1 TURBO_TELEMETRY_DISABLED=1
COPY package.json ./
RUN npm install --global "$(node -p "require('./package.json').packageManager")"
# Before the sources are copied, so that only a changed lockfile downloads packages.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches ./patches
RUN pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline && pnpm run build
# The server with the packages that it needs to run, without those of builds and tests.
RUN pnpm --filter @community/server deploy --prod --legacy /image

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MIGRATIONS_DIR=/app/migrations WEB_DIR=/app/web
WORKDIR /app
COPY --from=build /image/package.json ./
COPY --from=build /image/node_modules ./node_modules
COPY --from=build /image/dist ./dist
COPY --from=build /app/drizzle/migrations ./migrations
COPY --from=build /app/apps/web/dist ./web
RUN mkdir /data && chown node:node /data
# By number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/main.js"]
