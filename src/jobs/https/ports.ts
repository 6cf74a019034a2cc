import { type HttpsProblem, httpsProblem } from "../../domain/operations/https.ts"
import { type HttpServer, listen, type Responder } from "../../http/server.ts"
import type { Certificate } from "./certificate.ts"
import { EVERYWHERE, openFront } from "./front.ts"

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
): Promise<HttpsProblem | null> {
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
function portProblem(cause: unknown, port: number): HttpsProblem {
  const { code, message } = cause as { readonly code?: string; readonly message: string }
  if (code === "EADDRINUSE") return httpsProblem("port_in_use", `Port ${port} is in use by another program.`, [])
  if (code === "EACCES") return httpsProblem("port_forbidden", `This user isn't allowed to use port ${port}.`, [])
  return httpsProblem("unknown", `Port ${port} can't be opened: ${message}`, [])
}
