import { type HttpsProblem, httpsProblem } from "../../domain/operations/https.ts"
import { type HttpServer, listen, type Responder } from "../../http/server.ts"
import type { Certificate } from "./certificate.ts"

// HTTPS listens on every address, wherever the plain port listens.
const EVERYWHERE = "::"
const CHALLENGE = "/.well-known/acme-challenge/"
const SETTING_UP = "HTTPS is being set up here. Try again in a minute.\n"

interface PortNumbers {
  readonly httpsPort: number
  readonly httpPort: number
}

/** The two ports of HTTPS: 443, and 80 for the authority's checks and for browsers that begin without encryption. */
export function httpsPorts(respond: Responder, { httpsPort, httpPort }: PortNumbers, publicUrl: () => string) {
  const challenges = new Map<string, string>()
  let secure: { readonly server: HttpServer; readonly cert: string } | null = null
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
    securePort: () => secure?.server.port ?? null,
    hasPlain: () => plain !== null,
    /** Serves with this certificate from now on. Requests in flight end with the old one. */
    use({ cert, key }: Certificate): void {
      if (secure?.cert === cert) return
      const old = secure?.server
      if (old === undefined) checkIsFree(httpsPort)
      // Open the new listener before the old one stops, so that no connection is refused in between. Requests in flight are answered,
      // and a connection without one is closed: its client opens another.
      const server = listen(respond, { host: EVERYWHERE, port: httpsPort, tls: { cert, key }, isShared: true })
      secure = { server, cert }
      old?.retire()
    },
    openPlain(): void {
      plain ??= listen(answerPlain, { host: EVERYWHERE, port: httpPort })
    },
    publish: (token: string, content: string) => void challenges.set(token, content),
    unpublish: () => challenges.clear(),
    /** Closes both ports. They can be opened again. */
    async stop(): Promise<void> {
      const open = [secure?.server, plain]
      secure = null
      plain = null
      await Promise.all(open.map((server) => server?.stop()))
    },
  }
}

/**
 * Throws if another program has the port. This opens the port without sharing, because a shared port wouldn't notice
 * another program that shares it.
 */
function checkIsFree(port: number): void {
  const trial = Bun.serve({ hostname: EVERYWHERE, port, fetch: () => new Response() })
  void trial.stop(true)
}

export type HttpsPorts = ReturnType<typeof httpsPorts>

/** Opens the ports that can be opened. Returns the problem with the others. */
export function openPorts(
  ports: HttpsPorts,
  certificate: Certificate | null,
  { httpsPort, httpPort }: PortNumbers,
): HttpsProblem | null {
  try {
    if (certificate !== null) ports.use(certificate)
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
function portProblem(cause: unknown, port: number): HttpsProblem {
  const { code, message } = cause as { readonly code?: string; readonly message: string }
  if (code === "EADDRINUSE") return httpsProblem("port_in_use", `Port ${port} is in use by another program.`, [])
  if (code === "EACCES") return httpsProblem("port_forbidden", `This user isn't allowed to use port ${port}.`, [])
  return httpsProblem("unknown", `Port ${port} can't be opened: ${message}`, [])
}
