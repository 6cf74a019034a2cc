# Compiles the executable on the machine that builds, for the platform of the image, so that buildx needs no emulation.
FROM --platform=$BUILDPLATFORM node:20-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /src
COPY . .
RUN npm run sbom && npm run build -- --target "linux-$(echo "$TARGETARCH" | sed s/amd64/x64/)" \
  && mv dist/adbooth-linux-* dist/adbooth && mkdir -m 700 /data

FROM gcr.io/distroless/cc-debian12
LABEL org.opencontainers.image.title="Adbooth" \
  org.opencontainers.image.description="Self-hosted ad sales and delivery reporting for small publishers." \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /src/dist/adbooth /adbooth
COPY --from=build /src/LICENSE /src/dist/THIRD-PARTY-NOTICES /src/dist/adbooth.cdx.json /usr/share/doc/adbooth/
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
ENV ADBOOTH_DATA=/data ADBOOTH_HOST=0.0.0.0 ADBOOTH_PORT=3000
VOLUME /data
EXPOSE 3000 80 443
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["/adbooth", "doctor", "--ready"]
ENTRYPOINT ["/adbooth"]
CMD ["serve"]
