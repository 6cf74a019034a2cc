import { EVERYWHERE } from "../../../keys/opening.ts"
import { meaningOf, phrases } from "../words/phrases.ts"
import type { Span } from "../words/spans.ts"

interface Channels {
  readonly channels: ReadonlyMap<string, number>
  readonly unwantedChannels: ReadonlySet<string>
}

// Of several channels that a word can mean, the first is meant most often.
const FURTHER = 0.9

/** The channels that a brief asks for, and those that it does not want. A narrow word decides what a wide one means. */
export function readChannels(spans: readonly Span[]): Channels {
  // A set: what a word means is one list, however often it comes.
  const wanted = new Set<readonly string[]>()
  const unwanted = new Set<string>()
  for (const { meanings, isNegated } of spans) {
    for (const meaning of meanings) {
      if (meaning.kind !== "channel") continue
      if (isNegated) for (const channel of meaning.channels) unwanted.add(channel)
      else wanted.add(meaning.channels)
    }
  }
  const channels = new Map<string, number>()
  for (const mention of wanted) {
    // "Newsletter banner" is about newsletters; "video" in a brief for connected TV is that video.
    if (isNarrowed(mention, wanted)) continue
    for (const [place, channel] of mention.entries()) {
      channels.set(channel, Math.max(channels.get(channel) ?? 0, place === 0 ? 1 : FURTHER))
    }
  }
  for (const channel of channels.keys()) unwanted.delete(channel)
  return { channels, unwantedChannels: unwanted }
}

function isNarrowed(mention: readonly string[], mentions: ReadonlySet<readonly string[]>): boolean {
  for (const other of mentions) {
    if (other.length < mention.length && other.every((channel) => mention.includes(channel))) return true
  }
  return false
}

// Country codes that are words or common abbreviations when written in capital letters. They count beside another country only.
const doubtfulCodes = new Set(
  "AD AI AM AR AT BE BI BS CC CM CO CV DO GB HR ID IN IS IT LA MC MD ME ML MM MS MY NE NO PM PR SC SM SO TO TV VC".split(
    " ",
  ),
)
// After these words "us" is those who write.
const beforePronoun = new Set(
  "for with to contact tell help let lets give gives send show about of from between join by and reach offer call email mail ask find make around like on at get bring suits fits".split(
    " ",
  ),
)

interface Places {
  /** ISO codes in the order of the brief, or * alone for everywhere. */
  readonly countries: readonly string[]
  /** Countries that the brief does not want. */
  readonly unwanted: readonly string[]
}

/** The countries that a brief names: by name, adjective, people, city, region or code. */
export function readCountries(spans: readonly Span[], text: string): Places {
  const wanted = new Set<string>()
  const spoken = new Set<string>()
  const unwanted = new Set<string>()
  const isShouted = text === text.toUpperCase() && /\p{Lu}{4}/u.test(text)
  const hasCapitals = text !== text.toLowerCase()
  for (let place = 0; place < spans.length; place++) {
    const span = spans[place] as Span
    const named = meaningOf(span.meanings, "countries")
    const codes = named?.codes ?? (isShouted ? undefined : codeAt(spans, place, hasCapitals))
    if (codes === undefined) continue
    const kept = span.isNegated ? unwanted : named?.by === "language" ? spoken : wanted
    for (const code of codes) kept.add(code)
  }
  // "French-speaking Belgium" is in Belgium, and who speaks Spanish in the US is in the US.
  if (wanted.size === 0) for (const code of spoken) wanted.add(code)
  if (wanted.size > 1) wanted.delete(EVERYWHERE)
  return { countries: [...wanted], unwanted: [...unwanted].filter((code) => !wanted.has(code)) }
}

function codesOf(span: Span | undefined): readonly string[] | undefined {
  return meaningOf(span?.meanings, "countries")?.codes
}

function codeAt(spans: readonly Span[], place: number, hasCapitals: boolean): readonly string[] | undefined {
  const raw = spans[place]?.tokens[0]?.raw ?? ""
  if (raw.length !== 2 || spans[place]?.tokens.length !== 1) return undefined
  if (raw === "us") return isCountryUs(spans, place, hasCapitals) ? ["US"] : undefined
  if (!isCode(raw)) return undefined
  return doubtfulCodes.has(raw) && !hasCountryBeside(spans, place) ? undefined : [raw]
}

const isCode = (raw: string) => /^[A-Z]{2}$/.test(raw) && phrases().countries.isCode(raw)

function isCountryUs(spans: readonly Span[], place: number, hasCapitals: boolean): boolean {
  const before = spans[place - 1]?.tokens.at(-1)?.word ?? ""
  return ["in", "the", "across"].includes(before) || (!hasCapitals && !beforePronoun.has(before))
}

function hasCountryBeside(spans: readonly Span[], place: number): boolean {
  return [neighbour(spans, place, -1), neighbour(spans, place, 1)].some((span) => {
    const raw = span?.tokens[0]?.raw ?? ""
    return (isCode(raw) && !doubtfulCodes.has(raw)) || (/^[A-Z]+$/.test(raw) && codesOf(span) !== undefined)
  })
}

const connectors = new Set("and und et y en och og ja or oder + - – &".split(" "))

function neighbour(spans: readonly Span[], place: number, step: 1 | -1): Span | undefined {
  const next = spans[place + step]
  return connectors.has(next?.tokens[0]?.word ?? "") ? spans[place + 2 * step] : next
}
