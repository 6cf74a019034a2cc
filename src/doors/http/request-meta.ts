import { type Cidr, clientAddress } from "../../domain/callers/client-address.ts"
import { nextTurn } from "../../next-turn.ts"
import type { Server } from "./reserved-port.ts"
import { Place, Room } from "./room.ts"

export interface Arrival extends Pick<RequestMeta, "id" | "length" | "traceId"> {
  readonly room: Room
  /** Null outside a server. */
  readonly server: Server | null
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trusted: readonly Cidr[]
}

let strangersInLine = Promise.resolve<unknown>(undefined)

/** One stranger at a time waits for the next turn: however many they are, they take every second one. */
function strangersTurn(): Promise<unknown> {
  strangersInLine = strangersInLine.then(nextTurn)
  return strangersInLine
}

/** When a request is answered; "last" closes its connection. */
export type When = "now" | "later" | "last"

/** What the server knows about a request besides the request itself. */
export class RequestMeta extends Place {
  readonly request: Request
  readonly id: string
  readonly traceId: string | null
  readonly started = performance.now()
  readonly #server: Server | null
  readonly #trusted: readonly Cidr[]
  #address: string | undefined
  #peer: { readonly address: string; readonly port: number } | null | undefined
  /** When the body was complete, or its latest part arrived, if it did not arrive with the headers. */
  bodyArrivedAt: number | undefined = undefined
  /** How long the body was waited for; 0 when it arrived with the headers. */
  bodyWaitedMs = 0
  /** Of its answer, where that is large. */
  answerBytes = 0
  /** When it is answered. */
  when: When = "now"
  /** Set by a handler to clean up when its request is given up. */
  onGivenUp: (() => void) | undefined = undefined

  constructor(request: Request, { id, traceId, length, room, server, trusted }: Arrival) {
    super(room, length)
    this.request = request
    this.id = id
    this.traceId = traceId
    this.#server = server
    this.#trusted = trusted
  }

  /** The address that it counts for: from X-Forwarded-For behind trusted proxies, else that of the connection. Asking takes time. */
  get address(): string {
    this.#address ??= clientAddress(
      this.#connectedFrom?.address ?? "unknown",
      this.request.headers.get("x-forwarded-for"),
      this.#trusted,
    )
    return this.#address
  }

  get claim(): string | null {
    const { headers } = this.request
    return headers.get("authorization") ?? headers.get("cookie")
  }

  /** Names the connection that it came on. Asking takes time. */
  get connection(): string {
    const { address, port } = this.#connectedFrom ?? {}
    return `${address} ${port}`
  }

  get #connectedFrom() {
    this.#peer ??= this.#server?.requestIP(this.request)
    return this.#peer
  }

  /** How many requests of this port are not answered, or their answers not read. */
  get pendingRequests(): number {
    return this.#server?.pendingRequests ?? 0
  }

  /** Awaited before slow work: others are served first. */
  async turn(): Promise<void> {
    await (this.foundToBe === null ? strangersTurn() : nextTurn())
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
  room: new Room({ all: most, strangers: most, caller: most, request: 0, unread: 0, bodyMs: 0, slowMs: 0 }),
  server: null,
  trusted: [],
}

const META = Symbol("meta")

/** A property of the request: a WeakMap would take the garbage collector as long as all else that a request leaves behind. */
type WithMeta = Request & { [META]?: RequestMeta }

/** Lets a request in. False where there is no room for it. */
export function setMeta(request: WithMeta, meta: RequestMeta): boolean {
  request[META] = meta
  return meta.enter()
}

/** Outside a server, a request has all the room there is. */
export function metaOf(request: WithMeta): RequestMeta {
  const meta = request[META]
  if (meta !== undefined) return meta
  const outside = new RequestMeta(request, OUTSIDE)
  outside.enter()
  return outside
}
