import type { Cidr } from "../../domain/client-address.ts"
import { failure } from "../../domain/failure.ts"
import { UserError } from "../../domain/user-error.ts"
import { addressOf } from "./address-of.ts"
import { bodyDeadlines } from "./body-deadlines.ts"
import { inFlight, type WhyGivenUp } from "./in-flight.ts"
import type { Handle } from "./lazy-door.ts"
import { type LoadLimits, loadShedding, overloaded } from "./load-shedding.ts"
import { logPath } from "./log-path.ts"
import { pathOf } from "./path-of.ts"
import { problem, unexpected } from "./problem.ts"
import { closeUnlessShort } from "./read-body.ts"
import { metaOf, setMeta } from "./request-meta.ts"
import { type ResponseParts, responseDefaults } from "./response-defaults.ts"

const STOP_PATIENCE_MS = 10_000
const STOP_LOOK_MS = 5
// A connection that is idle for so long is closed, also while its answer is waited for, and so is one whose body takes longer; bodies and
// answers are given up a little earlier (limits.ts), with an answer. Bun itself cuts headers that take longer than 12 s, or have more than 16 KiB or 200 names.
const IDLE_SECONDS = 40

export interface Listener {
  readonly port: number
  readonly hostname: string
  /** Finishes requests in flight, then closes. Those that take too long are cut off. */
  stop(): Promise<void>
}

export interface ListenParts extends ResponseParts {
  readonly hostname: string
  readonly port: number
  readonly handle: Handle
  readonly requestIds: () => string
  readonly trustProxy: readonly Cidr[]
  readonly limits: LoadLimits
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
function listenTrouble({ hostname, port }: ListenParts, cause: unknown): UserError {
  const code = (cause as { code?: unknown }).code
  if (code === "EADDRINUSE") {
    return new UserError(`Port ${port} of ${hostname} is in use by another program. Choose another one with --port.`, {
      cause,
    })
  }
  if (code === "EACCES") {
    return new UserError(`Port ${port} needs more rights than this user has. Choose one above 1023 with --port.`, {
      cause,
    })
  }
  return new UserError(`${hostname} is no address of this machine. Choose another one with --host.`, { cause })
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

const nameless = failure("invalid_request", "The header Host names no host.")
const unanswered = failure(
  "unavailable",
  "This took too long and was given up. It may have been done all the same: look before you send it again.",
)
/** For the log alone, as other servers write it: nobody is there to read the answer. */
const CALLER_GONE = 499

/** Lets a request in if there is room for it, and sees to it that whoever was let in gets an answer, whatever the door does. */
function receiver(parts: ListenParts): (request: Request, server: Server) => ReturnType<Handle> {
  const { handle, log, limits, requestIds, trustProxy } = parts
  const gate = loadShedding(limits)
  const isNamed = hostCheck()
  const bodies = bodyDeadlines(limits.slowBodyMs)
  const flights = inFlight(limits.answerMs)
  const finish = responseDefaults(parts)

  function faulty(request: Request, cause: unknown): Response {
    log.error("unexpected failure", cause, { request: metaOf(request).id })
    return problem(unexpected(cause), request)
  }

  function givenUp(request: Request, why: WhyGivenUp): Response {
    if (why === "gone") return new Response(null, { status: CALLER_GONE })
    log.warn("not answered in time", { request: metaOf(request).id, path: logPath(request.url) })
    return problem(unanswered, request, closeUnlessShort(request, limits.bodyBytesMax))
  }

  function turnAway(request: Request): ReturnType<Handle> {
    // Whoever restarts what does not answer should not make it worse.
    if (isHealthCheck(request)) return handle(request)
    bodies.relieve()
    flights.relieve()
    return problem(overloaded(), request, closeUnlessShort(request, limits.bodyBytesMax))
  }

  return (request, server) => {
    const started = performance.now()
    const id = requestIds()
    const peer = () => server.requestIP(request)?.address ?? "unknown"
    setMeta(request, { id, peer, caller: () => addressOf(request, trustProxy), bodies })
    if (!isNamed(request)) return finish(request, problem(nameless, request), id, started)
    const bytes = gate.enter(request)
    const leave = (response: Response) => {
      if (bytes !== null) gate.leave(bytes)
      return finish(request, response, id, started)
    }
    let answered: ReturnType<Handle>
    try {
      answered = bytes === null ? turnAway(request) : handle(request)
    } catch (cause) {
      answered = faulty(request, cause)
    }
    if (!(answered instanceof Promise)) return leave(answered)
    return flights.watch(request, answered, {
      answered: leave,
      failed: (cause) => leave(faulty(request, cause)),
      givenUp: (why) => leave(givenUp(request, why)),
    })
  }
}

function isHealthCheck({ method, url }: Request): boolean {
  return (method === "GET" || method === "HEAD") && pathOf(url) === "/healthz"
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

/** No new connections from now on; once nothing is in flight, the rest, which says nothing, need not be waited for. */
async function stop(server: Server): Promise<void> {
  const closed = server.stop(false)
  const giveUpAt = performance.now() + STOP_PATIENCE_MS
  while (server.pendingRequests > 0 && performance.now() < giveUpAt) await Bun.sleep(STOP_LOOK_MS)
  await server.stop(true)
  await closed
}
