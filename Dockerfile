# Compiles the executable, then keeps it, the C libraries that it is linked to, and nothing else.
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm run build && npm run sbom
RUN mkdir -p /image/tmp && chmod 1777 /image/tmp && mkdir -m 700 /data \
  && ldd dist/adbooth | grep -oE '/[^ ]+' | xargs -I{} cp --parents --dereference {} /image \
  && cp dist/adbooth /image/adbooth \
  && mkdir -p /image/usr/share/doc/adbooth \
  && cp LICENSE dist/THIRD-PARTY-NOTICES dist/adbooth.cdx.json /usr/share/doc/libc6/copyright /image/usr/share/doc/adbooth/

FROM scratch
LABEL org.opencontainers.image.title="Adbooth" \
  org.opencontainers.image.description="Delivery reports, a sales agent for buyers' agents and an app, for small ad sellers, in one executable file." \
  org.opencontainers.image.licenses="MIT"
COPY --from=build /image/ /
# On its own: where a directory is there already, a copy into it leaves its owner as it is.
COPY --from=build --chown=10001:10001 /data /data
USER 10001:10001
ENV ADBOOTH_DATA=/data ADBOOTH_HOST=0.0.0.0 ADBOOTH_PORT=3000
VOLUME /data
EXPOSE 3000 80 443
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["/adbooth", "doctor", "--ready"]
ENTRYPOINT ["/adbooth"]
CMD ["serve"]
