import { createServer } from "node:net"

/** A port that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address()
    probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
  })
  return promise
}
