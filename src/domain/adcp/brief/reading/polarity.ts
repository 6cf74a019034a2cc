import type { Token } from "../words/tokens.ts"
import { clausesOf, type FoundCue, type Range, type Segment } from "./clauses.ts"
import {
  aboutWords,
  andWords,
  answers,
  closers,
  conditions,
  fillers,
  infinitives,
  orWords,
  pronouns,
  turns,
  wanting,
  wishes,
} from "./cues.ts"

// Three values: what a brief wants, what it surely does not want, and what is not sure. Only constructions that can mean nothing else are
// sure; everything else with a word of negation is quoted and changes nothing.

/** What the word at a place is: of a thing, to be searched for, one that everybody uses, or without a meaning of its own. */
export type Kind = "channel" | "country" | "word" | "common" | "none"

/** What is not wanted, and the clause that says so. */
interface Refused extends Range {
  readonly clause: Range
}

interface Polarity {
  /** For each word: 1 wanted, 0 unsure, -1 unwanted. */
  readonly signs: Int8Array
  readonly unwanted: readonly Refused[]
  readonly unsure: readonly Range[]
  /** Behind a sure word of negation, but not sure how much of it is unwanted. */
  readonly doubtful: readonly Range[]
}

const ITEM_WORDS_MAX = 4
// Beside what is there already.
const ELSEWHERE =
  /^(?:elsewhere|booked|running|gebucht|anderweitig|woanders|ailleurs|reserv[eé]e?s?|contratad[oa]s?|nosotros)$/
const SUBJECT_WORDS_MAX = 7

/** Reads a brief clause by clause. `kindAt` tells what the word at a place is. */
export function polarityOf(tokens: readonly Token[], kindAt: (at: number) => Kind): Polarity {
  return new PolarityReader(tokens, kindAt).result()
}

class PolarityReader {
  readonly #tokens: readonly Token[]
  readonly #kindAt: (at: number) => Kind
  readonly #signs: Int8Array
  #unwanted: Refused[] = []
  #clause: Range = { from: 0, to: 0 }
  readonly #unsure: Range[] = []
  readonly #doubtful: Range[] = []
  /** A list of what is not wanted, to which the next clauses may belong. */
  #list:
    | { readonly cue: "no" | "verb" | "unsure"; readonly isColon: boolean; readonly kind: Kind; readonly open: Range[] }
    | undefined
  #previous: Segment | undefined

  constructor(tokens: readonly Token[], kindAt: (at: number) => Kind) {
    this.#tokens = tokens
    this.#kindAt = kindAt
    this.#signs = new Int8Array(tokens.length).fill(1)
    for (const segment of clausesOf(tokens)) {
      this.#read(segment)
      this.#previous = segment
    }
    this.#closeList()
  }

  result(): Polarity {
    return { signs: this.#signs, unwanted: this.#unwanted, unsure: this.#unsure, doubtful: this.#doubtful }
  }

  #read(segment: Segment): void {
    this.#clause = segment
    const isNew = segment.before === "stop" || segment.before === "question"
    if (isNew || (segment.before === "item" && !this.#list?.isColon)) this.#closeList()
    const hasHeld = segment.cues.some(({ cue }) => cue === "have")
    const found = segment.cues
      .filter(({ from }) => !(hasHeld && ELSEWHERE.test(this.#word(from))))
      .filter(({ cue, from }) => cue !== "fine" && (cue !== "start" || from === segment.from))
    if (this.#isAnswer(segment)) return
    if (found.length === 0 && !this.#isComparison(segment)) {
      this.#goOn(segment)
      return
    }
    const isInList = this.#list !== undefined && orWords.has(this.#word(found[0]?.from ?? -1))
    this.#closeList()
    if (!this.#isSure(segment, found)) {
      this.#doubtBefore(segment)
      this.#doubt(segment)
      return
    }
    // "Pas de podcasts, de radio ni de télé": what is before "ni" belongs to the list.
    const before = { from: segment.from, to: found[0]?.from ?? segment.from }
    if (isInList && this.#hasContent(before)) for (const item of this.#items(before)) this.#refuse(item)
    for (const [nth, cue] of found.entries()) {
      const next = found[nth + 1]
      if (this.#refuseBy(segment, cue, next?.from ?? segment.to, next === undefined)) continue
      this.#doubtBefore(segment)
      this.#doubt(segment)
      this.#silence(segment, cue)
      return
    }
  }

  /** Several sure cues are read only where each begins anew: "no podcasts and no radio", not "no podcasts without a host". */
  #isSure(segment: Segment, found: readonly FoundCue[]): boolean {
    const isSureCue = (each: FoundCue) =>
      (each.cue !== "unsure" && each.cue !== "start") ||
      this.#isPlainNot(segment, each) ||
      this.#isLastNo(segment, each)
    if (found.length === 0 || !found.every(isSureCue)) return false
    if (segment.after === "question" || this.#some(segment, ({ word }) => conditions.has(word))) return false
    return found.every(({ cue, from, to }, nth) => {
      if (this.#isLastNo(segment, { cue, from, to })) return nth === 0
      // "Los podcasts no funcionan".
      if (to === from + 1 && this.#word(from) === "no" && from > segment.from && this.#isName(from - 1)) return false
      if (cue === "verb" && !this.#isWanted(segment, from)) return false
      if (nth === 0) return true
      const [word, before] = [this.#word(from), this.#word(from - 1)]
      const isJoined = orWords.has(word) || andWords.has(word) || orWords.has(before) || andWords.has(before)
      return isJoined && (cue === "no" || cue === "verb") && (found[0]?.cue === "no" || found[0]?.cue === "verb")
    })
  }

  /** "We want to leave out radio", not "It would be a mistake to leave out radio", nor "Sería un error excluir la radio". */
  #isWanted(segment: Segment, at: number): boolean {
    const isPlain = !/^(?:exclure|eviter|proscrire|renoncer|evitar|excluir|descartar|prescindir)$/.test(this.#word(at))
    const isBehind = infinitives.has(this.#word(at - 1))
    // "À exclure : la radio".
    const isFirst = at === segment.from || (at === segment.from + 1 && this.#word(segment.from) === "a")
    if (isFirst || (isPlain && !isBehind)) return true
    const before = isBehind ? at - 2 : at - 1
    return before >= segment.from && wanting.has(this.#word(before))
  }

  /** "Newsletter ja, Radio nein": at the end of its clause, and no part of "radio or not". */
  #isLastNo(segment: Segment, { from, to }: FoundCue): boolean {
    const before = this.#word(from - 1)
    const isEnd = from > segment.from && to === segment.to && segment.after !== "colon" && segment.after !== "dash"
    return isEnd && to === from + 1 && /^(?:no|not|nein|nicht|non|nada)$/.test(this.#word(from)) && !orWords.has(before)
  }

  /** "Not radio", and nothing else in the clause. */
  #isPlainNot(segment: Segment, { from, to }: FoundCue): boolean {
    const isFirst = from === segment.from || (from === segment.from + 1 && turns.has(this.#word(segment.from)))
    if (!/^(?:not|nicht|pas)$/.test(this.#word(from)) || to !== from + 1 || !isFirst) return false
    const kinds = this.#kinds({ from: to, to: segment.to })
    return kinds.length > 0 && kinds.every((kind) => kind !== "none" && kind !== "common")
  }

  #word = (at: number) => this.#tokens[at]?.word ?? ""
  #some = ({ from, to }: Range, is: (token: Token) => boolean) => this.#tokens.slice(from, to).some(is)
  #kinds = ({ from, to }: Range): Kind[] => Array.from({ length: to - from }, (_, nth) => this.#kindAt(from + nth))
  #hasContent = (range: Range) => this.#kinds(range).some((kind) => kind !== "none" && kind !== "common")
  #isName = (at: number) => this.#kindAt(at) !== "none" && this.#kindAt(at) !== "common"
  #isThing = (at: number) => this.#kindAt(at) === "channel" || this.#kindAt(at) === "country"

  #refuse(range: Range): void {
    this.#signs.fill(-1, range.from, range.to)
    this.#unwanted.push({ ...range, clause: this.#clause })
  }

  /** What is not sure is quoted, with all of its clause; what was surely unwanted in it stays so. */
  #doubt(segment: Range): void {
    if (this.#kinds(segment).every((kind) => kind === "none")) return
    const isInside = ({ from }: Range) => from >= segment.from && from < segment.to
    this.#unwanted = this.#unwanted.filter((range) => !isInside(range))
    this.#signs.fill(0, segment.from, segment.to)
    this.#unsure.push(segment)
  }

  /** What stands behind a sure word of negation is nothing to search for, however much of it is meant. */
  #silence(segment: Segment, { cue, from, to }: FoundCue): void {
    if (cue !== "no" && cue !== "verb") return
    const after = { from: to, to: segment.to }
    const range = cue === "no" || this.#hasContent(after) ? after : { from: segment.from, to: from }
    this.#signs.fill(-1, range.from, range.to)
    this.#doubtful.push(range)
  }

  /** "Radio, we have had enough of that": what is said of it is said in the next clause. */
  #doubtBefore(segment: Segment): void {
    const previous = this.#previous
    if (previous === undefined || previous.cues.length > 0 || segment.before === "stop" || segment.before === "item")
      return
    const hasThing = this.#kinds(segment).some((kind) => kind === "channel" || kind === "country")
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
    else {
      this.#clause = { from: previous.from, to: segment.to }
      for (const item of items) this.#refuse(item)
    }
    // "Germany, please not: radio".
    if (!isAlone) this.#list = { cue: "unsure", isColon: true, kind: "none", open: [] }
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
      else if (this.#kindAt(at) === "common") continue
      else if (!fillers.has(word) || (names > 0 && !aboutWords.has(word))) return false
    }
    const kinds = this.#kinds(item)
    return names <= ITEM_WORDS_MAX && !(kinds.includes("country") && kinds.includes("channel"))
  }

  #kindOf = (range: Range): Kind => {
    const kinds = this.#kinds(range)
    const thing = kinds.find((kind) => kind === "channel" || kind === "country")
    return thing ?? (kinds.includes("word") ? "word" : "none")
  }

  /** Whether all that a cue is about was found, and is refused. */
  #refuseBy(segment: Segment, found: FoundCue, end: number, isLast: boolean): boolean {
    const [before, after] = [
      { from: segment.from, to: found.from },
      { from: found.to, to: end },
    ]
    if (found.cue === "instead") return this.#refuseThing(after)
    if (this.#isLastNo(segment, found)) return this.#refuseBefore(segment, before, after)
    if (found.cue === "have") return this.#refuseHeld(before, after)
    if (!this.#hasContent(after) && (found.cue === "after" || found.cue === "verb") && this.#hasContent(before))
      return this.#refuseBefore(segment, before, after)
    return found.cue !== "after" || segment.after === "colon"
      ? this.#refuseAfter(segment, found.cue === "no" ? "no" : "verb", after, isLast)
      : false
  }

  /** "No podcasts or radio": to the end of the clause, and perhaps of a list that goes on. */
  #refuseAfter(segment: Segment, cue: "no" | "verb", range: Range, isLast: boolean): boolean {
    const items = this.#items(range)
    if (items.length === 0) {
      const isList = isLast && (segment.after === "colon" || segment.after === "item" || segment.after === "dash")
      if (!isList) return false
      this.#list = { cue, isColon: true, kind: "none", open: [] }
      return true
    }
    if (!items.every((item) => this.#isClean(item))) return false
    const [first] = items as [Range]
    // "No podcasts and radio" says both; "no podcasts and a campaign in Spain" nobody knows.
    const hasAnd = this.#some({ from: range.from, to: (items.at(-1) as Range).from }, ({ word }) => andWords.has(word))
    const isPure = (item: Range) => this.#kindOf(item) === this.#kindOf(first) && item.to - item.from <= 2
    if (cue === "no" && hasAnd && !items.every(isPure)) return false
    for (const item of items) this.#refuse(item)
    if (isLast && segment.after === "comma") this.#list = { cue, isColon: false, kind: this.#kindOf(first), open: [] }
    return true
  }

  /** "Podcasts are out": what comes right before. */
  #refuseBefore(segment: Segment, range: Range, after: Range): boolean {
    const items = this.#items(range)
    const rest = this.#trimmed(after)
    const isShort = range.to - range.from <= SUBJECT_WORDS_MAX
    if (rest.to > rest.from || !isShort || !items.every((item) => this.#isClean(item))) return false
    for (const item of items) this.#refuse(item)
    // "TV, radio and print are out": whether the first belongs to them is not sure.
    if (items.length > 1 && segment.before === "comma" && this.#previous?.cues.length === 0) this.#doubt(this.#previous)
    return true
  }

  /** "Instead of TV we want podcasts": the thing that is named right after, and nothing more. */
  #refuseThing({ from, to }: Range): boolean {
    let start = from
    while (start < to && !this.#isThing(start) && fillers.has(this.#word(start))) start++
    let end = start
    while (end < to && this.#isThing(end)) end++
    if (end > start) this.#refuse({ from: start, to: end })
    return end > start
  }

  /** "We already have newsletters", "Radio haben wir schon": but a spot that is there already is to be used. */
  #refuseHeld(before: Range, after: Range): boolean {
    const held = !this.#hasContent(before) ? after : !this.#hasContent(after) ? before : undefined
    const isOne = /^(?:a|an|ein|eine|einen|un|une|una)$/.test(this.#word(after.from))
    if (held === undefined || isOne) return false
    const items = this.#items(held).map((item) => this.#withoutElsewhere(item))
    const isChannel = ({ from, to }: Range) =>
      to > from && this.#kinds({ from, to }).every((kind) => kind === "channel")
    if (items.length === 0 || !items.every(isChannel)) return false
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
      if (isItem && list.cue !== "unsure") for (const item of items) this.#refuse(item)
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
    if (hasOr || (hasAnd && list.cue === "verb")) {
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
