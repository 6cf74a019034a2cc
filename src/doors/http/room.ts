import * as limits from "../../domain/limits.ts"

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

/**
 * How much is taken of something that is bounded. It is never NaN, infinite or negative: nothing compares with NaN, so that one wrong
 * amount would switch the bound off for good.
 */
export class Counter {
  #total = 0

  get total(): number {
    return this.#total
  }

  add(amount: number): void {
    const total = this.#total + amount
    if (!Number.isSafeInteger(total) || total < 0) throw new RangeError(`${amount} cannot be added to ${this.#total}`)
    this.#total = total
  }
}

/** An address, a key or a session, with what it holds. */
class Caller {
  /** Empty for all those together whom nobody has asked for. */
  readonly name: string
  readonly isKnown: boolean
  readonly held = new Counter()
  /** What can be given up, the oldest first. */
  readonly arriving = new Set<Place>()

  constructor(name: string, isKnown: boolean) {
    this.name = name
    this.isKnown = isKnown
  }
}

// Many more than an installation has at a time.
const KNOWN_MAX = 10_000

/**
 * Room for requests and their bodies. It is taken before a body is received or read, and given back when the request is answered. A request
 * counts for its key or session if that was found valid, now or the last time; else for what it claims to be or for its address, among
 * strangers. So does an answer that its caller does not read. Where room is short, the caller who holds most gives up what has been under
 * way for longest.
 */
export class Room {
  readonly #limits: RoomLimits
  readonly #all = new Counter()
  readonly #strangers = new Counter()
  readonly #callers = new Map<string, Caller>()
  readonly #unnamed = new Caller("", false)
  /** The keys and sessions that were found valid, by what they bring, of which only a hash is kept. */
  readonly #known = new Map<number | bigint, string>()
  /** The addresses that brought wrong keys. */
  readonly #distrusted = new Set<string>()

  constructor(limits: RoomLimits) {
    this.#limits = limits
  }

  get bodyMs(): number {
    return this.#limits.bodyMs
  }

  /** Whether so much is taken that it matters who takes it. */
  get isBusy(): boolean {
    return this.#all.total > this.#limits.strangers / 4
  }

  get unnamed(): Caller {
    return this.#unnamed
  }

  /** Lets a request in. False where there is no room for it. */
  admit(place: Place): boolean {
    const body = Math.min(place.length, this.#limits.unread)
    const bytes = this.#limits.request + body
    if (this.isBusy) {
      const { claim } = place
      place.foundToBe = (claim !== null && this.#known.get(Bun.hash(claim))) || null
      place.caller = this.callerNamed(place.foundToBe ?? claim ?? place.address, place.foundToBe !== null)
      if (!this.fits(place.caller, bytes)) return false
      if (body > 0) place.mayGiveUp()
    }
    place.body = body
    this.add(place, bytes)
    return true
  }

  /** Whom a claim was found to be; null: nobody. */
  remember(claim: string, name: string | null): void {
    const hash = Bun.hash(claim)
    if (name === null) this.#known.delete(hash)
    else this.#known.set(hash, name)
    const oldest = this.#known.size > KNOWN_MAX ? this.#known.keys().next().value : undefined
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  distrust(address: string): void {
    const [oldest] = this.#distrusted
    if (oldest !== undefined && this.#distrusted.size >= KNOWN_MAX) this.#distrusted.delete(oldest)
    this.#distrusted.add(address)
  }

  trusts({ claim, address }: Place): boolean {
    return (claim !== null && this.#known.has(Bun.hash(claim))) || !this.#distrusted.has(address)
  }

  callerNamed(name: string, isKnown: boolean): Caller {
    // A stranger may claim to be whom another was found to be.
    const key = isKnown ? name : `? ${name}`
    return this.#callers.get(key) ?? new Caller(key, isKnown)
  }

  /** Whether so much more of a caller fits, if need be after others gave up what is still arriving. */
  fits(caller: Caller, bytes: number): boolean {
    const { all, strangers, caller: own } = this.#limits
    const callers = () => this.#callers.values()
    return (
      this.#makeRoom(caller.held, own, caller, bytes, () => [caller]) &&
      (caller.isKnown ||
        this.#makeRoom(this.#strangers, strangers, caller, bytes, () => callers().filter(({ isKnown }) => !isKnown))) &&
      this.#makeRoom(this.#all, all, caller, bytes, callers)
    )
  }

  #makeRoom(held: Counter, most: number, caller: Caller, bytes: number, callers: () => Iterable<Caller>): boolean {
    while (held.total + bytes > most) {
      const heaviest = heaviestOf(callers())
      const [oldest] = heaviest?.arriving ?? []
      if (heaviest === undefined || oldest === undefined) return false
      const isHeavier = heaviest.held.total > caller.held.total + bytes
      if (!isHeavier && performance.now() - oldest.arrivingSince < this.#limits.slowMs) return false
      oldest.giveUp()
    }
    return true
  }

  /** Counts what a place holds, or no longer holds. */
  add(place: Place, bytes: number): void {
    const { caller } = place
    place.bytes += bytes
    this.#all.add(bytes)
    if (!caller.isKnown) this.#strangers.add(bytes)
    caller.held.add(bytes)
    if (caller === this.#unnamed) return
    if (caller.held.total === 0) this.#callers.delete(caller.name)
    else this.#callers.set(caller.name, caller)
  }

  /** Counts a place for somebody else. False where that holds too much already. */
  move(place: Place, name: string, isKnown: boolean): boolean {
    const caller = this.callerNamed(name, isKnown)
    if (caller === place.caller) return true
    const { bytes } = place
    this.add(place, -bytes)
    const isFitting = this.fits(caller, bytes)
    place.caller = caller
    this.add(place, bytes)
    return isFitting
  }
}

/** The one who holds most, of those with something that is still arriving. */
function heaviestOf(callers: Iterable<Caller>): Caller | undefined {
  let heaviest: Caller | undefined
  for (const caller of callers) {
    if (caller.arriving.size > 0 && caller.held.total > (heaviest?.held.total ?? 0)) heaviest = caller
  }
  return heaviest
}

/** What one request holds. Its body arrives unread at first: from `take` to `waits` and after `arrived` it cannot be given up. */
export abstract class Place {
  /** Who sent it. Asked only when that matters, because it takes time. */
  abstract readonly address: string
  /** The key or session that it brings, which nobody has checked yet; null without one. */
  abstract readonly claim: string | null
  /** The bytes of its body as announced: 0 without a body, infinite where they are not announced. */
  readonly length: number
  readonly #room: Room
  #isLeft = true
  /** The key or session that was found valid. */
  foundToBe: string | null = null
  caller: Caller
  bytes = 0
  body = 0
  /** 0: it is not arriving. */
  arrivingSince = 0
  /** By when the body, or more of it, has to have arrived; null while nobody waits for it. */
  arriveBy: number | null = null
  /** Called when others need its room. */
  onDropped: ((dropped: this) => void) | null = null

  constructor(room: Room, length: number) {
    this.#room = room
    this.length = length
    this.caller = room.unnamed
  }

  /** False where there is no room for it. */
  enter(): boolean {
    this.#isLeft = !this.#room.admit(this)
    return !this.#isLeft
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
    this.found(name)
    return this.caller.name === "" || this.#countsForCaller()
  }

  /** Whose key or session it brought; null: nobody's. */
  found(name: string | null): void {
    this.foundToBe = name
    const { claim } = this
    if (claim !== null) this.#room.remember(claim, name)
  }

  /** Its key is nobody's. */
  foundWrong(): void {
    this.found(null)
    this.#room.distrust(this.address)
  }

  /** Whether its key was found valid the last time, or none from its address was found wrong. */
  get isTrusted(): boolean {
    return this.#room.trusts(this)
  }

  /** Takes room for so much of the body in all. False where there is none. */
  take(bytes: number): boolean {
    this.arrived()
    const more = Math.max(0, bytes - this.body)
    if (more === 0) return !this.#isLeft
    if (!this.#countsForCaller() || !this.#room.fits(this.caller, more)) return false
    this.body += more
    this.#room.add(this, more)
    return true
  }

  /** Begins to wait for the body. False where the caller holds too much already. */
  waits(onDropped: () => void): boolean {
    if (!this.#countsForCaller()) return false
    this.onDropped = onDropped
    this.mayGiveUp()
    this.arriveBy = this.arrivingSince + this.bodyMs
    return true
  }

  /** From now on it gives way to others. */
  mayGiveUp(): void {
    this.arrivingSince = performance.now()
    this.caller.arriving.add(this)
  }

  /** The body is complete, or no longer waited for. */
  arrived(): void {
    this.arriveBy = null
    if (this.arrivingSince === 0) return
    this.arrivingSince = 0
    this.caller.arriving.delete(this)
  }

  /** Ends waiting for the body. Its room is free at once. */
  giveUp(): void {
    this.leave()
    this.onDropped?.(this)
  }

  /** Takes room, after it was given back, for an answer that waits to be read. False where there is none. */
  holdAnswer(bytes: number, onDropped: () => void): boolean {
    this.leave()
    this.#isLeft = false
    if (!this.#countsForCaller() || !this.#room.fits(this.caller, bytes)) {
      this.#isLeft = true
      return false
    }
    this.#room.add(this, bytes)
    this.onDropped = onDropped
    this.mayGiveUp()
    return true
  }

  /** Gives everything back; a second time there is nothing to give. */
  leave(): void {
    if (this.#isLeft) return
    this.arrived()
    this.#room.add(this, -this.bytes)
    this.#isLeft = true
  }

  /** Counts for who it is found to be, whatever it claims. */
  #countsForCaller(): boolean {
    if (this.#isLeft) return false
    const wasArriving = this.caller.arriving.delete(this)
    const isFitting = this.#room.move(this, this.foundToBe ?? this.address, this.foundToBe !== null)
    if (wasArriving) this.caller.arriving.add(this)
    return isFitting
  }
}

/** The room of a server. It grows with the largest body, so that everybody can send one. */
export function roomFor(bodyBytesMax: number): Room {
  const { ROOM_BYTES: all } = limits
  const request = all / limits.REQUESTS_AT_A_TIME_MAX
  const caller = Math.max(all * limits.ROOM_PART_PER_CALLER, request + bodyBytesMax)
  const strangers = Math.max(all * limits.ROOM_PART_FOR_STRANGERS, caller)
  return new Room({
    all: Math.max(all, strangers + caller),
    strangers,
    caller,
    request,
    unread: limits.UNREAD_BYTES_MAX,
    bodyMs: limits.BODY_SECONDS_MAX * 1_000,
    slowMs: limits.SLOW_BODY_SECONDS * 1_000,
  })
}
