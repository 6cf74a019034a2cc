import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import type { ServiceProblem } from "../../domain/errors.ts"
import { httpsProblem } from "../../domain/operations/https.ts"
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

const CHALLENGE = "/.well-known/acme-challenge/"
const SETTING_UP = "HTTPS is being set up here. Try again in a minute.\n"

interface PortNumbers {
  readonly httpsPort: number
  readonly httpPort: number
}

/** The two ports of HTTPS: 443, and 80 for the authority's checks and for browsers that begin without encryption. */
export function httpsPorts(respond: Responder, { httpsPort, httpPort }: PortNumbers, publicUrl: () => string) {
  const challenges = new Map<string, string>()
  let secure: Awaited<ReturnType<typeof openFront>> | null = null
  let plain: HttpServer | null = null

  async function answerPlain(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const content = url.pathname.startsWith(CHALLENGE)
      ? challenges.get(url.pathname.slice(CHALLENGE.length))
      : undefined
    if (content !== undefined) return new Response(content, { headers: { "Content-Type": "application/octet-stream" } })
    if (secure === null) return new Response(SETTING_UP, { status: 503, headers: { "Retry-After": "60" } })
    // Never the Host of the request, which a stranger may have chosen.
    return new Response(null, { status: 308, headers: { Location: `${publicUrl()}${url.pathname}${url.search}` } })
  }

  return {
    securePort: () => secure?.port ?? null,
    hasPlain: () => plain !== null,
    /** New connections get this certificate from now on. */
    async use(certificate: Certificate): Promise<void> {
      secure ??= await openFront(respond, httpsPort, certificate)
      secure.use(certificate)
    },
    openPlain(): void {
      plain ??= listen(answerPlain, { host: EVERYWHERE, port: httpPort })
    },
    publish: (token: string, content: string) => void challenges.set(token, content),
    unpublish: () => challenges.clear(),
    /** Closes both ports. They can be opened again. */
    async stop(): Promise<void> {
      const open = [secure, plain]
      secure = null
      plain = null
      await Promise.all(open.map((server) => server?.stop()))
    },
  }
}

export type HttpsPorts = ReturnType<typeof httpsPorts>

/** Opens the ports that can be opened. Returns the problem with the others. */
export async function openPorts(
  ports: HttpsPorts,
  certificate: Certificate | null,
  { httpsPort, httpPort }: PortNumbers,
): Promise<ServiceProblem | null> {
  try {
    if (certificate !== null) await ports.use(certificate)
  } catch (cause) {
    return portProblem(cause, httpsPort)
  }
  try {
    ports.openPlain()
    return null
  } catch (cause) {
    return portProblem(cause, httpPort)
  }
}

/** Why a port can't be opened, and what to do. */
function portProblem(cause: unknown, port: number): ServiceProblem {
  const { code, message } = cause as { readonly code?: string; readonly message: string }
  if (code === "EADDRINUSE") return httpsProblem("port_in_use", `Port ${port} is in use by another program.`, [])
  if (code === "EACCES") return httpsProblem("port_forbidden", `This user isn't allowed to use port ${port}.`, [])
  return httpsProblem("unknown", `Port ${port} can't be opened: ${message}`, [])
}
