import type { Token } from "../words/tokens.ts"
import { type Clause, clausesOf, type FoundCue, isJoint, type Kind, type Range } from "./clauses.ts"
import { aboutWords, andWords, closers, conditions, fillers, orWords, pronouns, turns } from "./cues.ts"
import { type Words, weigh } from "./wishes.ts"

// Three values: what a brief wants, what it surely does not want, and what is not sure. Only constructions that can mean nothing else are
// sure; everything else with a word of negation, or not surely a wish, is quoted and only searched; a channel beside a word of negation is not
// even that.

/** What is not wanted, and the clause that says so. */
interface Refused extends Range {
  readonly clause: Range
}

const ITEM_WORDS_MAX = 4
const SUBJECT_WORDS_MAX = 7
// Between a negation and the amount that it is about.
const COMPARED =
  /^(?:above|over|more|less|higher|uber|mehr|weniger|hoher|teurer|plus|moins|dessus|depass.*|mas|menos|encima|super.*|mayor)$/
// "To leave out", "d'exclure": what somebody may do, not what is wanted.
const INFINITIVE = /^(?:exclure|eviter|evitar|excluir|descartar|prescindir)$/

const placesIn = ({ from, to }: Range) => Array.from({ length: to - from }, (_, nth) => from + nth)

/** Reads a brief clause by clause. `isAsked` tells whether a question ends it. */
export class Polarity {
  /** For each word: 1 wanted, 0 unsure, -1 unwanted. */
  readonly signs: Int8Array
  readonly unsure: Range[] = []
  unwanted: Refused[] = []
  /** The places of countries of which nobody knows whether they are wanted. */
  readonly mentioned = new Set<number>()
  /** The places of amounts that are not the buyer's, or not any more. */
  readonly others = new Set<number>()
  readonly #words: Words
  readonly #tokens: readonly Token[]
  readonly #kindAt: (at: number) => Kind
  #clause: Clause = { from: 0, to: 0, before: "stop", after: "stop", cues: [] }
  /** The clause before, where it is a list of which this one may say something. */
  #listed: Range | undefined
  #previous: Range | undefined
  /** Of what is not wanted, under a heading; whether that is sure. */
  #list: "sure" | "unsure" | undefined

  constructor(words: Words, isAsked: boolean) {
    this.#words = words
    this.#tokens = words.tokens
    this.#kindAt = words.kindAt
    this.signs = new Int8Array(words.tokens.length).fill(1)
    for (const clause of clausesOf(words.tokens, words.kindAt, isAsked)) {
      this.#clause = clause
      const cues = clause.cues.filter((cue) => !this.#isOfLimit(clause, cue))
      this.#read(cues.length === clause.cues.length ? clause : { ...clause, cues })
      this.#previous = clause
    }
  }

  #read(clause: Clause): void {
    // "Exclusions: radio; print", but not "Exclusions: radio; market: Spain".
    const goesOn = clause.before === "item" || (clause.before === "part" && clause.after !== "colon")
    if (/^(?:stop|question|item|part)$/.test(clause.before) && !goesOn) this.#list = undefined
    const [first] = clause.cues
    if (this.#list !== undefined && first === undefined) this.#goOn(clause)
    else if (first === undefined) this.#check(clause)
    else this.#negate(clause, first)
  }

  #negate(clause: Clause, first: FoundCue): void {
    this.#list = undefined
    const isSure = this.#isSure(clause)
    const unread = isSure ? clause.cues.find((cue) => !this.#refuseBy(clause, cue)) : first
    if (unread === undefined) {
      this.#check(clause)
      this.#listed = undefined
      return
    }
    // "Radio, we have had enough of that": what is said of it is said in the next clause.
    const hasPronoun = this.#some(clause, ({ word }) => pronouns.has(word))
    const isBack = hasPronoun || !this.#hasContent(clause)
    if (isBack && !this.#has(clause, "channel") && !this.#has(clause, "country")) this.#sayOf(clause, hasPronoun)
    this.#listed = undefined
    this.#doubt(clause)
    if (isSure) this.#silence(clause, unread)
    // "Media that are not accepted: radio", "Medien, die nicht zugelassen sind: Radio"; but not "sports, no football: radio".
    const isStart = clause.before !== "comma" || /^(?:die|der|das|qui|que)$/.test(this.#word(clause.from))
    const isHeading = isStart && clause.after === "colon" && unread.cue !== "prep"
    if (isHeading && !this.#has(clause, "channel")) this.#list = "unsure"
  }

  /** What is left of a clause is wanted only if it surely says so. */
  #check(clause: Clause): void {
    const inCue = (at: number) => clause.cues.some(({ from, to }) => at >= from && at < to)
    const { doubtful, others, isBare, isTold, isRemark } = weigh(
      clause,
      this.#words,
      (at) => this.signs[at] !== 1 || inCue(at),
    )
    if (isRemark && clause.cues.length === 0) this.#sayOf(clause)
    this.#mistrust(doubtful, clause)
    for (const at of doubtful) this.mentioned.add(at)
    for (const at of others) this.others.add(at)
    if (isTold) for (const at of placesIn(clause)) if (this.signs[at] === 1) this.signs[at] = 0
    this.#listed = isBare ? clause : undefined
    // "We have ruled the following out: radio".
    if (clause.after === "colon" && this.#words.roleAt(clause.to - 1) === "from") this.#list = "unsure"
  }

  /** Of the clause before, this one says something that nobody knows. */
  #sayOf({ before, from, to }: Clause, hasPronoun = false): void {
    // "We love podcasts but can't afford them": of a wish, too.
    const isTurned = hasPronoun && turns.has(this.#word(from))
    const said = isTurned ? this.#previous : this.#listed
    if (said === undefined || /^(?:stop|item|part)$/.test(before)) return
    const sure = placesIn(said).filter((at) => this.signs[at] === 1)
    const things = sure.filter(this.#isThing)
    this.#mistrust(things, { from: said.from, to })
    for (const at of sure) this.signs[at] = 0
  }

  #mistrust(places: readonly number[], clause: Range): void {
    for (const at of places) this.signs[at] = 0
    if (places.length > 0) this.unsure.push(clause)
  }

  /** Several sure cues are read only where each begins anew: "no podcasts and no radio", not "no podcasts without a host". */
  #isSure(clause: Clause): boolean {
    const { from: start, to: end, after, cues } = clause
    if (after === "question" || this.#some(clause, ({ word }) => conditions.has(word))) return false
    return cues.every(({ cue, from, to }, nth) => {
      if (cue === "unsure" && !this.#isPlainNot(clause, from)) return false
      // "Los podcasts no funcionan".
      if (to === from + 1 && to < end && this.#word(from) === "no" && from > start && this.#isName(from - 1))
        return false
      // "It would be a mistake to leave out radio", "sería un error excluir la radio"; but "à exclure : la radio".
      const isFirst = from === start || (from === start + 1 && this.#word(start) === "a")
      if (
        cue === "verb" &&
        !isFirst &&
        (INFINITIVE.test(this.#word(from)) || /^(?:to|zu|d|de)$/.test(this.#word(from - 1)))
      )
        return false
      const isJoined = [from, from - 1].some((at) => isJoint(this.#word(at)))
      return nth === 0 || (isJoined && /^(?:no|prep|verb)$/.test(cue))
    })
  }

  /** "Not radio", and nothing else in the clause. */
  #isPlainNot({ from, to }: Clause, at: number): boolean {
    const isFirst = at === from || (at === from + 1 && turns.has(this.#word(from)))
    if (!isFirst || !/^(?:not|nicht|pas)$/.test(this.#word(at))) return false
    const rest = { from: at + 1, to }
    return at + 1 < to && !this.#has(rest, "none") && !this.#has(rest, "common")
  }

  /** "Not above 18 EUR": said of an amount; but not "not our 5,000 EUR on radio". */
  #isOfLimit({ to: end }: Clause, { from, to }: FoundCue): boolean {
    let at = to
    while (at < end && !this.#words.isLimit(at) && !this.#isName(at)) at++
    return at < end && this.#words.isLimit(at) && this.#some({ from, to: at }, ({ word }) => COMPARED.test(word))
  }

  #word = (at: number) => this.#tokens[at]?.word ?? ""
  #some = ({ from, to }: Range, is: (token: Token) => boolean) => this.#tokens.slice(from, to).some(is)
  #has = (range: Range, kind: Kind) => placesIn(range).some((at) => this.#kindAt(at) === kind)
  #isName = (at: number) => this.#kindAt(at) !== "none" && this.#kindAt(at) !== "common"
  #isThing = (at: number) => this.#kindAt(at) === "channel" || this.#kindAt(at) === "country"
  #kindOf = (range: Range): Kind =>
    (["channel", "country", "word"] as const).find((kind) => this.#has(range, kind)) ?? "none"
  #hasContent = (range: Range) => this.#kindOf(range) !== "none"

  /** All parts of a list, or none if one of them is no part of a list. */
  #refuseAll(range: Range): boolean {
    const items = this.#items(range)
    const isRead = items.length > 0 && items.every((item) => this.#isClean(item))
    for (const item of isRead ? items : []) {
      this.signs.fill(-1, item.from, item.to)
      this.unwanted.push({ ...item, clause: this.#clause })
    }
    return isRead
  }

  /** What is not sure is quoted, with all of its clause; what was surely unwanted in it stays so. */
  #doubt(range: Range): void {
    if (!this.#hasContent(range) && !this.#has(range, "common")) return
    this.unwanted = this.unwanted.filter(({ from }) => from < range.from || from >= range.to)
    // Most channels beside a word of negation are refused somehow: as a word of the search each would still come first.
    for (const at of placesIn(range)) this.signs[at] = this.#kindAt(at) === "channel" ? -1 : 0
    this.unsure.push(range)
    // "We don't want radio in France": France may be where the rest is wanted.
    const channel = placesIn(range).find((at) => this.#kindAt(at) === "channel")
    for (const at of placesIn(range))
      if (channel !== undefined && at > channel && this.#kindAt(at) === "country") this.mentioned.add(at)
  }

  /** What stands behind a sure word of negation is nothing to search for, however much of it is meant. */
  #silence(clause: Clause, { cue, from, to }: FoundCue): void {
    if (!/^(?:no|prep|verb)$/.test(cue)) return
    const after = { from: to, to: clause.to }
    const range = cue !== "verb" || this.#hasContent(after) ? after : { from: clause.from, to: from }
    this.signs.fill(-1, range.from, range.to)
  }

  /** The parts of a list, without what is before and after each. */
  #items({ from, to }: Range): Range[] {
    const items: Range[] = []
    let start = from
    for (let at = from; at <= to; at++) {
      const isEnd = at < to && this.#kindAt(at) === "none" && isJoint(this.#word(at))
      const isNext = at > start && /^(?:join|comma)$/.test(this.#tokens[at]?.gap ?? "")
      if (at < to && !isEnd && !isNext) continue
      const item = this.#trimmed({ from: start, to: at })
      if (item.to > item.from) items.push(item)
      start = isEnd ? at + 1 : at
    }
    return items
  }

  #trimmed({ from, to }: Range): Range {
    let [start, end] = [from, to]
    while (start < end && fillers.has(this.#word(start)) && this.#kindAt(start) === "none") start++
    while (end > start && closers.has(this.#word(end - 1)) && this.#kindAt(end - 1) === "none") end--
    return { from: start, to: end }
  }

  /** A few words that name something, and nothing that could turn them: no verb, no place or time for which alone it is said. */
  #isClean(item: Range): boolean {
    let names = 0
    for (let at = item.from; at < item.to; at++) {
      if (this.#isName(at)) names++
      else if (this.#kindAt(at) === "common" && this.#isLess(item, at)) return false
      else if (this.#kindAt(at) === "none" && !(names === 0 ? fillers : aboutWords).has(this.#word(at))) return false
    }
    const isOne = !(this.#has(item, "country") && this.#has(item, "channel"))
    return isOne && names > 0 && names <= ITEM_WORDS_MAX && item.to - item.from <= ITEM_WORDS_MAX + 1
  }

  /** "No expensive podcasts", "no lobster jokes", "pas de podcasts trop longs": less than what is named beside the word. */
  #isLess({ from, to }: Range, at: number): boolean {
    const { language } = this.#words
    const isBehind = at > from && this.#isThing(at - 1)
    if (language === "fr" || language === "es") return isBehind
    if (at + 1 < to && this.#isThing(at + 1)) return true
    const isOfWord = at > from && this.#kindAt(at - 1) === "word"
    return (isOfWord || (isBehind && language === undefined)) && this.#words.roleAt(at) !== "plain"
  }

  /** Whether all that a cue is about was found, and is refused. */
  #refuseBy(clause: Clause, { cue, from, to }: FoundCue): boolean {
    const next = clause.cues.find((other) => other.from > from)
    const before = { from: clause.from, to: from }
    const after = { from: to, to: next?.from ?? clause.to }
    const isBefore = cue === "after" || !this.#hasContent(after)
    if (cue === "have" && !this.#isHeld(isBefore ? before : after)) return false
    // "Podcasts are out", but "excluded: podcasts".
    if (isBefore && this.#hasContent(before)) {
      const rest = this.#trimmed(after)
      return rest.to === rest.from && from - clause.from <= SUBJECT_WORDS_MAX && this.#refuseAll(before)
    }
    return this.#refuseAfter(clause, cue, after, next === undefined)
  }

  /** "We already have newsletters", "Radio haben wir schon": but a spot that is there already is to be used. */
  #isHeld(range: Range): boolean {
    const isOne = /^(?:an?|eine?n?|une?|una)$/.test(this.#word(range.from))
    return !isOne && this.#items(range).every((item) => placesIn(item).every((at) => this.#kindAt(at) === "channel"))
  }

  /** "No podcasts or radio": to the end of the clause. */
  #refuseAfter({ after }: Clause, cue: FoundCue["cue"], range: Range, isLast: boolean): boolean {
    const [first, ...others] = this.#items(range)
    if (first === undefined) {
      const isList = isLast && /^(?:colon|item|dash)$/.test(after)
      if (isList) this.#list = "sure"
      return isList
    }
    const kind = this.#kindOf(first)
    if (after === "colon" && kind === "word") return false
    // "No podcasts and radio" says both; "no podcasts and a campaign in Spain" or "no podcasts, radio and print" nobody knows.
    const hasAnd = others.length > 0 && cue !== "verb" && this.#some(range, ({ word }) => andWords.has(word))
    const isPure = (item: Range) => this.#kindOf(item) === kind && item.to - item.from <= 2
    const isListed = others.length > 1 && !this.#some(range, ({ word }) => orWords.has(word))
    return !(hasAnd && (isListed || ![first, ...others].every(isPure))) && this.#refuseAll(range)
  }

  /** What comes under a heading: from what is no part of a list nobody knows what is. */
  #goOn(clause: Clause): void {
    const isSure = this.#list === "sure" && clause.before !== "part" && this.#refuseAll(clause)
    if (!isSure) this.#doubt(clause)
    const goesOn = /^(?:comma|item|dash|part)$/.test(clause.after)
    this.#list = goesOn ? (isSure ? "sure" : "unsure") : undefined
  }
}
