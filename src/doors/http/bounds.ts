import * as limits from "../../domain/limits.ts"

/** In bytes that may be in memory at a time. A request in flight counts for `request` of them, so that there is a bound of those, too. */
export interface BoundLimits {
  readonly all: number
  /** For callers without a valid key or session, together: the rest is only for those who have one. */
  readonly strangers: number
  /** For one caller. */
  readonly caller: number
  readonly request: number
  /** What is in memory of a body that nobody reads. */
  readonly unread: number
  /** How long a body may take to arrive. */
  readonly bodyMs: number
  /** What has been waited for so long gives way to others. */
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

/** A key or session that was found valid, or an address. */
type Caller = Readonly<{ name: string; isKnown: boolean; held: Counter }>

// Many more than an installation has at a time.
const KNOWN_MAX = 10_000

/** What requests, their bodies and their unread answers hold. All listeners of a server share it. */
export class Bounds {
  readonly limits: BoundLimits
  readonly #least: number
  readonly #all = new Counter()
  readonly #strangers = new Counter()
  readonly #callers = new Map<string, Caller>()
  /** What gives way to others, the oldest first: bodies that are still arriving, and answers that are not read. */
  readonly waiting = new Set<Held>()
  /** Those whom nobody has asked who they are, because there is room for many. */
  readonly unasked: Caller = { name: "", isKnown: false, held: new Counter() }
  /** The keys and sessions that were found valid, by what they bring, of which only a hash is kept. */
  readonly #found = new Map<number | bigint, string>()

  constructor(limits: BoundLimits) {
    this.limits = limits
    this.#least = Math.min(limits.all, limits.strangers, limits.caller)
  }

  /** Whether so much is held that it matters by whom. */
  get isBusy(): boolean {
    return this.#all.total > this.limits.strangers / 4
  }

  foundBefore(claim: string | null): string | null {
    return (claim !== null && this.#found.get(Bun.hash(claim))) || null
  }

  /** Whom a claim was found to be; null: nobody. */
  remember(claim: string, name: string | null): void {
    const hash = Bun.hash(claim)
    if (name === null) this.#found.delete(hash)
    else this.#found.set(hash, name)
    const oldest = this.#found.size > KNOWN_MAX ? this.#found.keys().next().value : undefined
    if (oldest !== undefined) this.#found.delete(oldest)
  }

  caller(whom: string, isKnown: boolean): Caller {
    const name = `${isKnown ? "known" : "stranger"} ${whom}`
    return this.#callers.get(name) ?? { name, isKnown, held: new Counter() }
  }

  /** Whether so much more of a caller fits, if need be after others gave way. */
  fits(caller: Caller, bytes: number): boolean {
    const { all, strangers, caller: own } = this.limits
    // Mostly nobody has to be asked.
    if (this.#all.total + bytes <= this.#least) return true
    return (
      this.#makeRoom(caller.held, own, caller, bytes, (other) => other === caller) &&
      (caller.isKnown || this.#makeRoom(this.#strangers, strangers, caller, bytes, (other) => !other.isKnown)) &&
      this.#makeRoom(this.#all, all, caller, bytes, () => true)
    )
  }

  /** The oldest gives way that is slow, or whose caller holds more than the one who comes. */
  #makeRoom(held: Counter, most: number, caller: Caller, bytes: number, helps: (other: Caller) => boolean): boolean {
    const slowSince = performance.now() - this.limits.slowMs
    for (const other of this.waiting) {
      if (held.total + bytes <= most) return true
      const isHeavier = other.caller.held.total > caller.held.total + bytes
      if (helps(other.caller) && (isHeavier || other.waitingSince <= slowSince)) other.giveWay()
    }
    return held.total + bytes <= most
  }

  add(caller: Caller, bytes: number): void {
    this.#all.add(bytes)
    if (!caller.isKnown) this.#strangers.add(bytes)
    caller.held.add(bytes)
    if (caller === this.unasked) return
    if (caller.held.total === 0) this.#callers.delete(caller.name)
    else this.#callers.set(caller.name, caller)
  }
}

/** What one request holds: from `enter` until it is answered, and for its answer until that is read. */
export abstract class Held {
  /** Who sent it. Asked only when that matters, because it takes time. */
  abstract readonly address: string
  /** The key or session that it brings, which nobody has checked yet; null without one. */
  abstract readonly claim: string | null
  /** The bytes of its body as announced: 0 without a body, infinite where they are not announced. */
  readonly length: number
  readonly #bounds: Bounds
  #bytes = 0
  #body = 0
  caller: Caller
  /** The key or session that was found valid. */
  foundToBe: string | null = null
  waitingSince = 0
  /** By when more has to have arrived, or to have been read; null while nobody waits for the caller. */
  waitsUntil: number | null = null
  #onGivenUp: () => void = () => undefined

  constructor(bounds: Bounds, length: number) {
    this.#bounds = bounds
    this.length = length
    this.caller = bounds.unasked
  }

  get bodyMs(): number {
    return this.#bounds.limits.bodyMs
  }

  get isBusy(): boolean {
    return this.#bounds.isBusy
  }

  /** False where there is no room for it. */
  enter(): boolean {
    const { request, unread } = this.#bounds.limits
    if (this.#bounds.isBusy) {
      const { claim } = this
      this.foundToBe = this.#bounds.foundBefore(claim)
      // Among strangers, but apart from its address: behind a proxy that is not trusted all have the same.
      this.caller = this.#bounds.caller(this.foundToBe ?? claim ?? this.address, this.foundToBe !== null)
    }
    this.#body = Math.min(this.length, unread)
    return this.#hold(request + this.#body)
  }

  /** From now on it counts for a valid key or session. False where that holds too much already. */
  countFor(name: string): boolean {
    this.found(name)
    return this.caller === this.#bounds.unasked || this.#countForCaller()
  }

  /** Whose key or session it brought; null: nobody's. */
  found(name: string | null): void {
    this.foundToBe = name
    const { claim } = this
    if (claim !== null) this.#bounds.remember(claim, name)
  }

  /** Takes room for so much of the body in all. False where there is none. */
  take(bytes: number): boolean {
    const more = Math.max(0, bytes - this.#body)
    if (more === 0) return this.#bytes > 0
    this.#body += more
    return this.#countForCaller() && this.#hold(more)
  }

  /** Takes room for an answer until it is read. False where there is none. */
  holdAnswer(bytes: number): boolean {
    this.leave()
    this.caller = this.#whose()
    return this.#hold(bytes)
  }

  /** Begins to wait for the caller, and gives way to others meanwhile. False where the caller holds too much already. */
  waits(onGivenUp: () => void): boolean {
    if (!this.#countForCaller()) return false
    this.#onGivenUp = onGivenUp
    this.waitingSince = performance.now()
    this.waitsUntil = this.waitingSince + this.bodyMs
    this.#bounds.waiting.add(this)
    return true
  }

  waitsNoMore(): void {
    if (this.waitingSince === 0) return
    this.waitingSince = 0
    this.waitsUntil = null
    this.#bounds.waiting.delete(this)
  }

  /** What it holds is free at once. */
  giveWay(): void {
    this.leave()
    this.#onGivenUp()
  }

  /** Gives everything back; a second time there is nothing to give. */
  leave(): void {
    this.waitsNoMore()
    this.#bounds.add(this.caller, -this.#bytes)
    this.#bytes = 0
  }

  #hold(bytes: number): boolean {
    if (!this.#bounds.fits(this.caller, bytes)) return false
    this.#bounds.add(this.caller, bytes)
    this.#bytes += bytes
    return true
  }

  #whose(): Caller {
    return this.#bounds.caller(this.foundToBe ?? this.address, this.foundToBe !== null)
  }

  /** Counts for who it is found to be. False where that holds too much already, or it has left. */
  #countForCaller(): boolean {
    const caller = this.#whose()
    if (caller === this.caller || this.#bytes === 0) return this.#bytes > 0
    this.#bounds.add(this.caller, -this.#bytes)
    const isFitting = this.#bounds.fits(caller, this.#bytes)
    this.caller = caller
    this.#bounds.add(caller, this.#bytes)
    return isFitting
  }
}

/** The bounds of a server. They grow with the largest body, so that everybody can send one. */
export function boundsFor(bodyBytesMax: number): Bounds {
  const { HELD_BYTES_MAX: most } = limits
  const request = most / limits.REQUESTS_AT_A_TIME_MAX
  const caller = Math.max(most * limits.HELD_PART_PER_CALLER, request + bodyBytesMax)
  const strangers = Math.max(most * limits.HELD_PART_FOR_STRANGERS, caller)
  return new Bounds({
    all: Math.max(most, strangers + caller),
    strangers,
    caller,
    request,
    unread: limits.UNREAD_BYTES_MAX,
    bodyMs: limits.BODY_SECONDS_MAX * 1_000,
    slowMs: limits.SLOW_BODY_SECONDS * 1_000,
  })
}
