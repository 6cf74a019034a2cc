import { Trouble } from "../../domain/trouble.ts"
import type { Log } from "../../log.ts"
import { logPath } from "./log-path.ts"
import { setMeta } from "./request-meta.ts"

const STOP_PATIENCE_MS = 10_000
// A connection that says nothing for so long is closed; a slow body is cut by the door that reads it.
const IDLE_SECONDS = 30

export interface Listener {
  readonly port: number
  readonly hostname: string
  /** Finishes requests in flight, then closes. Those that take too long are cut off. */
  stop(): Promise<void>
}

export interface ListenParts {
  readonly hostname: string
  readonly port: number
  readonly handle: (request: Request) => Response | Promise<Response>
  readonly log: Log
  readonly requestIds: () => string
  /** Added to every response that does not say otherwise itself. */
  readonly headers: Readonly<Record<string, string>>
}

/** Listens, gives every request an id, and writes one log line when it is answered. */
export function listen(parts: ListenParts): Listener {
  try {
    return open(parts)
  } catch (cause) {
    throw listenTrouble(parts, cause)
  }
}

/** Why nobody can be heard here, and what to do about it. */
function listenTrouble({ hostname, port }: ListenParts, cause: unknown): Trouble {
  const code = (cause as { code?: unknown }).code
  if (code === "EADDRINUSE") {
    return new Trouble(`Port ${port} of ${hostname} is in use by another program. Choose another one with --port.`, {
      cause,
    })
  }
  if (code === "EACCES") {
    return new Trouble(`Port ${port} needs more rights than this user has. Choose one above 1023 with --port.`, {
      cause,
    })
  }
  return new Trouble(`${hostname} is no address of this machine. Choose another one with --host.`, { cause })
}

function open({ hostname, port, handle, log, requestIds, headers }: ListenParts): Listener {
  const defaults = Object.entries(headers)
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: IDLE_SECONDS,
    // Doors count bodies themselves, so that the key is checked first and the answer says the limit.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request, self) {
      const started = performance.now()
      const id = requestIds()
      setMeta(request, { id, peer: self.requestIP(request)?.address ?? "unknown" })
      const response = await handle(request)
      response.headers.set("X-Request-Id", id)
      for (const [name, value] of defaults) if (!response.headers.has(name)) response.headers.set(name, value)
      const ms = Math.round((performance.now() - started) * 100) / 100
      log.info("request", { method: request.method, path: logPath(request.url), status: response.status, ms, id })
      return response
    },
    error(cause) {
      log.error("request failed", cause)
      return new Response("Internal error\n", { status: 500 })
    },
  })
  return {
    port: server.port ?? port,
    hostname: server.hostname ?? hostname,
    async stop() {
      const impatient = setTimeout(() => server.stop(true), STOP_PATIENCE_MS)
      await server.stop(false)
      clearTimeout(impatient)
    },
  }
}
