import { type Cidr, clientAddress } from "../../domain/callers/client-address.ts"
import type { Server } from "./reserved-port.ts"
import { type Place, Room, type Sender } from "./room.ts"

export interface Arrival extends Pick<RequestMeta, "id" | "length" | "traceId" | "started"> {
  readonly room: Room
  /** Null outside a server. */
  readonly server: Server | null
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trusted: readonly Cidr[]
}

/** What the server knows about a request besides the request itself. */
export class RequestMeta implements Sender {
  readonly id: string
  readonly traceId: string | null
  /** When it arrived. */
  readonly started: number
  /** The bytes of its body as announced: 0 without a body, infinite where they are not announced. */
  readonly length: number
  /** Whether there was room for it. */
  readonly isAdmitted: boolean
  readonly place: Place
  readonly #request: Request
  readonly #server: Server | null
  readonly #trusted: readonly Cidr[]
  #address: string | undefined
  /** When the body was complete, or its latest part arrived, if it did not arrive with the headers. */
  bodyArrivedAt: number | undefined
  /** Set by a handler to clean up when its request is given up. */
  onGivenUp: (() => void) | undefined

  constructor(request: Request, { id, traceId, started, length, room, server, trusted }: Arrival) {
    this.id = id
    this.traceId = traceId
    this.started = started
    this.length = length
    this.#request = request
    this.#server = server
    this.#trusted = trusted
    const place = room.enter(this)
    this.isAdmitted = place !== null
    this.place = place ?? boundless(this)
  }

  /** The address that it counts for: from X-Forwarded-For behind trusted proxies, else that of the connection. Asking takes time. */
  get address(): string {
    this.#address ??= clientAddress(
      this.#server?.requestIP(this.#request)?.address ?? "unknown",
      this.#request.headers.get("x-forwarded-for"),
      this.#trusted,
    )
    return this.#address
  }

  get claim(): string | null {
    const { headers } = this.#request
    return headers.get("authorization") ?? headers.get("cookie")
  }

  /** How long the runtime suffers a slow connection; 0 for ever. */
  idleSeconds(seconds: number): void {
    this.#server?.timeout(this.#request, seconds)
  }
}

const BOUNDLESS = new Room({
  all: Number.MAX_SAFE_INTEGER,
  strangers: Number.MAX_SAFE_INTEGER,
  caller: Number.MAX_SAFE_INTEGER,
  request: 0,
  unread: 0,
  bodyMs: 0,
  slowMs: 0,
})

function boundless(sender: Sender): Place {
  const place = BOUNDLESS.enter(sender)
  if (place === null) throw new Error("there is always room")
  return place
}

const OUTSIDE: Arrival = {
  id: "none",
  traceId: null,
  started: 0,
  length: Number.POSITIVE_INFINITY,
  room: BOUNDLESS,
  server: null,
  trusted: [],
}

const metas = new WeakMap<Request, RequestMeta>()

export function setMeta(request: Request, meta: RequestMeta): void {
  metas.set(request, meta)
}

/** Outside a server, a request has all the room there is. */
export function metaOf(request: Request): RequestMeta {
  return metas.get(request) ?? new RequestMeta(request, OUTSIDE)
}
