import { failure } from "../../domain/failure.ts"
import { Trouble } from "../../domain/trouble.ts"
import type { Log } from "../../log.ts"
import { type AdmissionLimits, admission, overloaded } from "./admission.ts"
import { type AwaitedBodies, awaitedBodies } from "./awaited-bodies.ts"
import { linger } from "./linger.ts"
import { logPath } from "./log-path.ts"
import { problem } from "./problem.ts"
import { closeUnlessShort } from "./read-body.ts"
import { setMeta } from "./request-meta.ts"

const STOP_PATIENCE_MS = 10_000
const STOP_LOOK_MS = 5
// A connection that is idle for so long is closed, and so is one whose body takes longer; the door that reads it gives up a little
// earlier, with an answer. Bun itself cuts headers that take longer than 12 s, or have more than 16 KiB or 200 names.
const IDLE_SECONDS = 40

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
  readonly limits: AdmissionLimits
  /** Told about every answer. */
  readonly observe?: (url: string, status: number, ms: number) => void
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

function open(parts: ListenParts): Listener {
  const { hostname, port, log, requestIds } = parts
  const defaults = Object.entries(parts.headers)
  const bodies = awaitedBodies(parts.limits.slowBodyMs)
  const answer = answerer(parts, bodies)
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: IDLE_SECONDS,
    // Doors count bodies themselves, so that the key is checked first and the answer says the limit.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request, self) {
      const started = performance.now()
      const id = requestIds()
      setMeta(request, { id, peer: () => self.requestIP(request)?.address ?? "unknown", bodies })
      const response = await answer(request)
      response.headers.set("X-Request-Id", id)
      for (const [name, value] of defaults) if (!response.headers.has(name)) response.headers.set(name, value)
      const ms = Math.round((performance.now() - started) * 100) / 100
      parts.observe?.(request.url, response.status, ms)
      log.info("request", { method: request.method, path: logPath(request.url), status: response.status, ms, id })
      return response.headers.get("connection") === "close" ? linger(request, response) : response
    },
    error(cause) {
      log.error("request failed", cause)
      return new Response("Internal error\n", { status: 500 })
    },
  })
  return {
    port: server.port ?? port,
    hostname: server.hostname ?? hostname,
    stop: () => stop(server),
  }
}

/** Lets a request in if there is room for it, and turns whatever a door throws into an answer. */
function answerer(
  { handle, log, limits }: ListenParts,
  bodies: AwaitedBodies,
): (request: Request) => Promise<Response> {
  const gate = admission(limits)
  let knownHost: string | null = null
  return async (request) => {
    // HTTP/1.0 allows no host, and nobody checks what stands there. From here on every address can be parsed.
    const host = request.headers.get("host")
    if (host !== knownHost || host === null) {
      if (!URL.canParse(request.url))
        return problem(failure("invalid_request", "The header Host names no host."), request)
      knownHost = host
    }
    const bytes = gate.enter(request)
    if (bytes === null) {
      // Whoever restarts what does not answer should not make it worse.
      if (request.url.endsWith("/healthz")) return handle(request)
      bodies.relieve()
      return problem(overloaded(), request, closeUnlessShort(request, limits.bodyBytesMax))
    }
    try {
      return await handle(request)
    } catch (cause) {
      log.error("unexpected failure", cause)
      return problem(failure("internal_error", "This is our fault, and it is in our log."), request)
    } finally {
      gate.leave(bytes)
    }
  }
}

/** No new connections from now on; once nothing is in flight, the rest, which says nothing, need not be waited for. */
async function stop(server: Bun.Server<undefined>): Promise<void> {
  const closed = server.stop(false)
  const giveUpAt = performance.now() + STOP_PATIENCE_MS
  while (server.pendingRequests > 0 && performance.now() < giveUpAt) await Bun.sleep(STOP_LOOK_MS)
  await server.stop(true)
  await closed
}
