import { isStopWord } from "../words/languages.ts"
import { type Meaning, phrases } from "../words/phrases.ts"
import type { Span } from "../words/spans.ts"

// What a brief does not want. A negation governs what follows it, or what stands before it, as a list: what "and", "or" and "nor" join, and
// what commas do as long as it is of one kind. It ends where the sentence does, at "but" and the like, and where another kind of thing begins.

/** What a phrase can be: kinds as bits, so that two phrases are of one kind where they share one. */
const kindBits: Readonly<Partial<Record<Meaning["kind"], number>>> = {
  channel: 1,
  topic: 2,
  feature: 4,
  delivery: 8,
  pricing: 16,
  countries: 32,
  months: 64,
}
const THINGS = 31
const PLACE = 32
const WORD = 128
const NUMBER = 256
// What may stand between a negation and what it governs.
const WORDS_BETWEEN_MAX = 2
const SPANS_BETWEEN_MAX = 9

function bitsOf({ meanings, tokens, role }: Span): number {
  let bits = 0
  for (const { kind } of meanings) {
    bits |= kindBits[kind] ?? 0
    if (kind === "money" || kind === "scale") bits |= NUMBER
  }
  const [token] = tokens
  if (bits !== 0 || token === undefined) return bits
  if (token.isNumber) return NUMBER
  if (role !== undefined || meanings.length > 0) return 0
  if (token.raw.length === 2) return /^[A-Z]{2}$/.test(token.raw) && phrases().countries.isCode(token.raw) ? PLACE : 0
  return token.raw.length > 2 && !isStopWord(token.word) ? WORD : 0
}

const isKnown = (bits: number) => (bits & ~(WORD | NUMBER)) !== 0
/** Places, months and things are not mixed in one list; words that nobody knows are things. */
const sortOf = (bits: number) => ((bits & (THINGS | WORD)) !== 0 ? THINGS : bits)
/** What a list with commas may go on with: more of the kind, and among things what nobody knows. */
const listKind = (bits: number) => ((bits & THINGS) !== 0 ? bits | WORD : bits)
const isGovernor = ({ role }: Span) => role === "not" || role === "except" || role === "after" || role === "suffix"
const startsPart = (span: Span) => span.tokens[0]?.isAfterBreak === true
const isDash = (span: Span) => ["-", "–"].includes(span.tokens[0]?.word ?? "")
/** Not in a time of day, nor before the length of a spot. */
const isColonAt = (spans: readonly Span[], place: number) =>
  spans[place]?.tokens[0]?.word === ":" && spans[place + 1]?.tokens[0]?.isGlued !== true

/**
 * Says of each span whether it is not wanted, and with which others together: those of one number are one thing, "crime podcasts".
 * False where nothing is negated.
 */
export function markUnwanted(spans: readonly Span[]): boolean {
  let hasGovernor = false
  const scopes = new Scopes(spans)
  for (let place = 0; place < spans.length; place++) {
    const span = spans[place] as Span
    if (span.role === undefined || !isGovernor(span) || isCountryNo(spans, place)) continue
    hasGovernor = true
    if (span.role === "not") {
      const contrary = contraryAfter(spans, place)
      if (contrary !== undefined) place = contrary
      else if (isColonAt(spans, place + 1)) scopes.before(place) || scopes.after(place, true)
      else scopes.after(place, false) || scopes.before(place)
    } else if (span.role === "except") scopes.after(place, true) || scopes.before(place)
    else if (span.role === "after") scopes.before(place) || scopes.after(place, true)
    else if (span.tokens[0]?.isGlued) scopes.before(place)
  }
  return hasGovernor
}

/** "SE, NO, DK" names Norway. */
function isCountryNo(spans: readonly Span[], place: number): boolean {
  const isCode = (span: Span | undefined) =>
    span !== undefined && span.tokens[0]?.raw.length === 2 && bitsOf(span) === PLACE
  return spans[place]?.tokens[0]?.raw === "NO" && (isCode(spans[place - 1]) || isCode(spans[place + 1]))
}

const more = new Set("more mehr plus mas meer mer mere enempaa".split(" "))
const isAmount = (span: Span | undefined) => span !== undefined && (bitsOf(span) & NUMBER) !== 0

/** Where "not" belongs to something else: "not excluded" excludes nothing; "not above 25" and "25, not more" are amounts. */
function contraryAfter(spans: readonly Span[], place: number): number | undefined {
  if (isAmount(spans[place - 1]) && more.has(spans[place + 1]?.tokens[0]?.word ?? "")) return place + 1
  for (let next = place + 1; next <= place + 2; next++) {
    const span = spans[next]
    if (span === undefined || startsPart(span)) return undefined
    if (span.role === "except" || span.role === "after") return next
    const isBound = span.meanings.some(({ kind }) => kind === "bound")
    if (isBound && (isAmount(spans[next + 1]) || isAmount(spans[next + 2]))) return next
    if (isKnown(bitsOf(span))) return undefined
  }
  return undefined
}

class Scopes {
  readonly #spans: readonly Span[]
  #group = 0

  constructor(spans: readonly Span[]) {
    this.#spans = spans
  }

  /** Marks what follows the governor. False where nothing does: "podcasts without pop-ups" takes away no podcasts. */
  after(governor: number, carriesCommas: boolean): boolean {
    let carries = carriesCommas
    let listedUntil = -1
    let bits = 0
    let isNew = true
    let words = 0
    this.#group++
    for (let place = governor + 1; place < this.#spans.length; place++) {
      const span = this.#spans[place] as Span
      const { role } = span
      if (isColonAt(this.#spans, place) && place === governor + 1) {
        carries = true
        continue
      }
      if (
        span.tokens[0]?.isAfterStop ||
        isColonAt(this.#spans, place) ||
        isDash(span) ||
        isGovernor(span) ||
        role === "but"
      )
        break
      if (startsPart(span)) {
        if (!isKnown(bits)) break
        if (place > listedUntil) listedUntil = carries || role === "or" ? place : this.#closedUntil(place, bits)
        if (place > listedUntil || (this.#itemFrom(place) & listKind(bits)) === 0) break
        isNew = true
      }
      if (role === "and" || role === "or") {
        if (!isKnown(bits)) continue
        if (sortOf(this.#itemFrom(place + 1)) !== sortOf(bits)) break
        isNew = true
        continue
      }
      if ((role === "want" || role === "in") && isKnown(bits) && !isNew) break
      const own = bitsOf(span)
      if (own & NUMBER) break
      if (own === 0) {
        if (!isKnown(bits) && place - governor > SPANS_BETWEEN_MAX) break
        continue
      }
      if (isKnown(bits) && !isNew && own !== WORD && sortOf(own) !== sortOf(bits) && sortOf(bits) !== PLACE) break
      if (!isKnown(bits) && own === WORD && ++words > WORDS_BETWEEN_MAX) break
      if (isNew && isKnown(bits)) this.#group++
      isNew = false
      bits = own === WORD && isKnown(bits) ? bits : own
      span.unwanted = this.#group
    }
    return bits !== 0
  }

  /** The kind of the next thing in a list, over small words. */
  #itemFrom(start: number): number {
    for (let place = start; place < Math.min(start + 4, this.#spans.length); place++) {
      const span = this.#spans[place] as Span
      if (place > start && startsPart(span)) return 0
      if (isGovernor(span) || span.role === "but" || span.role === "want") return 0
      const bits = bitsOf(span)
      if (bits !== 0) return bits
    }
    return 0
  }

  /** How far a list with commas goes that "and" or "or" closes: "no TV, radio or cinema". The start where none does. */
  #closedUntil(start: number, first: number): number {
    const kind = listKind(first)
    let isFirst = true
    let hasSame = false
    for (let place = start; place < this.#spans.length; place++) {
      const span = this.#spans[place] as Span
      const { role } = span
      // "Pas de podcasts, de newsletters ni de vidéo" is closed by another negation.
      if (!isFirst && role === "not" && !startsPart(span)) return place - 1
      if (
        span.tokens[0]?.isAfterStop ||
        isColonAt(this.#spans, place) ||
        isGovernor(span) ||
        role === "but" ||
        role === "want"
      )
        break
      if (!isFirst && (role === "and" || role === "or")) {
        const last = this.#itemFrom(place + 1)
        return (last & kind) === 0 || !(hasSame || (last & first) !== 0) ? -1 : place
      }
      if (role === "in" && (kind & PLACE) === 0) break
      const bits = bitsOf(span)
      if (startsPart(span) && place > start && (this.#itemFrom(place) & kind) === 0) break
      if ((bits & kind) !== 0) isFirst = false
      hasSame ||= (bits & first) !== 0
    }
    return -1
  }

  /** Marks what stands before the governor, as far as its part of the sentence goes. False where nothing known does. */
  before(governor: number): boolean {
    const item = this.#lastItem(governor)
    if (item < 0) return false
    const bits = bitsOf(this.#spans[item] as Span)
    let isListed = false
    let isNew = true
    for (let place = item; place >= 0; place--) {
      const span = this.#spans[place] as Span
      const { role } = span
      if (
        isGovernor(span) ||
        isColonAt(this.#spans, place) ||
        isDash(span) ||
        role === "but" ||
        role === "in" ||
        role === "want"
      )
        break
      if (role === "and" || role === "or") isListed = isNew = true
      const own = bitsOf(span)
      if (own & NUMBER || (isKnown(own) && sortOf(own) !== sortOf(bits))) break
      if (isKnown(own)) {
        if (isNew) this.#group++
        isNew = false
        span.unwanted = this.#group
      } else if (place < item && role === undefined && !isNew) break
      if (!startsPart(span)) continue
      // "Podcasts, radio and TV are excluded" is one list; "Germany, podcasts excluded" is none.
      if (!isListed || span.tokens[0]?.isAfterStop || (bitsOf(this.#spans[place - 1] ?? span) & bits) === 0) break
      isNew = true
    }
    return true
  }

  /** The last thing in the part of the sentence before a place, or else the last country or month; -1 where there is none. */
  #lastItem(governor: number): number {
    let other = -1
    // "Podcasts: no"
    const start = isColonAt(this.#spans, governor - 1) ? governor - 1 : governor
    for (let place = start; place > 0; ) {
      if (startsPart(this.#spans[place] as Span)) break
      const span = this.#spans[--place] as Span
      if (isGovernor(span) || isColonAt(this.#spans, place) || isDash(span) || span.role === "but") break
      const bits = bitsOf(span)
      if (bits & THINGS && span.unwanted === 0) return place
      if (isKnown(bits) && other < 0) other = place
    }
    return other
  }
}
