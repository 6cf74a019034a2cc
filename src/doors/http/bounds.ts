// Promise: requests, bodies and unread answers take bounded memory, and strangers leave room for those who have a key or session.
// Held by test/trust/bounds.test.ts, torture/parts/unfinished.ts and torture/parts/unread.ts.
import * as limits from "../../domain/limits.ts"

/**
 * In bytes that may be in memory at a time. A request in flight counts for `request` of them besides its body, so that there is a bound of
 * those, too.
 */
export interface BoundLimits {
  readonly all: number
  /** For callers without a valid key or session, together: the rest is only for those who have one. */
  readonly strangers: number
  /** Of that, for bodies that do not arrive and answers that are not read: the others find room beside them. */
  readonly slowStrangers: number
  /** For one key or session. */
  readonly caller: number
  readonly request: number
  /** What is in memory of a body that nobody reads. */
  readonly unread: number
  /** How long a body may take to arrive, or a part of an answer to be read. */
  readonly bodyMs: number
}

/**
 * How much is held of something, and how much may be. It is never NaN, infinite or negative: nothing compares with NaN, so that one wrong
 * amount would switch the bound off for good.
 */
export class Bound {
  readonly most: number
  #held = 0

  constructor(most: number) {
    this.most = most
  }

  get held(): number {
    return this.#held
  }

  fits(bytes: number): boolean {
    return this.#held + bytes <= this.most
  }

  add(bytes: number): void {
    const held = this.#held + bytes
    if (!Number.isSafeInteger(held) || held < 0) throw new RangeError(`${bytes} cannot be added to ${this.#held}`)
    this.#held = held
  }
}

/** The share of a caller, which is remembered while something is held of it. */
class CallerBound extends Bound {
  readonly #name: string
  readonly #callers: Map<string, Bound>

  constructor(most: number, name: string, callers: Map<string, Bound>) {
    super(most)
    this.#name = name
    this.#callers = callers
  }

  override add(bytes: number): void {
    super.add(bytes)
    if (this.held === 0) this.#callers.delete(this.#name)
    else if (this.held === bytes) this.#callers.set(this.#name, this)
  }
}

type CountedIn = readonly Bound[]

/** Why a caller is waited for no more: it was too slow, or too many are. */
export type WaitedEnough = "late" | "crowded"

/** What requests, their bodies and their unread answers hold. All listeners of a server share it. */
export class Bounds {
  readonly limits: BoundLimits
  readonly #all: Bound
  readonly strangers: CountedIn
  readonly slowStrangers: CountedIn
  readonly #claims = new Map<string, Bound>()
  readonly #callers = new Map<string, Bound>()
  /** Bodies that are still arriving, and answers that are still read. */
  readonly waiting = new Set<Held>()

  constructor(limits: BoundLimits) {
    this.limits = limits
    this.#all = new Bound(limits.all)
    this.strangers = [this.#all, new Bound(limits.strangers)]
    this.slowStrangers = [...this.strangers, new Bound(limits.slowStrangers)]
  }

  /** Whether so much is held that a key is worth checking before a short body has arrived. */
  get isBusy(): boolean {
    return this.#all.held > this.limits.slowStrangers / 2
  }

  /** For what is brought as a key or session, right or wrong: checking it takes a moment. */
  ofClaim(claim: string): CountedIn {
    return [this.#all, this.#shareOf(claim, this.#claims)]
  }

  /** For the key or session that it was found to be, which can be written in many ways. */
  ofCaller(name: string, claim: string | null = null): CountedIn {
    const share = this.#shareOf(name, this.#callers)
    return claim === null ? [this.#all, share] : [...this.ofClaim(claim), share]
  }

  #shareOf(name: string, callers: Map<string, Bound>): Bound {
    return callers.get(name) ?? new CallerBound(this.limits.caller, name, callers)
  }
}

/** What one request holds: from `enter` until it is answered, and for its answer until that is read. */
export abstract class Held {
  /** The key or session that it brings, which nobody has checked yet; null without one. */
  abstract readonly claim: string | null
  /** The bytes of its body as announced: 0 without a body, infinite where they are not announced. */
  readonly length: number
  readonly #bounds: Bounds
  #countedIn: CountedIn
  #bytes = 0
  #body = 0
  /** The key or session that was found valid; null for a stranger. */
  foundToBe: string | null = null
  /** By when more has to have arrived, or to have been read; null while nobody waits for the caller. */
  waitsUntil: number | null = null
  #onGivenUp: (why: WaitedEnough) => void = () => undefined

  constructor(bounds: Bounds, length: number) {
    this.#bounds = bounds
    this.length = length
    this.#countedIn = bounds.strangers
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
    this.#body = Math.min(this.length, unread)
    if (this.claim !== null) this.#countedIn = this.#bounds.ofClaim(this.claim)
    return this.#hold(request + this.#body)
  }

  /** From now on it counts for a valid key or session; with null, for strangers. False where these hold too much already, or it has left. */
  countFor(name: string | null): boolean {
    if (this.#bytes === 0) return false
    this.foundToBe = name
    return this.#countIn(name === null ? this.#bounds.strangers : this.#bounds.ofCaller(name, this.claim))
  }

  /** Takes room for so much of the body in all. False where there is none. */
  take(bytes: number): boolean {
    const more = Math.max(0, bytes - this.#body)
    if (this.#bytes === 0 || !this.#hold(more)) return false
    this.#body += more
    return true
  }

  /** Takes room for an answer until it is read. False where there is none. */
  holdAnswer(bytes: number): boolean {
    this.leave()
    const { slowStrangers } = this.#bounds
    this.#countedIn = this.foundToBe === null ? slowStrangers : this.#bounds.ofCaller(this.foundToBe)
    return this.#hold(bytes)
  }

  /** Begins to wait for the caller, for as long as a body may take. */
  waits(onGivenUp: (why: WaitedEnough) => void): void {
    this.#onGivenUp = onGivenUp
    this.waitsUntil = performance.now() + this.bodyMs
    this.#bounds.waiting.add(this)
  }

  /** Called now and then while it is waited for: a stranger whose body was not sent at once is a slow one. */
  look(now: number): void {
    if (this.waitsUntil === null) return
    if (now >= this.waitsUntil) this.#giveUp("late")
    else if (this.foundToBe === null && !this.#countIn(this.#bounds.slowStrangers)) this.#giveUp("crowded")
  }

  waitsNoMore(): void {
    this.waitsUntil = null
    if (this.#bounds.waiting.delete(this) && this.foundToBe === null) this.#countIn(this.#bounds.strangers)
  }

  /** Gives everything back; a second time there is nothing to give. */
  leave(): void {
    this.waitsNoMore()
    this.#add(-this.#bytes)
  }

  /** What it holds is free at once. */
  #giveUp(why: WaitedEnough): void {
    this.leave()
    this.#onGivenUp(why)
  }

  #hold(bytes: number): boolean {
    if (!this.#countedIn.every((bound) => bound.fits(bytes))) return false
    this.#add(bytes)
    return true
  }

  /** Counts what it holds in other bounds; where it does not fit there, as before. */
  #countIn(bounds: CountedIn): boolean {
    const [before, bytes] = [this.#countedIn, this.#bytes]
    const added = bounds.filter((bound) => !before.includes(bound))
    if (!added.every((bound) => bound.fits(bytes))) return false
    for (const bound of added) bound.add(bytes)
    for (const bound of before) if (!bounds.includes(bound)) bound.add(-bytes)
    this.#countedIn = bounds
    return true
  }

  #add(bytes: number): void {
    for (const bound of this.#countedIn) bound.add(bytes)
    this.#bytes += bytes
  }
}

/** The bounds of a server. */
export const serverBounds = (): Bounds =>
  new Bounds({
    all: limits.HELD_BYTES_MAX,
    strangers: limits.HELD_BYTES_MAX * limits.HELD_PART_FOR_STRANGERS,
    slowStrangers: limits.HELD_BYTES_MAX * limits.HELD_PART_FOR_SLOW_STRANGERS,
    caller: limits.HELD_BYTES_MAX * limits.HELD_PART_PER_CALLER,
    request: limits.HELD_BYTES_MAX / limits.REQUESTS_AT_A_TIME_MAX,
    unread: limits.UNREAD_BYTES_MAX,
    bodyMs: limits.BODY_SECONDS_MAX * 1_000,
  })
