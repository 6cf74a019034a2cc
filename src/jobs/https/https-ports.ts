import type { Config } from "../../config.ts"
import { type HttpsProblem, httpsProblem } from "../../domain/operations/https.ts"
import { messageOf } from "../../domain/user-error.ts"
import { leaveAccepting } from "../../doors/http/accepting.ts"
import type { Handle } from "../../doors/http/lazy-door.ts"
import type { Listener } from "../../doors/http/listen.ts"
import type { ServedCertificate } from "./certificate-files.ts"

/** Opens a port on every address of the machine. */
export interface PortOpener {
  secure(certificate: ServedCertificate, isShared: boolean): Listener
  plain(handle: Handle): Listener
}

const CHALLENGE = "/.well-known/acme-challenge/"
// Longer than an idle connection is kept: each connection ends after its next response, and none is cut off.
const RETIRING = { patienceMs: 10_000, lingerMs: 45_000 }

/** The two ports of HTTPS: 443, and 80 for the authority's checks and for browsers that begin without encryption. */
export function httpsPorts(open: PortOpener, origin: string | null) {
  const challenges = new Map<string, string>()
  let secure: { readonly listener: Listener; readonly cert: string } | null = null
  let plain: Listener | null = null

  function answer(request: Request): Response {
    const url = new URL(request.url)
    const known = url.pathname.startsWith(CHALLENGE) ? challenges.get(url.pathname.slice(CHALLENGE.length)) : undefined
    if (known !== undefined) return new Response(known, { headers: { "Content-Type": "application/octet-stream" } })
    if (secure === null || origin === null)
      return new Response("HTTPS is being set up here. Try again in a minute.\n", { status: 503 })
    return new Response(null, { status: 308, headers: { Location: `${origin}${url.pathname}${url.search}` } })
  }

  return {
    get securePort() {
      return secure?.listener.port ?? null
    },
    get plainPort() {
      return plain?.port ?? null
    },
    /** Serves with this certificate from now on. Open connections go on until their next response. */
    use(certificate: ServedCertificate): void {
      if (secure?.cert === certificate.cert) return
      const before = secure?.listener
      const listener = open.secure(certificate, before !== undefined)
      secure = { listener, cert: certificate.cert }
      if (before !== undefined)
        void leaveAccepting(before.accepting, listener.accepting).then(() => before.stop(RETIRING))
    },
    openPlain(): void {
      plain ??= open.plain(answer)
    },
    publish: (token: string, content: string) => void challenges.set(token, content),
    unpublish: () => challenges.clear(),
    stop: (pace?: Parameters<Listener["stop"]>[0]) =>
      Promise.all([secure?.listener.stop(pace), plain?.stop(pace)]).then(() => undefined),
  }
}

export type HttpsPorts = ReturnType<typeof httpsPorts>

/** Opens what can be opened. What is in the way, if something is. */
export function openPorts(
  ports: HttpsPorts,
  certificate: ServedCertificate | null,
  { httpsPort, httpPort }: Pick<Config, "httpsPort" | "httpPort">,
): HttpsProblem | null {
  try {
    if (certificate !== null) ports.use(certificate)
    ports.openPlain()
    return null
  } catch (cause) {
    return portProblem(cause, certificate !== null && ports.securePort === null ? httpsPort : httpPort)
  }
}

export function portProblem(cause: unknown, port: number): HttpsProblem {
  const { code } = ((cause as Error).cause ?? {}) as { readonly code?: string }
  if (code === "EADDRINUSE") return httpsProblem("port_in_use", `Port ${port} is in use by another program.`, [])
  if (code === "EACCES") return httpsProblem("port_forbidden", `This user is not allowed to use port ${port}.`, [])
  return httpsProblem("unknown", `Port ${port} cannot be opened: ${messageOf(cause)}`, [])
}
