import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { type HttpServer, listen, type Responder } from "../../http/server.ts"
import type { Certificate } from "./certificate.ts"

// HTTPS listens on every address, wherever the plain port listens.
export const EVERYWHERE = "::"
const LOOPBACK = "127.0.0.1"
// Longer than an inner server waits for a connection without traffic.
const IDLE_MS = 45_000
const STOP_POLL_MS = 10
const STOP_MS_MAX = 5_000

/** A server behind the front, with the certificate that it has for life. */
interface Inner {
  readonly server: HttpServer
  readonly cert: string
  readonly connections: Set<Socket>
}

/**
 * Opens a port whose certificate can change without a lost connection. Bun can't change the certificate of a server. If a
 * second server shares the port instead, Linux resets the connections that the first one hasn't accepted when it stops. So
 * the port stays open, and each connection is passed on, still encrypted, to the inner server with the newest certificate.
 */
export async function openFront(respond: Responder, port: number, first: Certificate) {
  // An inner server sees the front's own address. Its port says whose connection it is.
  const callers = new Map<number, string>()
  const respondInside: Responder = (request, server) =>
    respond(request, server, callers.get(server.requestIP(request)?.port ?? 0) ?? "unknown")
  const inners = new Set<Inner>()
  let newest = openInner(first)
  const front = createServer(pass)
  await once(front.listen(port, EVERYWHERE), "listening").catch((cause) => {
    void newest.server.stop()
    throw cause
  })
  // A connection that can't be accepted, such as one beyond the limit of open files, doesn't stop the others.
  front.on("error", () => undefined)

  function openInner({ cert, key }: Certificate): Inner {
    const server = listen(respondInside, { host: LOOPBACK, port: 0, tls: { cert, key } })
    const inner = { server, cert, connections: new Set<Socket>() }
    inners.add(inner)
    return inner
  }

  function pass(caller: Socket): void {
    const inner = newest
    const { remoteAddress = "unknown" } = caller
    let insidePort = 0
    const inside = connect({ host: LOOPBACK, port: inner.server.port }, () => {
      insidePort = inside.localPort ?? 0
      callers.set(insidePort, remoteAddress)
      caller.pipe(inside).pipe(caller)
    })
    inner.connections.add(caller)
    // Whatever the error, the socket closes.
    for (const socket of [caller, inside]) socket.on("error", () => undefined)
    // Bun reports no timeout of the caller while an answer waits to be sent.
    inside.setTimeout(IDLE_MS, () => caller.destroy())
    caller.on("close", () => {
      inside.destroy()
      inner.connections.delete(caller)
      stopUnused()
    })
    inside.on("close", () => {
      callers.delete(insidePort)
      caller.destroySoon()
      if (!caller.destroyed) setTimeout(() => caller.destroy(), IDLE_MS).unref()
    })
  }

  /** Stops the servers with an older certificate whose last connection has ended. */
  function stopUnused(): void {
    for (const inner of inners) {
      if (inner !== newest && inner.connections.size === 0 && inners.delete(inner)) void inner.server.stop()
    }
  }

  return {
    port: (front.address() as AddressInfo).port,
    /** New connections get this certificate. Those that are open keep theirs until they end. */
    use(certificate: Certificate): void {
      if (newest.cert === certificate.cert) return
      newest = openInner(certificate)
      stopUnused()
    },
    /** Finishes the requests in flight, then closes every connection. */
    async stop(): Promise<void> {
      front.close()
      const open = [...inners]
      await Promise.all(open.map(({ server }) => server.stop()))
      // The last answers may still be on their way to their callers, and Bun leaves a connection without a handshake open.
      const end = performance.now() + STOP_MS_MAX
      while (open.some(({ connections }) => connections.size > 0) && performance.now() < end)
        await Bun.sleep(STOP_POLL_MS)
      for (const { connections } of open) for (const caller of connections) caller.destroy()
    },
  }
}
