import type { Cidr } from "../../domain/callers/client-address.ts"
import { failure, overloaded } from "../../domain/failure.ts"
import { fingerprintIfValid } from "../../domain/keys/api-key.ts"
import { UserError } from "../../domain/user-error.ts"
import { secretOf } from "./headers.ts"
import { inFlight, type WhyGivenUp } from "./in-flight.ts"
import type { Handle } from "./lazy-door.ts"
import { pipelined } from "./pipelined.ts"
import { disconnected, problem, unexpected } from "./problem.ts"
import { contentLength, logPath, pathOf, traceIdOf, wrongLength } from "./request.ts"
import { RequestMeta, setMeta } from "./request-meta.ts"
import { type Address, listenOn, type ReservedPort, type ServeFetch, type Server } from "./reserved-port.ts"
import { type ResponseParts, responseDefaults } from "./response-defaults.ts"
import type { Room } from "./room.ts"

const STOP_POLL_MS = 5

// What is being answered when the server stops is finished.
const STOPPING: StopPace = { patienceMs: 10_000, lingerMs: 0 }

export interface Listener {
  readonly port: number
  readonly hostname: string
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
  readonly room: Room
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
  const closing = { isOn: false }
  const handlers = {
    fetch: receiver(parts, closing),
    error(cause: Error) {
      log.error("request failed", cause)
      return new Response("Internal error\n", { status: 500 })
    },
  }
  const server = reserved?.start(handlers) ?? listenOn({ hostname, port, ...(tls && { tls }) }, handlers, isShared)
  return {
    port: server.port ?? port,
    hostname: server.hostname ?? hostname,
    stop(pace = STOPPING) {
      closing.isOn = true
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
function receiver(parts: ListenParts, closing: { readonly isOn: boolean }): ServeFetch {
  const { handle, log, room, requestIds, trustProxy: trusted } = parts
  const hasValidHost = hostCheck()
  const pipeline = pipelined()
  const finish = responseDefaults(parts)
  const watched = inFlight(parts.answerMs, {
    answered: leave,
    failed: (meta, cause) => leave(meta, internalError(meta, cause)),
    givenUp: (meta, why) => leave(meta, givenUp(meta, why)),
  })

  function leave(meta: RequestMeta, response: Response): Response {
    // The caller's next request goes to whoever listens then.
    if (closing.isOn || meta.when === "last") response.headers.set("Connection", "close")
    meta.leave()
    pipeline.answered(meta)
    return finish(meta, response)
  }

  function internalError({ request, id }: RequestMeta, cause: unknown): Response {
    log.error("unexpected failure", cause, { request: id })
    return problem(unexpected(cause), request)
  }

  function givenUp({ request, id, onGivenUp }: RequestMeta, why: WhyGivenUp): Response {
    onGivenUp?.()
    if (why === "gone") return disconnected()
    if (why === "crowded") return problem(overloaded(), request)
    log.warn("not answered in time", { request: id, path: logPath(request.url) })
    return problem(timedOut, request)
  }

  async function later(meta: RequestMeta): Promise<Response> {
    await meta.turn()
    return meta.request.signal.aborted ? disconnected() : handle(meta.request)
  }

  return (request, server) => {
    const traceId = traceIdOf(request.headers.get("traceparent"))
    const length = contentLength(request)
    const arrival = { id: requestIds(traceId), traceId, length: length ?? 0, room, server, trusted }
    const meta = new RequestMeta(request, arrival)
    const isAdmitted = setMeta(request, meta)
    meta.when = pipeline.whenToAnswer(meta)
    if (length === null) return leave(meta, problem(wrongLength(), request))
    if (!hasValidHost(request)) return leave(meta, problem(invalidHost, request))
    // Health checks always pass: a restart would worsen an overload.
    const isProbe = isHealthCheck(request)
    if (!isAdmitted && !isProbe) return leave(meta, problem(overloaded(), request))
    try {
      const isNow = meta.when !== "later" || isProbe || (bringsKey(request) && meta.isTrusted)
      const answered = isNow ? handle(request) : later(meta)
      return answered instanceof Promise ? watched(meta, answered) : leave(meta, answered)
    } catch (cause) {
      return leave(meta, internalError(meta, cause))
    }
  }
}

const isHealthCheck = ({ method, url }: Request): boolean =>
  (method === "GET" || method === "HEAD") && pathOf(url) === "/healthz"

/**
 * Its door looks the key up at once, which takes no longer than refusing it, and then waits: so it does not count among strangers meanwhile.
 * Whatever does not even have the form of a key waits as all others do, and so does an address that invents keys.
 */
function bringsKey(request: Request): boolean {
  const secret = request.method === "POST" ? secretOf(request) : null
  return secret !== null && KEY_KINDS.some((kind) => fingerprintIfValid(secret, kind) !== null)
}

const KEY_KINDS = ["ingest", "agent"] as const

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
  if (lingerMs > 0) await Bun.sleep(lingerMs)
  const closed = server.stop(false)
  const giveUpAt = performance.now() + patienceMs
  while (server.pendingRequests > 0 && performance.now() < giveUpAt) await Bun.sleep(STOP_POLL_MS)
  await server.stop(true)
  await closed
}
