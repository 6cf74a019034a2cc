import { Counter } from "./counter.ts"

/** In bytes that may be in memory at a time. */
export interface RoomLimits {
  readonly all: number
  /** For callers without a valid key or session, together: the rest is only for those who have one. */
  readonly strangers: number
  /** For one caller. */
  readonly caller: number
  /** What a request counts for besides its body. */
  readonly request: number
  /** What is in memory of a body that nobody reads. */
  readonly unread: number
  /** How long a body may take to arrive. */
  readonly bodyMs: number
  /** A body that has been arriving for so long gives way to others. */
  readonly slowMs: number
}

/** Who sent a request. Asked only when that matters, because it takes time. */
export interface Sender {
  readonly address: string
  /** The bytes of its body as announced; infinite where they are not. */
  readonly length: number
  /** Whether it brings a key or a session, valid or not. */
  readonly claimsToBeKnown: boolean
}

/** An address, a valid key or a session, with what it holds. */
class Caller {
  readonly name: string
  readonly isKnown: boolean
  readonly held = new Counter()
  /** The oldest first. */
  readonly arriving = new Set<Place>()

  constructor(name: string, isKnown: boolean) {
    this.name = name
    this.isKnown = isKnown
  }
}

/**
 * Room for requests and their bodies. It is taken before a body is received or read, and given back when the request is answered. A request counts
 * for its address, and for its key or session once that is known to be valid. Where room is short, the caller who holds most gives up
 * what has been arriving for longest.
 */
export class Room {
  readonly #limits: RoomLimits
  readonly bodyMs: number
  readonly #all = new Counter()
  readonly #strangers = new Counter()
  readonly #callers = new Map<string, Caller>()
  readonly #quiet: number

  constructor(limits: RoomLimits) {
    this.#limits = limits
    this.bodyMs = limits.bodyMs
    this.#quiet = Math.floor(limits.strangers / 4)
  }

  /** Whether so much is taken that it matters who takes it. */
  get isBusy(): boolean {
    return this.#all.total > this.#quiet
  }

  /** A place for a request; null where there is none. */
  enter(sender: Sender): Place | null {
    const body = Math.min(sender.length, this.#limits.unread)
    const place = new Place(this, sender, body)
    const bytes = this.#limits.request + body
    if (this.isBusy) {
      // A key or session is checked before anything is waited for: those with a wrong one do not stay.
      const caller = sender.claimsToBeKnown ? null : this.callerNamed(sender.address, false)
      if (!(caller === null ? this.#fitsAll(null, bytes) : this.hasRoom(caller, false, bytes))) return null
      place.caller = caller
    }
    this.add(place, bytes)
    return place
  }

  callerNamed(name: string, isKnown: boolean): Caller {
    return this.#callers.get(name) ?? new Caller(name, isKnown)
  }

  /** Whether so much more fits. */
  hasRoom(caller: Caller | null, isKnown: boolean, bytes: number): boolean {
    if (caller !== null && !this.fitsOwn(caller, bytes)) return false
    return (isKnown || this.#fitsStrangers(caller, bytes)) && this.#fitsAll(caller, bytes)
  }

  fitsOwn(caller: Caller, bytes: number): boolean {
    return this.#makeRoom(caller.held, this.#limits.caller, caller, bytes, () => [caller])
  }

  #fitsStrangers(caller: Caller | null, bytes: number): boolean {
    const strangers = () => this.#callers.values().filter(({ isKnown }) => !isKnown)
    return this.#makeRoom(this.#strangers, this.#limits.strangers, caller, bytes, strangers)
  }

  #fitsAll(caller: Caller | null, bytes: number): boolean {
    return this.#makeRoom(this.#all, this.#limits.all, caller, bytes, () => this.#callers.values())
  }

  /** Whether so much more fits below a bound, if need be after others gave up bodies that are still arriving. */
  #makeRoom(
    held: Counter,
    most: number,
    caller: Caller | null,
    bytes: number,
    candidates: () => Iterable<Caller>,
  ): boolean {
    while (held.total + bytes > most) {
      const heaviest = heaviestOf(candidates())
      const [oldest] = heaviest?.arriving ?? []
      if (heaviest === undefined || oldest === undefined) return false
      const isHeavier = heaviest.held.total > (caller?.held.total ?? 0) + bytes
      if (!isHeavier && performance.now() - oldest.arrivingSince < this.#limits.slowMs) return false
      oldest.giveUp()
    }
    return true
  }

  /** Counts what a place holds, or no longer holds. */
  add(place: Place, bytes: number): void {
    place.bytes += bytes
    this.#all.add(bytes)
    if (!place.isKnown) this.#strangers.add(bytes)
    if (place.caller !== null) this.#count(place.caller, bytes)
  }

  /** Counts a place for somebody else; null while it does not matter for whom. */
  move(place: Place, caller: Caller | null, isKnown: boolean): void {
    if (place.caller !== null) this.#count(place.caller, -place.bytes)
    if (isKnown !== place.isKnown) this.#strangers.add(isKnown ? -place.bytes : place.bytes)
    place.caller = caller
    place.isKnown = isKnown
    if (caller !== null) this.#count(caller, place.bytes)
  }

  #count(caller: Caller, bytes: number): void {
    caller.held.add(bytes)
    if (caller.held.total === 0) this.#callers.delete(caller.name)
    else this.#callers.set(caller.name, caller)
  }
}

/** The one who holds most, of those with a body that is still arriving. */
function heaviestOf(callers: Iterable<Caller>): Caller | undefined {
  let heaviest: Caller | undefined
  for (const caller of callers) {
    if (caller.arriving.size > 0 && caller.held.total > (heaviest?.held.total ?? 0)) heaviest = caller
  }
  return heaviest
}

/** What one request holds. */
export class Place {
  readonly #room: Room
  readonly #sender: Sender
  #isLeft = false
  #body: number
  /** The key or session that was found valid. */
  #name: string | null = null
  #onGivenUp: (() => void) | null = null
  isKnown = false
  /** Null as long as it does not matter for whom it counts. */
  caller: Caller | null = null
  bytes = 0
  arrivingSince = 0
  /** By when the body, or more of it, has to have arrived; null while nobody waits for it. */
  arriveBy: number | null = null

  constructor(room: Room, sender: Sender, body = 0) {
    this.#room = room
    this.#sender = sender
    this.#body = body
  }

  /** How long a body may take to arrive. */
  get bodyMs(): number {
    return this.#room.bodyMs
  }

  get isRoomBusy(): boolean {
    return this.#room.isBusy
  }

  /** From now on the request counts for a valid key or session. False where that holds too much already. */
  countFor(name: string): boolean {
    this.#name = name
    if (this.caller !== null || this.#room.isBusy) return this.#join()
    this.#room.move(this, null, true)
    return true
  }

  /** Takes room for so much of the body in all. False where there is none. */
  take(bytes: number): boolean {
    const more = Math.max(0, bytes - this.#body)
    if (this.#isLeft || !this.#room.hasRoom(this.caller, this.isKnown, more)) return false
    this.#body += more
    this.#room.add(this, more)
    return true
  }

  /** Begins to wait for the body, which may be given up to make room. False where the caller holds too much already. */
  waits(onGivenUp: () => void): boolean {
    if (this.caller === null && !this.#join()) return false
    this.#onGivenUp = onGivenUp
    this.arrivingSince = performance.now()
    this.arriveBy = this.arrivingSince + this.bodyMs
    this.caller?.arriving.add(this)
    return true
  }

  /** The body is complete, or no longer waited for. */
  arrived(): void {
    this.#onGivenUp = null
    this.arriveBy = null
    this.caller?.arriving.delete(this)
  }

  /** Ends waiting for the body. Its room is free at once. */
  giveUp(): void {
    const tell = this.#onGivenUp
    this.leave()
    tell?.()
  }

  /** Gives everything back; a second time there is nothing to give. */
  leave(): void {
    if (this.#isLeft) return
    this.arrived()
    this.#room.add(this, -this.bytes)
    this.#isLeft = true
  }

  #join(): boolean {
    const isKnown = this.#name !== null
    const caller = this.#room.callerNamed(this.#name ?? this.#sender.address, isKnown)
    if (this.#isLeft || !this.#room.fitsOwn(caller, this.bytes)) return false
    this.#room.move(this, caller, isKnown)
    return true
  }
}
