import { failure } from "../../domain/failure.ts"
import { Trouble } from "../../domain/trouble.ts"
import type { Log } from "../../log.ts"
import { type AdmissionLimits, admission, overloaded } from "./admission.ts"
import { awaitedBodies } from "./awaited-bodies.ts"
import { linger } from "./linger.ts"
import { logPath } from "./log-path.ts"
import { problem } from "./problem.ts"
import { closeUnlessShort } from "./read-body.ts"
import { REQUEST_ID } from "./ready-headers.ts"
import { metaOf, setMeta } from "./request-meta.ts"

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
  const { hostname, port, log } = parts
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: IDLE_SECONDS,
    // Doors count bodies themselves, so that the key is checked first and the answer says the limit.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    fetch: receiver(parts),
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

type Server = Bun.Server<undefined>

/** Lets a request in if there is room for it, and turns whatever a door throws into an answer. */
function receiver(parts: ListenParts): (request: Request, server: Server) => Response | Promise<Response> {
  const { handle, log, limits, requestIds } = parts
  const gate = admission(limits)
  const isNamed = hostCheck()
  const bodies = awaitedBodies(limits.slowBodyMs)
  const finish = finisher(parts)

  function faulty(request: Request, cause: unknown): Response {
    log.error("unexpected failure", cause, { request: metaOf(request).id })
    return problem(failure("internal_error", "This is our fault, and it is in our log."), request)
  }

  function turnAway(request: Request): Response | Promise<Response> {
    // Whoever restarts what does not answer should not make it worse.
    if (request.url.endsWith("/healthz")) return handle(request)
    bodies.relieve()
    return problem(overloaded(), request, closeUnlessShort(request, limits.bodyBytesMax))
  }

  return (request, server) => {
    const started = performance.now()
    const id = requestIds()
    setMeta(request, { id, peer: () => server.requestIP(request)?.address ?? "unknown", bodies })
    if (!isNamed(request)) {
      return finish(
        request,
        problem(failure("invalid_request", "The header Host names no host."), request),
        id,
        started,
      )
    }
    const bytes = gate.enter(request)
    const leave = (response: Response) => {
      if (bytes !== null) gate.leave(bytes)
      return finish(request, response, id, started)
    }
    try {
      const answered = bytes === null ? turnAway(request) : handle(request)
      // Without async and await, which would put two promises more on the way of every answer.
      return answered instanceof Promise
        ? answered.then(leave, (cause) => leave(faulty(request, cause)))
        : leave(answered)
    } catch (cause) {
      return leave(faulty(request, cause))
    }
  }
}

/** HTTP/1.0 allows no host, and nobody checks what stands there. Past this check every address can be parsed. */
function hostCheck(): (request: Request) => boolean {
  let known: string | null = null
  return (request) => {
    const host = request.headers.get("host")
    if (host !== null && host === known) return true
    if (!URL.canParse(request.url)) return false
    known = host
    return true
  }
}

/** Adds what every answer carries, and writes its line into the log. */
function finisher({ log, observe, headers }: ListenParts) {
  const defaults = Object.entries(headers)

  function dress(response: Response, id: string): void {
    response.headers.set(REQUEST_ID, id)
    for (const [name, value] of defaults) if (!response.headers.has(name)) response.headers.set(name, value)
  }

  return (request: Request, response: Response, id: string, started: number): Response => {
    // Doors that are asked often dress their answers themselves.
    if (!response.headers.has(REQUEST_ID)) dress(response, id)
    const { status } = response
    const ms = Math.round((performance.now() - started) * 100) / 100
    observe?.(request.url, status, ms)
    log.request({ method: request.method, path: logPath(request.url), status, ms, id })
    return status >= 400 && response.headers.get("connection") === "close" ? linger(request, response) : response
  }
}

/** No new connections from now on; once nothing is in flight, the rest, which says nothing, need not be waited for. */
async function stop(server: Server): Promise<void> {
  const closed = server.stop(false)
  const giveUpAt = performance.now() + STOP_PATIENCE_MS
  while (server.pendingRequests > 0 && performance.now() < giveUpAt) await Bun.sleep(STOP_LOOK_MS)
  await server.stop(true)
  await closed
}
