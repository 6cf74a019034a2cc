import { type Cidr, clientAddress } from "../../domain/callers/client-address.ts"
import { nextTurn } from "../../next-turn.ts"
import { Bounds, Held } from "./bounds.ts"
import type { Server } from "./reserved-port.ts"

export interface Arrival extends Pick<RequestMeta, "id" | "length" | "traceId"> {
  readonly bounds: Bounds
  /** Null outside a server. */
  readonly server: Server | null
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trusted: readonly Cidr[]
}

let strangersInLine = Promise.resolve<unknown>(undefined)

/**
 * One stranger at a time waits for the next turn: however many they are, they take every second one. Those who have gone take none:
 * otherwise a flood of them would make the line longer and longer.
 */
function strangersTurn({ signal }: Request): Promise<unknown> {
  strangersInLine = strangersInLine.then(() => (signal.aborted ? undefined : nextTurn()))
  return strangersInLine
}

/** What the server knows about a request besides the request itself. */
export class RequestMeta extends Held {
  readonly request: Request
  readonly id: string
  readonly traceId: string | null
  /** The header, read once: each look at it takes time. */
  readonly authorization: string | null
  readonly started = performance.now()
  readonly #server: Server | null
  readonly #trusted: readonly Cidr[]
  #address: string | undefined
  /** When the body was complete, or its latest part arrived, if it did not arrive with the headers. */
  bodyArrivedAt: number | undefined = undefined
  /** How long the body was waited for; 0 when it arrived with the headers. */
  bodyWaitedMs = 0
  /** Whether its connection is closed after its answer. */
  isLast = false
  /** Set by a handler to clean up when its request is given up. */
  onGivenUp: (() => void) | undefined = undefined

  constructor(request: Request, { id, traceId, length, bounds, server, trusted }: Arrival) {
    super(bounds, length)
    this.request = request
    this.authorization = request.headers.get("authorization")
    this.id = id
    this.traceId = traceId
    this.#server = server
    this.#trusted = trusted
  }

  /** The address that it counts for: from X-Forwarded-For behind trusted proxies, else that of the connection. Asking takes time. */
  get address(): string {
    this.#address ??= clientAddress(
      this.#server?.requestIP(this.request)?.address ?? "unknown",
      this.request.headers.get("x-forwarded-for"),
      this.#trusted,
    )
    return this.#address
  }

  /** Tells connections apart. Asking takes time. */
  get peerPort(): number | null {
    return this.#server?.requestIP(this.request)?.port ?? null
  }

  /** How many requests of this port are not answered, or their answers not read. */
  get pendingRequests(): number {
    return this.#server?.pendingRequests ?? 0
  }

  get claim(): string | null {
    return this.authorization ?? this.request.headers.get("cookie")
  }

  /** Awaited before slow work: others are served first. */
  async turn(): Promise<void> {
    await (this.foundToBe === null ? strangersTurn(this.request) : nextTurn())
  }

  /** How long the runtime suffers a slow connection; 0 for ever. */
  idleSeconds(seconds: number): void {
    this.#server?.timeout(this.request, seconds)
  }
}

const most = Number.MAX_SAFE_INTEGER
const OUTSIDE: Arrival = {
  id: "none",
  traceId: null,
  length: Number.POSITIVE_INFINITY,
  bounds: new Bounds({
    all: most,
    strangers: most,
    slowStrangers: most,
    caller: most,
    request: 1,
    unread: 0,
    bodyMs: 0,
  }),
  server: null,
  trusted: [],
}

const META = Symbol("meta")

/** A property of the request: a WeakMap would take the garbage collector as long as all else that a request leaves behind. */
type WithMeta = Request & { [META]?: RequestMeta }

export function setMeta(request: WithMeta, meta: RequestMeta): void {
  request[META] = meta
}

/** Outside a server, a request may hold as much as it wants. */
export function metaOf(request: WithMeta): RequestMeta {
  const meta = request[META]
  if (meta !== undefined) return meta
  const outside = new RequestMeta(request, OUTSIDE)
  outside.enter()
  return outside
}
