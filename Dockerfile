# The server with the web app in it. It needs DATABASE_URL, S3_*, SMTP_URL, MAIL_FROM, APP_URL and APP_SECRET, and ADMIN_EMAIL
# and ADMIN_PASSWORD while there is no administrator: see .env.example.
FROM node:22-bookworm-slim AS build
WORKDIR /app
ENV CI=1 TURBO_TELEMETRY_DISABLED=1
COPY package.json ./
RUN npm install --global "$(node -p "require('./package.json').packageManager")"
# What the lockfile names is fetched before the sources are copied: a change of them alone fetches nothing.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches ./patches
RUN pnpm fetch
COPY . .
RUN pnpm install --frozen-lockfile --offline && pnpm run build
# The server alone, as it was built, without the packages that only tests and builds need.
RUN pnpm --filter @community/server deploy --prod --legacy /image

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MIGRATIONS_DIR=/app/migrations WEB_DIR=/app/web
WORKDIR /app
COPY --from=build /image/package.json ./
COPY --from=build /image/node_modules ./node_modules
COPY --from=build /image/dist ./dist
COPY --from=build /app/drizzle/migrations ./migrations
COPY --from=build /app/apps/web/dist ./web
RUN mkdir /data && chown node:node /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/main.js"]
