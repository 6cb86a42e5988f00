# The packages that the emulator runs on, without those that only build and test it.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="billing-emulator" \
      org.opencontainers.image.licenses="MIT"

WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY . .

# The first start joins what every start loads; it is made here, as nothing can be kept there later. It is
# found again by the times of the sources, which layers keep to the second.
RUN find bin contract-tests src package.json tsconfig.json node_modules/.package-lock.json \
      -type f -exec touch --date=2026-01-01T00:00:00Z {} + \
 && node bin/billing-emulator.js --version

# Everything belongs to root; the emulator may write to /data alone.
RUN mkdir -p /data /etc/billing-emulator/init.d \
 && chown 1000:1000 /data \
 && chmod 0755 /tmp /var/tmp /run/lock
VOLUME /data

# Beyond the container's own loopback somebody has to decide who may reach it: publish the port on 127.0.0.1.
ENV NODE_ENV=production \
    TSX_DISABLE_CACHE=1 \
    BILLING_EMULATOR_HOST=0.0.0.0 \
    BILLING_EMULATOR_ADMIN_TOKEN=none \
    BILLING_EMULATOR_INIT=/etc/billing-emulator/init.d
EXPOSE 24100
USER 1000:1000

HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "/app/bin/billing-emulator.js", "ready"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/bin/billing-emulator.js"]
CMD ["start"]
