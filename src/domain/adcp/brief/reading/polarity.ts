import type { Language } from "../words/languages.ts"
import type { Gap, Phrases, Token } from "../words/tokens.ts"
import { isTradeWord } from "../words/trade.ts"
import {
  aboutWords,
  andWords,
  answers,
  type Cue,
  closers,
  conditions,
  cuesOf,
  fillers,
  orWords,
  pronouns,
  turns,
  wishes,
} from "./cues.ts"

// Three values: what a brief wants, what it surely does not want, and what is not sure. Only constructions that can mean nothing else are
// sure; everything else with a word of negation is quoted and changes nothing.

/** What the word at a place is: of a thing, to be searched for, of the trade (which says nothing here), or without a meaning of its own. */
export type Kind = "channel" | "country" | "word" | "trade" | "none"

export interface Range {
  readonly from: number
  readonly to: number
}

interface Polarity {
  /** For each word: 1 wanted, 0 unsure, -1 unwanted. */
  readonly signs: Int8Array
  readonly unwanted: readonly Range[]
  readonly unsure: readonly Range[]
}

interface FoundCue extends Range {
  readonly cue: Cue
}

interface Segment extends Range {
  readonly before: Gap
  /** What ends it. */
  readonly after: Gap
  readonly cues: readonly FoundCue[]
}

const ITEM_WORDS_MAX = 4
// Beside what is there already.
const ELSEWHERE = /^(?:elsewhere|booked|running|gebucht|anderweitig|woanders|ailleurs|reserves?|nosotros)$/
const SUBJECT_WORDS_MAX = 7

/** Reads a brief clause by clause. `kindAt` tells what the word at a place is. */
export function polarityOf(
  tokens: readonly Token[],
  language: Language | undefined,
  kindAt: (at: number) => Kind,
): Polarity {
  return new PolarityReader(tokens, language, kindAt).result()
}

class PolarityReader {
  readonly #tokens: readonly Token[]
  readonly #kindAt: (at: number) => Kind
  readonly #signs: Int8Array
  readonly #unwanted: Range[] = []
  readonly #unsure: Range[] = []
  /** A list of what is not wanted, to which the next clauses may belong. */
  #list:
    | { readonly cue: "no" | "avoid"; readonly isColon: boolean; readonly kind: Kind; readonly open: Range[] }
    | undefined
  #previous: Segment | undefined

  constructor(tokens: readonly Token[], language: Language | undefined, kindAt: (at: number) => Kind) {
    this.#tokens = tokens
    this.#kindAt = kindAt
    this.#signs = new Int8Array(tokens.length).fill(1)
    const cues = cuesOf(language)
    for (const segment of segmentsOf(tokens, findCues(tokens, cues))) {
      this.#read(segment)
      this.#previous = segment
    }
    this.#closeList()
  }

  result(): Polarity {
    return { signs: this.#signs, unwanted: this.#unwanted, unsure: this.#unsure }
  }

  #read(segment: Segment): void {
    const isNew = segment.before === "stop" || segment.before === "question"
    if (isNew || (segment.before === "item" && !this.#list?.isColon)) this.#closeList()
    const hasHeld = segment.cues.some(({ cue }) => cue === "have")
    const cues = segment.cues
      .filter(({ from }) => !(hasHeld && ELSEWHERE.test(this.#word(from))))
      .filter(({ cue, from }) => cue !== "fine" && (cue !== "start" || from === segment.from))
    if (this.#isAnswer(segment)) return
    if (cues.length === 0 && !this.#isComparison(segment)) {
      this.#goOn(segment)
      return
    }
    this.#closeList()
    if (!this.#isSure(segment, cues)) {
      this.#doubtBefore(segment)
      this.#doubt(segment)
      return
    }
    for (const [nth, found] of cues.entries()) {
      const end = cues[nth + 1]?.from ?? segment.to
      const isLast = nth === cues.length - 1
      const isRead =
        found.cue === "after"
          ? this.#refuseBefore(segment, found)
          : found.cue === "have"
            ? this.#refuseHeld(segment, found)
            : this.#refuseAfter(segment, found, end, isLast)
      if (!isRead) {
        this.#doubt(segment)
        return
      }
    }
  }

  /** Several sure cues are read only where each begins anew: "no podcasts and no radio", not "no podcasts without a host". */
  #isSure(segment: Segment, cues: readonly FoundCue[]): boolean {
    const isSureCue = (found: FoundCue) =>
      (found.cue !== "unsure" && found.cue !== "start") || this.#isPlainNot(segment, found)
    if (cues.length === 0 || !cues.every(isSureCue)) return false
    if (segment.after === "question" || this.#some(segment, ({ word }) => conditions.has(word))) return false
    return cues.every(({ cue, from, to }, nth) => {
      // "Los podcasts no funcionan".
      if (to === from + 1 && this.#word(from) === "no" && from > segment.from && this.#isName(from - 1)) return false
      if (nth === 0) return true
      const [word, before] = [this.#word(from), this.#word(from - 1)]
      const isJoined = orWords.has(word) || andWords.has(word) || orWords.has(before) || andWords.has(before)
      return isJoined && (cue === "no" || cue === "avoid") && cues[0]?.cue !== "after" && cues[0]?.cue !== "have"
    })
  }

  /** "Not radio", and nothing else in the clause. */
  #isPlainNot(segment: Segment, { from, to }: FoundCue): boolean {
    if (!/^(?:not|nicht|pas)$/.test(this.#word(from)) || to !== from + 1 || from !== segment.from) return false
    for (let at = to; at < segment.to; at++)
      if (this.#kindAt(at) !== "channel" && this.#kindAt(at) !== "country") return false
    return segment.to > to
  }

  #word = (at: number) => this.#tokens[at]?.word ?? ""
  #some = ({ from, to }: Range, is: (token: Token) => boolean) => this.#tokens.slice(from, to).some(is)
  #hasContent = ({ from, to }: Range) => {
    for (let at = from; at < to; at++) if (this.#isName(at)) return true
    return false
  }
  #isName = (at: number) => this.#kindAt(at) !== "none" && this.#kindAt(at) !== "trade"

  #mark({ from, to }: Range, sign: number): void {
    this.#signs.fill(sign, from, to)
  }

  #refuse(range: Range): void {
    this.#mark(range, -1)
    this.#unwanted.push(range)
  }

  /** What is not sure is quoted, with all of its clause; what was surely unwanted in it stays so. */
  #doubt(segment: Range): void {
    if (!this.#hasContent(segment) && !this.#some(segment, ({ word }) => isTradeWord(word))) return
    while ((this.#unwanted.at(-1)?.from ?? -1) >= segment.from) this.#unwanted.pop()
    this.#mark(segment, 0)
    this.#unsure.push(segment)
  }

  /** "Radio, we have had enough of that": what is said of it is said in the next clause. */
  #doubtBefore(segment: Segment): void {
    const previous = this.#previous
    if (previous === undefined || previous.cues.length > 0 || segment.before === "stop" || segment.before === "item")
      return
    const isThing = (at: number) => this.#kindAt(at) === "channel" || this.#kindAt(at) === "country"
    const hasThing = this.#tokens.slice(segment.from, segment.to).some((_, nth) => isThing(segment.from + nth))
    const isBack = this.#some(segment, ({ word }) => pronouns.has(word)) || !this.#hasContent(segment)
    if (isBack && !hasThing) this.#doubt(previous)
  }

  /** "Rather radio than podcasts", in whatever language. */
  #isComparison(segment: Segment): boolean {
    let isRather = false
    return this.#some(segment, ({ word }) => {
      isRather ||= /^(?:rather|lieber|eher|plutot|mejor|antes)$/.test(word)
      return isRather && /^(?:than|als|que|qu)$/.test(word)
    })
  }

  /** "Podcasts? No, thanks." */
  #isAnswer(segment: Segment): boolean {
    const said = this.#tokens.slice(segment.from, segment.to).map(({ word }) => word)
    const text = said.join(" ")
    const previous = this.#previous
    if (said.length > ITEM_WORDS_MAX || previous === undefined || segment.cues.length === 0) return false
    if (!answers.has(text) && !answers.has(said.filter((word) => !closers.has(word)).join(" "))) return false
    if (previous.cues.length > 0 || segment.before === "stop" || segment.before === "item") return false
    // With a colon or a dash after it, it begins something: "Podcasts, no: radio".
    const isAlone = segment.after !== "colon" && segment.after !== "dash"
    const items = this.#items(previous)
    const isShort = items.length === 1 && previous.to - previous.from <= ITEM_WORDS_MAX
    if (!isAlone || !isShort || !items.every((item) => this.#isClean(item))) this.#doubt(previous)
    else for (const item of items) this.#refuse(item)
    return true
  }

  /** The parts of a list, without what is before and after each. */
  #items({ from, to }: Range): Range[] {
    const items: Range[] = []
    let start = from
    for (let at = from; at <= to; at++) {
      const isJoint = at < to && this.#isJoint(at)
      const isJoined = at > start && this.#tokens[at]?.gap === "join"
      if (at < to && !isJoint && !isJoined) continue
      const item = this.#trimmed({ from: start, to: at })
      if (item.to > item.from) items.push(item)
      start = isJoint ? at + 1 : at
    }
    return items
  }

  #isJoint = (at: number) =>
    this.#kindAt(at) === "none" && (orWords.has(this.#word(at)) || andWords.has(this.#word(at)))

  #trimmed({ from, to }: Range): Range {
    let [start, end] = [from, to]
    while (start < end && fillers.has(this.#word(start)) && this.#kindAt(start) === "none") start++
    while (end > start && closers.has(this.#word(end - 1)) && this.#kindAt(end - 1) === "none") end--
    return { from: start, to: end }
  }

  /** A few words that name something, and nothing that could turn them: no verb, no place or time for which alone it is said. */
  #isClean(item: Range): boolean {
    if (!this.#hasContent(item) || item.to - item.from > ITEM_WORDS_MAX + 1) return false
    let names = 0
    for (let at = item.from; at < item.to; at++) {
      const word = this.#word(at)
      if (this.#isName(at)) names++
      else if (this.#kindAt(at) === "trade") continue
      else if (!fillers.has(word) || (names > 0 && !aboutWords.has(word))) return false
    }
    const kinds = new Set(Array.from({ length: item.to - item.from }, (_, nth) => this.#kindAt(item.from + nth)))
    return names <= ITEM_WORDS_MAX && !(kinds.has("country") && kinds.has("channel"))
  }

  #kindOf({ from, to }: Range): Kind {
    let kind: Kind = "none"
    for (let at = from; at < to; at++) {
      const each = this.#kindAt(at)
      if (each === "channel" || each === "country") return each
      if (each === "word") kind = each
    }
    return kind
  }

  /** "No podcasts or radio": to the end of the clause, and perhaps of a list that goes on. */
  #refuseAfter(segment: Segment, found: FoundCue, to: number, isLast: boolean): boolean {
    const cue = found.cue === "avoid" ? "avoid" : "no"
    const items = this.#items({ from: found.to, to })
    if (items.length === 0) {
      const isList = isLast && (segment.after === "colon" || segment.after === "item" || segment.after === "dash")
      if (!isList) return false
      this.#list = { cue, isColon: true, kind: "none", open: [] }
      return true
    }
    if (!items.every((item) => this.#isClean(item))) return false
    const [first] = items as [Range]
    // "No podcasts and radio" says both; "no podcasts and a campaign in Spain" nobody knows.
    const hasAnd = this.#some({ from: found.to, to: (items.at(-1) as Range).from }, ({ word }) => andWords.has(word))
    if (cue === "no" && hasAnd && !items.every((item) => this.#isPure(item, first))) return false
    for (const item of items) this.#refuse(item)
    if (isLast && segment.after === "comma") this.#list = { cue, isColon: false, kind: this.#kindOf(first), open: [] }
    return true
  }

  #isPure(item: Range, first: Range): boolean {
    return this.#kindOf(item) === this.#kindOf(first) && item.to - item.from <= 2
  }

  /** "Podcasts are out": what comes right before. */
  #refuseBefore(segment: Segment, found: FoundCue): boolean {
    const items = this.#items({ from: segment.from, to: found.from })
    const rest = this.#trimmed({ from: found.to, to: segment.to })
    const isShort = found.from - segment.from <= SUBJECT_WORDS_MAX
    if (items.length === 0 && segment.after === "colon") {
      this.#list = { cue: "avoid", isColon: true, kind: "none", open: [] }
      return true
    }
    if (items.length === 0 || rest.to > rest.from || !isShort || !items.every((item) => this.#isClean(item)))
      return false
    for (const item of items) this.#refuse(item)
    // "TV, radio and print are out": whether the first belongs to them is not sure.
    if (items.length > 1 && segment.before === "comma" && this.#previous?.cues.length === 0) this.#doubt(this.#previous)
    return true
  }

  /** "We already have newsletters", "Radio haben wir schon": but a spot that is there already is to be used. */
  #refuseHeld(segment: Segment, found: FoundCue): boolean {
    const before = this.#trimmed({ from: segment.from, to: found.from })
    const after = this.#trimmed({ from: found.to, to: segment.to })
    const isNothing = (range: Range) => !this.#hasContent(range)
    const held = isNothing(before) ? after : isNothing(after) ? before : undefined
    const isOne = /^(?:a|an|ein|eine|einen|un|une|una)$/.test(this.#word(found.to))
    if (held === undefined || isOne) return false
    const items = this.#items(held).map((item) => this.#withoutElsewhere(item))
    const isThing = (item: Range) => this.#kindOf(item) === "channel" && this.#isClean(item) && item.to - item.from <= 2
    if (items.length === 0 || !items.every(isThing)) return false
    for (const item of items) this.#refuse(item)
    return true
  }

  #withoutElsewhere({ from, to }: Range): Range {
    let end = to
    while (end > from && ELSEWHERE.test(this.#word(end - 1))) end--
    return { from, to: end }
  }

  /** A clause without a cue: wanted, unless a list of what is not wanted goes on. */
  #goOn(segment: Segment): void {
    const list = this.#list
    if (list === undefined) return
    const items = this.#items(segment)
    const isItem = items.length > 0 && items.every((item) => this.#isClean(item))
    if (list.isColon) {
      if (isItem) for (const item of items) this.#refuse(item)
      else this.#doubt(segment)
      if (segment.after !== "comma" && segment.after !== "item" && segment.after !== "dash") this.#list = undefined
      return
    }
    const hasWish = this.#some(segment, ({ word }) => wishes.has(word))
    const kinds = new Set(items.map((item) => this.#kindOf(item)))
    if (!isItem || hasWish || turns.has(this.#word(segment.from)) || !kinds.has(list.kind)) {
      this.#closeList()
      return
    }
    list.open.push(...items)
    const hasOr = this.#some(segment, ({ word }) => orWords.has(word))
    const hasAnd = this.#some(segment, ({ word }) => andWords.has(word))
    if (hasOr || (hasAnd && list.cue === "avoid")) {
      for (const item of list.open) this.#refuse(item)
      this.#list = undefined
    } else if (hasAnd || segment.after !== "comma") this.#closeList()
  }

  /** Without "or" nobody knows whether it went on: "no podcasts, radio". */
  #closeList(): void {
    const open = this.#list?.open ?? []
    this.#list = undefined
    const [first, last] = [open[0], open.at(-1)]
    if (first !== undefined && last !== undefined) this.#doubt({ from: first.from, to: last.to })
  }
}

function findCues(tokens: readonly Token[], tables: readonly Phrases<Cue>[]): FoundCue[] {
  const found: FoundCue[] = []
  for (let at = 0; at < tokens.length; at++) {
    let longest: FoundCue | undefined
    for (const table of tables) {
      const cue = table.at(tokens, at)
      const to = at + (cue?.words.length ?? 0)
      if (cue !== undefined && to > (longest?.to ?? at)) longest = { cue: cue.value, from: at, to }
    }
    if (longest === undefined) continue
    found.push(longest)
    at = longest.to - 1
  }
  return found
}

/** Clauses: between commas and other signs, and before "but". */
function segmentsOf(tokens: readonly Token[], cues: readonly FoundCue[]): Segment[] {
  const isInCue = new Uint8Array(tokens.length)
  for (const cue of cues) isInCue.fill(1, cue.from + 1, cue.to)
  const segments: Segment[] = []
  let [from, next] = [0, 0]
  for (let at = 1; at <= tokens.length; at++) {
    const token = tokens[at]
    const isWeak = token !== undefined && (token.gap === "space" || token.gap === "hyphen" || token.gap === "join")
    if (isWeak && (isInCue[at] === 1 || !turns.has(token.word))) continue
    const own: FoundCue[] = []
    for (let cue = cues[next]; cue !== undefined && cue.from < at; cue = cues[++next]) own.push(cue)
    const after = token === undefined ? "stop" : isWeak ? "comma" : token.gap
    segments.push({ from, to: at, before: segments.at(-1)?.after ?? "stop", after, cues: own })
    from = at
  }
  return segments
}
