// Promise: while one program file takes over from another, new connections find somebody.
// Held by test/trust/one-server.test.ts and torture/parts/hand-over.ts.
import { failure } from "../../domain/failure.ts"
import { REQUESTS_AT_A_TIME_MAX } from "../../domain/limits.ts"

export type Server = Bun.Server<undefined>
export type ServeFetch = (request: Request, server: Server) => Response | Promise<Response>

export interface Address {
  readonly hostname: string
  readonly port: number
  /** The certificate, where connections are encrypted. */
  readonly tls?: { readonly cert: string; readonly key: string }
}

export type Handlers = Readonly<{ fetch: ServeFetch; error: (cause: Error) => Response }>

/** Every address of the machine, old and new. */
export const EVERYWHERE = "::"

/** A port that is open before there is anything to answer with. Requests wait. */
export interface ReservedPort {
  /** Answers the waiting requests, and all later ones. */
  start(handlers: Handlers): Server
}

// Bun closes a connection on which less than 16 KiB a second arrive for this long, even during a request. Slow bodies and responses are
// given up a little earlier (limits.ts), with a response.
export const IDLE_SECONDS = 40

const SHARED = {
  // Bun also rejects headers that take longer than 12 s, or have more than 16 KiB or 200 names.
  idleTimeout: IDLE_SECONDS,
  // Doors limit bodies themselves, so that the key is checked first and the error names the limit.
  maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  // So that a successor can open the port before this process closes it. Only Linux then has both of them get connections.
  reusePort: process.platform === "linux",
} as const

/** Listens on a port that nobody else listens on, unless it is shared with an earlier listener of this process. */
export function listenOn(address: Address, handlers: Handlers, isShared = false): Server {
  // Where ports can be shared, opening one that is in use would succeed: so it is tried without sharing first.
  if (!isShared && SHARED.reusePort && address.port !== 0)
    Bun.serve({ hostname: address.hostname, port: address.port, fetch: handlers.fetch }).stop(true)
  return Bun.serve({ ...SHARED, ...address, ...handlers })
}

/** Opens a port that another process of this program still has open. */
export function reservePort(address: Address): ReservedPort {
  const started = Promise.withResolvers<ServeFetch>()
  let waiting = 0
  const server = Bun.serve({
    ...SHARED,
    ...address,
    async fetch(request, server) {
      if (waiting >= REQUESTS_AT_A_TIME_MAX) return tooMany()
      waiting++
      return (await started.promise)(request, server)
    },
  })
  return {
    start(handlers) {
      server.reload(handlers)
      started.resolve(handlers.fetch)
      return server
    },
  }
}

function tooMany(): Response {
  const { status, detail } = failure("unavailable", "A new version is being started. Try again in a moment.")
  return new Response(`${detail}\n`, { status, headers: { "Retry-After": "1" } })
}
