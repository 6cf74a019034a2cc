import { EVERYWHERE } from "../../../keys/opening.ts"
import { type Meaning, meaningOf, phrases } from "../words/phrases.ts"
import type { Span } from "../words/spans.ts"
import { narrowerTopics } from "../words/topics.ts"
import { isWeek } from "./periods.ts"

/** Something that a brief does not want. What it has of each kind must all be met: crime podcasts are neither all crime nor all podcasts. */
export interface Unwanted {
  readonly channels: readonly string[]
  readonly topics: readonly string[]
  readonly features: readonly string[]
  /** Where it is sold nowhere else. */
  readonly countries: readonly string[]
}

/** What the brief does not want, apart from mere countries: each thing once. */
export function readUnwanted(spans: readonly Span[]): Unwanted[] {
  const groups = new Map<number, Span[]>()
  for (const span of spans) {
    if (span.unwanted > 0) groups.set(span.unwanted, [...(groups.get(span.unwanted) ?? []), span])
  }
  const things = new Map<string, Unwanted>()
  for (const group of groups.values()) {
    for (const thing of thingsOf(group)) things.set(JSON.stringify(thing), thing)
  }
  return [...things.values()]
}

const isOf = (kind: Meaning["kind"]) => (span: Span) => meaningOf(span.meanings, kind) !== undefined

/** "Gaming" is a topic or a channel, and so neither is wanted; gaming podcasts are podcasts about it. */
function thingsOf(group: readonly Span[]): Unwanted[] {
  const isBoth = (span: Span) => isOf("channel")(span) && isOf("topic")(span)
  const hasChannel = group.some((span) => isOf("channel")(span) && !isBoth(span))
  const asTopics = thingOf(group, (span) => !isBoth(span))
  const asChannels = group.some(isBoth) && !hasChannel ? [thingOf(group, isOf("channel"), (span) => !isBoth(span))] : []
  return [asTopics, ...asChannels].filter(
    ({ channels, topics, features }) => channels.length + topics.length + features.length > 0,
  )
}

function thingOf(
  group: readonly Span[],
  isChannel: (span: Span) => boolean,
  isTopic: (span: Span) => boolean = () => true,
): Unwanted {
  const thing = {
    channels: [] as string[],
    topics: [] as string[],
    features: [] as string[],
    countries: [] as string[],
  }
  for (const span of group) {
    for (const meaning of span.meanings) {
      if (meaning.kind === "channel" && isChannel(span)) thing.channels.push(...certain(meaning))
      else if (meaning.kind === "topic" && isTopic(span))
        thing.topics.push(meaning.id, ...(narrowerTopics[meaning.id] ?? []))
      else if (meaning.kind === "feature") thing.features.push(meaning.id)
      else if (meaning.kind === "countries") thing.countries.push(...meaning.codes)
    }
  }
  return thing
}

const certain = ({ channels, sure }: Extract<Meaning, { kind: "channel" }>) => channels.slice(0, sure)

// Of several channels that a word means, the first is meant most often; those that it may mean, less.
const FURTHER = 0.9
const POSSIBLE = 0.8

/** The channels that a brief asks for. A narrow word decides what a wide one means, and what is not wanted as narrowly is not asked for. */
export function readChannels(spans: readonly Span[], unwanted: readonly Unwanted[]): ReadonlyMap<string, number> {
  // By the list: what a word means is one, however often it comes.
  const wanted = new Map<readonly string[], number>()
  for (const { meanings, unwanted: group } of spans) {
    if (group === 0)
      for (const meaning of meanings) if (meaning.kind === "channel") wanted.set(meaning.channels, meaning.sure)
  }
  const refused = unwanted.filter(isChannelAlone)
  const channels = new Map<string, number>()
  for (const [mention, sure] of wanted) {
    // "Newsletter banner" is about newsletters; "video" in a brief for connected TV is that video.
    if (isNarrowed(mention, wanted)) continue
    for (let place = 0; place < mention.length; place++) {
      const channel = mention[place] as string
      if (refused.some((thing) => thing.channels.includes(channel) && thing.channels.length <= mention.length)) continue
      const share = place === 0 ? 1 : place < sure ? FURTHER : POSSIBLE
      channels.set(channel, Math.max(channels.get(channel) ?? 0, share))
    }
  }
  return channels
}

export const isChannelAlone = ({ channels, topics, features }: Unwanted) =>
  channels.length > 0 && topics.length + features.length === 0

function isNarrowed(mention: readonly string[], mentions: ReadonlyMap<readonly string[], number>): boolean {
  for (const other of mentions.keys()) {
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
// After "in" these are countries nonetheless; "in AI" and "in TV" are none.
const codesAfterIn = new Set("AT BE GB IT NO IS AR CO ID MY MC".split(" "))
// Who is in IT is in no country.
const crafts = new Set(
  "work works working job jobs career careers roles professionals managers people leaders makers experts specialists arbeiten".split(
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
  readonly unwanted: readonly string[]
}

const NOWHERE: readonly string[] = []

/** The countries that a brief names: by name, adjective, people, city, region or code. */
export function readCountries(spans: readonly Span[], text: string): Places {
  const wanted = new Set<readonly string[]>()
  const spoken = new Set<readonly string[]>()
  const unwanted = new Set<readonly string[]>()
  const isShouted = text === text.toUpperCase() && /\p{Lu}{4}/u.test(text)
  const hasCapitals = text !== text.toLowerCase()
  for (let place = 0; place < spans.length; place++) {
    const span = spans[place] as Span
    const named = meaningOf(span.meanings, "countries")
    const codes = named?.codes ?? (isShouted ? undefined : codeAt(spans, place, hasCapitals))
    if (codes === undefined) continue
    if (span.unwanted > 0) {
      if (!isPartOfThing(spans, place)) unwanted.add(codes)
    } else if (named?.by === "language") spoken.add(codes)
    else wanted.add(codes)
  }
  // "French-speaking Belgium" is in Belgium, and who speaks Spanish in the US is in the US.
  const targets = wanted.size === 0 ? spoken : wanted
  const left = without(targets, unwanted)
  if (left.size > 1) left.delete(EVERYWHERE)
  if (unwanted.size === 0) return { countries: [...left], unwanted: NOWHERE }
  return { countries: [...left], unwanted: [...without(unwanted, targets)].filter((code) => !left.has(code)) }
}

/** Whether a country only tells which things are not wanted: "no German podcasts". */
function isPartOfThing(spans: readonly Span[], place: number): boolean {
  const group = spans[place]?.unwanted
  return [spans[place - 1], spans[place + 1]].some(
    (span) => span?.unwanted === group && span?.meanings.some(({ kind }) => kind === "channel" || kind === "topic"),
  )
}

/** The countries of some mentions but for those that others take away. Who names fewer is more precise: Europe except France, no Europe but Spain. */
function without(included: ReadonlySet<readonly string[]>, taken: ReadonlySet<readonly string[]>): Set<string> {
  const left = new Set<string>()
  for (const codes of included) {
    for (const code of codes) if (taken.size === 0 || !isTaken(code, codes, taken)) left.add(code)
  }
  return left
}

function isTaken(code: string, codes: readonly string[], taken: ReadonlySet<readonly string[]>): boolean {
  for (const others of taken) if (others.length <= codes.length && others.includes(code)) return true
  return false
}

function codesOf(span: Span | undefined): readonly string[] | undefined {
  return meaningOf(span?.meanings, "countries")?.codes
}

function codeAt(spans: readonly Span[], place: number, hasCapitals: boolean): readonly string[] | undefined {
  const raw = spans[place]?.tokens[0]?.raw ?? ""
  if (raw.length !== 2 || spans[place]?.tokens.length !== 1) return undefined
  if (raw === "us") return isCountryUs(spans, place, hasCapitals) ? ["US"] : undefined
  if (!isCode(raw) || (meaningOf(spans[place]?.meanings, "week") && isWeek(spans, place + 1))) return undefined
  const isSure = !doubtfulCodes.has(raw) || isInCountry(spans, place, raw) || hasCountryBeside(spans, place)
  return isSure ? [raw] : undefined
}

const isCode = (raw: string) => /^[A-Z]{2}$/.test(raw) && phrases().countries.isCode(raw)

function isInCountry(spans: readonly Span[], place: number, code: string): boolean {
  const [craft = "", before = ""] = [place - 2, place - 1].map((near) => spans[near]?.tokens.at(-1)?.word)
  return codesAfterIn.has(code) && ["in", "en", "i"].includes(before) && !(code === "IT" && crafts.has(craft))
}

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
