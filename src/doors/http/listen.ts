// Promise: every request has an id, one answer and one line of the log; what is being answered when the server stops is finished.
// Held by test/trust/overload.test.ts.
import type { Cidr } from "../../domain/callers/client-address.ts"
import { failure, overloaded } from "../../domain/failure.ts"
import { UserError } from "../../domain/user-error.ts"
import { listeningOn, pauseAccepting } from "./accepting.ts"
import type { Bounds } from "./bounds.ts"
import { inFlight, type WhyGivenUp } from "./in-flight.ts"
import type { Handle } from "./lazy-door.ts"
import { disconnected, problem, unexpected } from "./problem.ts"
import { contentLength, logPath, pathOf, traceIdOf, wrongLength } from "./request.ts"
import { RequestMeta, setMeta } from "./request-meta.ts"
import { type Address, listenOn, type ReservedPort, type ServeFetch, type Server } from "./reserved-port.ts"
import { type ResponseParts, responseDefaults } from "./response-defaults.ts"
import { turnWatch } from "./turn-watch.ts"

const STOP_POLL_MS = 5

// What is being answered when the server stops is finished.
const STOPPING: StopPace = { patienceMs: 10_000, lingerMs: 0 }

export interface Listener {
  readonly port: number
  readonly hostname: string
  /** The descriptors on which it accepts connections; none where they cannot be seen. */
  readonly accepting: readonly number[]
  /** Finishes requests in flight, then closes. Slow ones are cut off. */
  stop(pace?: StopPace): Promise<void>
}

export interface StopPace {
  /** How long requests in flight may take. */
  readonly patienceMs: number
  /** How long it goes on before that, closing each connection after its next response: then nearly none is cut off. */
  readonly lingerMs: number
}

export interface ListenParts extends ResponseParts, Address {
  readonly handle: Handle
  readonly requestIds: (traceId: string | null) => string
  readonly trustProxy: readonly Cidr[]
  readonly bounds: Bounds
  /** How long a response may take after the whole request has arrived. */
  readonly answerMs: number
  /** The port, if it is open already. */
  readonly reserved?: ReservedPort | undefined
  /** Whether an earlier listener of this process has the port too, until it is stopped. */
  readonly isShared?: boolean
}

/** Listens, gives every request an id, and logs one line per response. */
export function listen(parts: ListenParts): Listener {
  try {
    return open(parts)
  } catch (cause) {
    throw listenError(parts, cause)
  }
}

function listenError({ hostname, port }: ListenParts, cause: unknown): UserError {
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${hostname} is in use by another program. Choose another with --port.`,
    EACCES: `This user is not allowed to use port ${port}. Choose one above 1023 with --port.`,
  }
  const otherwise = `${hostname} is not an address of this machine. Choose another with --host.`
  return new UserError(known[String((cause as { code?: unknown }).code)] ?? otherwise, { cause })
}

function open(parts: ListenParts): Listener {
  const { hostname, port, tls, log, reserved, isShared } = parts
  const state = { isClosing: false, accepting: [] as readonly number[] }
  const handlers = {
    fetch: receiver(parts, state),
    error(cause: Error) {
      log.error("request failed", cause)
      return new Response("Internal error\n", { status: 500 })
    },
  }
  const earlier = isShared ? listeningOn(port) : []
  const server = reserved?.start(handlers) ?? listenOn({ hostname, port, ...(tls && { tls }) }, handlers, isShared)
  state.accepting = listeningOn(server.port ?? port).filter((descriptor) => !earlier.includes(descriptor))
  return {
    port: server.port ?? port,
    hostname: server.hostname ?? hostname,
    accepting: state.accepting,
    stop(pace = STOPPING) {
      state.isClosing = true
      return stop(server, pace)
    },
  }
}

const invalidHost = failure("invalid_request", "The Host header is missing, repeated or invalid.")
const timedOut = failure(
  "unavailable",
  "This took too long and was given up. It may still have been carried out: check before you send it again.",
)

/** Admits a request if there is room for it. Every admitted request gets a response, whatever its door does. */
function receiver(
  parts: ListenParts,
  state: { readonly isClosing: boolean; readonly accepting: readonly number[] },
): ServeFetch {
  const { handle, log, bounds, requestIds, trustProxy: trusted } = parts
  const hasValidHost = hostCheck()
  // Not while it closes: the descriptor may mean something else by then.
  const isLast = turnWatch(() => state.isClosing || pauseAccepting(state.accepting))
  const finish = responseDefaults(parts)
  const watched = inFlight(parts.answerMs, bounds, {
    answered: leave,
    failed: (meta, cause) => leave(meta, internalError(meta, cause)),
    givenUp: (meta, why) => leave(meta, givenUp(meta, why)),
  })

  function leave(meta: RequestMeta, response: Response): Response {
    // The caller's next request goes to the process that listens then. The runtime would go on receiving the chunks of a stranger.
    const isCut = meta.isLast || (meta.length === Number.POSITIVE_INFINITY && meta.foundToBe === null)
    if (state.isClosing || isCut) response.headers.set("Connection", "close")
    meta.leave()
    return finish(meta, response)
  }

  function internalError({ request, id }: RequestMeta, cause: unknown): Response {
    log.error("unexpected failure", cause, { request: id })
    return problem(unexpected(cause), request)
  }

  function givenUp({ request, id, onGivenUp }: RequestMeta, why: WhyGivenUp): Response {
    onGivenUp?.()
    if (why === "gone") return disconnected()
    log.warn("not answered in time", { request: id, path: logPath(request.url) })
    return problem(timedOut, request)
  }

  return (request, server) => {
    const traceId = traceIdOf(request.headers.get("traceparent"))
    const length = contentLength(request)
    const arrival = { id: requestIds(traceId), traceId, length: length ?? 0, bounds, server, trusted }
    const meta = new RequestMeta(request, arrival)
    setMeta(request, meta)
    meta.isLast = isLast(meta)
    if (length === null) return leave(meta, problem(wrongLength(), request))
    if (!hasValidHost(request)) return leave(meta, problem(invalidHost, request))
    // Health checks always pass: a restart would worsen an overload.
    if (!meta.enter() && !isHealthCheck(request)) return leave(meta, problem(overloaded(), request))
    try {
      const answered = handle(request)
      return answered instanceof Promise ? watched(meta, answered) : leave(meta, answered)
    } catch (cause) {
      return leave(meta, internalError(meta, cause))
    }
  }
}

const isHealthCheck = ({ method, url }: Request): boolean =>
  (method === "GET" || method === "HEAD") && pathOf(url) === "/healthz"

/** HTTP/1.0 requests may lack a Host header, and Bun does not check it; of two it makes a list. After this check every URL can be parsed. */
function hostCheck(): (request: Request) => boolean {
  let resolved: string | null = null
  return (request) => {
    const host = request.headers.get("host")
    if (host !== null && host === resolved) return true
    if (host?.includes(",") || !URL.canParse(request.url)) return false
    if (!lengthenHost(request)) resolved = host
    return true
  }
}

// Where Elysia begins to look for the path of a URL.
const PATH_FROM = 11

/** Elysia would miss the path behind a host as short as "a.b": a longer port, which means the same, moves it. False where it need not. */
function lengthenHost(request: Request): boolean {
  const { url } = request
  const path = url.indexOf("/", url.indexOf("//") + 2)
  if (path >= PATH_FROM) return false
  const [scheme = "", host = "", port = scheme === "https" ? "443" : "80"] = url.slice(0, path).split(/:\/\/|:/)
  const value = `${scheme}://${host}:${port.padStart(4, "0")}${url.slice(path)}`
  Object.defineProperty(request, "url", { value })
  return true
}

/** Accepts no new connections, waits for requests in flight, then closes idle connections. */
async function stop(server: Server, { patienceMs, lingerMs }: StopPace): Promise<void> {
  // Until nothing is paused any more.
  await new Promise((resolve) => setImmediate(resolve))
  if (lingerMs > 0) await Bun.sleep(lingerMs)
  const closed = server.stop(false)
  const giveUpAt = performance.now() + patienceMs
  while (server.pendingRequests > 0 && performance.now() < giveUpAt) await Bun.sleep(STOP_POLL_MS)
  await server.stop(true)
  await closed
}
