import { meaningOf } from "../words/phrases.ts"
import type { Span } from "../words/spans.ts"
import { numberOf } from "./amounts.ts"

export interface Sizes {
  /** Lengths of spots in seconds. */
  readonly seconds: readonly number[]
  /** Width and height in pixels, as 300x250. */
  readonly pixels: readonly string[]
}

const together = new Set("or and oder und ou et o y of en eller och og tai ja + &".split(" "))
const SECONDS_MAX = 180
const PIXELS_MIN = 50

/** Lengths such as :30, 30s or "30 Sekunden", and sizes such as 300x250. */
export function readSizes(spans: readonly Span[]): Sizes {
  const seconds = new Set<number>()
  const pixels = new Set<string>()
  for (let place = 0; place < spans.length; place++) {
    const number = numberAt(spans, place)
    if (number === undefined) continue
    const height = isTimes(spans[place + 1]) ? numberAt(spans, place + 2) : undefined
    if (height !== undefined && number >= PIXELS_MIN && height >= PIXELS_MIN) pixels.add(`${number}x${height}`)
    const length = number * (factorAfter(spans, place) ?? 0)
    if (length > 0 && length <= SECONDS_MAX) seconds.add(length)
  }
  return { seconds: [...seconds], pixels: [...pixels] }
}

function numberAt(spans: readonly Span[], place: number): number | undefined {
  const token = spans[place]?.tokens[0]
  return token?.isNumber === true && spans[place]?.tokens.length === 1 ? numberOf(token.raw) : undefined
}

const isTimes = (span: Span | undefined) => ["x", "×"].includes(span?.tokens[0]?.word ?? "")

/** How many seconds the unit beside a number has: behind it, or a colon before it that belongs to no time of day. */
function factorAfter(spans: readonly Span[], place: number): number | undefined {
  const colon = spans[place - 1]?.tokens[0]
  const isTimeOfDay = colon?.isGlued === true && spans[place - 2]?.tokens[0]?.isNumber === true
  if (colon?.word === ":" && spans[place]?.tokens[0]?.isGlued && !isTimeOfDay) return 1
  const next = ["-", "–"].includes(spans[place + 1]?.tokens[0]?.word ?? "") ? spans[place + 2] : spans[place + 1]
  if (['"', "″"].includes(next?.tokens[0]?.word ?? "") && next?.tokens[0]?.isGlued) return 1
  const unit = next?.tokens[0]?.raw === "SEK" ? undefined : meaningOf(next?.meanings, "seconds")
  return unit?.factor ?? sharedFactor(spans, place)
}

/** "15 or 30 sec" says the unit once. */
function sharedFactor(spans: readonly Span[], place: number): number | undefined {
  const next = [place + 1, place + 2].find((near) => numberAt(spans, near) !== undefined)
  if (next === undefined || (next === place + 2 && !together.has(spans[place + 1]?.tokens[0]?.word ?? "")))
    return undefined
  return meaningOf(spans[next + 1]?.meanings, "seconds")?.factor
}
