FROM node:24.21.0-bookworm-slim AS node
WORKDIR /app
COPY package.json package-lock.json ./

FROM node AS workspaces
COPY contract-tests/package.json contract-tests/

FROM workspaces AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build -- --code

# The packages that each image runs on, without those that only build and test it. npm installs what every
# workspace needs whose package.json it finds, whatever it is told.
FROM node AS emulator-packages
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM workspaces AS contract-packages
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node AS built
LABEL org.opencontainers.image.title="billing-emulator" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /app/dist ./dist
COPY LICENSE ./
COPY bin ./bin
COPY docs ./docs
COPY fixtures ./fixtures
COPY spec ./spec
ENV NODE_ENV=production

# docker build --target contract: the contract suite, against the emulator or service that --base-url names.
FROM built AS contract
COPY --from=contract-packages /app/node_modules ./node_modules
COPY contract-tests/package.json contract-tests/
COPY --from=build /app/contract-tests/dist ./contract-tests/dist
RUN mkdir /data && chown 1000:1000 /data
WORKDIR /data
USER 1000:1000
ENTRYPOINT ["node", "/app/bin/billing-emulator.js", "contract"]

# What is built where no target is named.
FROM built AS emulator
COPY --from=emulator-packages /app/node_modules ./node_modules

# Everything belongs to root; the emulator may write to /data alone.
RUN mkdir -p /data /etc/billing-emulator/init.d \
 && chown 1000:1000 /data \
 && chmod 0755 /tmp /var/tmp /run/lock
VOLUME /data

# Beyond the container's own loopback somebody has to decide who may reach it: publish the port on 127.0.0.1.
# In Compose, containers reach it by the name of its service.
ENV BILLING_EMULATOR_HOST=0.0.0.0 \
    BILLING_EMULATOR_ALLOWED_HOSTS=billing,billing-emulator,emulator,host.docker.internal \
    BILLING_EMULATOR_ADMIN_TOKEN=none \
    BILLING_EMULATOR_FIXTURE=quickstart,/etc/billing-emulator/init.d
EXPOSE 24100
USER 1000:1000

HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "/app/bin/billing-emulator.js", "ready"]
STOPSIGNAL SIGTERM
# Four collector threads, as by default, take few cores from the main thread and hold up requests for longer.
ENTRYPOINT ["node", "--v8-pool-size=2", "/app/bin/billing-emulator.js"]
CMD ["start"]
