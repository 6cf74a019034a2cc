import type { Token } from "../words/tokens.ts"
import { roleOf, type Words, weigh } from "./certain.ts"
import { type Clause, clausesOf, type FoundCue, type Range } from "./clauses.ts"
import { aboutWords, andWords, closers, conditions, fillers, orWords, pronouns, turns, wanting } from "./cues.ts"

// Three values: what a brief wants, what it surely does not want, and what is not sure. Only constructions that can mean nothing else are
// sure; everything else with a word of negation, or not surely a wish, is quoted and only searched;
// a channel beside a word of negation is not even that.

/** What the word at a place is: of a thing, to be searched for, one that everybody uses, or without a meaning of its own. */
export type Kind = "channel" | "country" | "word" | "common" | "none"

/** What is not wanted, and the clause that says so. */
interface Refused extends Range {
  readonly clause: Range
}

/** A list of what is not wanted, to which the next clauses may belong. */
interface List {
  readonly cue: "no" | "verb"
  readonly isColon: boolean
  readonly kind: Kind
  readonly open: Range[]
  isSure: boolean
}

const ENDS = /^(?:stop|question|item|part)$/
const ITEM_WORDS_MAX = 4
const SUBJECT_WORDS_MAX = 7
// Between a negation and the amount that it is about.
const COMPARED =
  /^(?:above|over|more|less|higher|greater|beyond|exceed.*|uber|mehr|weniger|hoher|teurer|oberhalb|ubersteig.*|uberschreit.*|plus|moins|dessus|depass.*|exced.*|mas|menos|encima|super(?:ar|en|e)|superieure?|superior|mayor)$/
// Beside what is there already.
const ELSEWHERE =
  /^(?:elsewhere|booked|running|gebucht|anderweitig|woanders|ailleurs|reserv[eé]e?s?|contratad[oa]s?|nosotros)$/

const placesIn = ({ from, to }: Range) => Array.from({ length: to - from }, (_, nth) => from + nth)

/** Reads a brief clause by clause. `isAsked` tells whether a question ends it. */
export class Polarity {
  /** For each word: 1 wanted, 0 unsure, -1 unwanted. */
  readonly signs: Int8Array
  readonly unsure: Range[] = []
  unwanted: Refused[] = []
  /** The places of countries of which nobody knows whether they are wanted. */
  readonly mentioned = new Set<number>()
  /** What the clause before names that is not sure. */
  #mistrusted: Kind | undefined
  /** The places of things that it lists. */
  #listed: readonly number[] = []
  readonly #words: Words
  readonly #tokens: readonly Token[]
  readonly #kindAt: (at: number) => Kind
  #list: List | undefined
  #clause: Range = { from: 0, to: 0 }
  #previous: Clause | undefined

  constructor(words: Words, isAsked: boolean) {
    this.#words = words
    this.#tokens = words.tokens
    this.#kindAt = words.kindAt
    this.signs = new Int8Array(words.tokens.length).fill(1)
    for (const whole of clausesOf(words.tokens, isAsked)) {
      const cues = whole.cues.filter((cue) => !this.#isOfLimit(whole, cue))
      const clause = cues.length < whole.cues.length ? { ...whole, cues } : whole
      this.#clause = clause
      this.#read(clause)
      if (clause.cues.length > 0) this.#listed = []
      this.#previous = clause
    }
    this.#closeList()
  }

  #read(clause: Clause): void {
    // "Exclusions: radio; print", but not "Exclusions: radio; market: Spain".
    const goesOn = clause.before === "item" || (clause.before === "part" && clause.after !== "colon")
    if (ENDS.test(clause.before) && !(goesOn && this.#list?.isColon)) this.#closeList()
    const [first] = clause.cues
    if (first === undefined) {
      if (this.#list !== undefined) this.#goOn(clause, this.#list)
      if (this.#list === undefined) this.#check(clause)
      return
    }
    // "Pas de podcasts, de radio ni de télé": what is before "ni" belongs to the list.
    const before = { from: clause.from, to: first.from }
    const isInList = this.#list !== undefined && orWords.has(this.#word(first.from)) && this.#hasContent(before)
    this.#closeList()
    const isSure = this.#isSure(clause)
    const unread = isSure ? clause.cues.find((cue) => !this.#refuseBy(clause, cue)) : first
    if (unread === undefined) {
      if (isInList) this.#refuseAll(before)
      this.#check(clause)
      return
    }
    // "Radio, we have had enough of that": what is said of it is said in the next clause.
    const hasPronoun = this.#some(clause, ({ word }) => pronouns.has(word))
    const isBack = hasPronoun || !this.#hasContent(clause)
    if (isBack && !/channel|country/.test(this.#kindOf(clause))) this.#sayOf(clause, hasPronoun)
    this.#doubt(clause)
    if (isSure) this.#silence(clause, unread)
    // "Germany, please not: radio", or "Podcasts, no: radio"; but not "sports yes, football no: radio".
    let start = unread.from
    while (start > clause.from && this.#tokens[start]?.gap === "space") start--
    const isAlone = unread.to === clause.to && !this.#hasContent({ from: start, to: unread.from })
    // "Media that are not accepted: radio".
    const isHeading = clause.after === "colon" && !this.#has(clause, "channel")
    if (isHeading || (isAlone && /^(?:colon|dash)$/.test(clause.after)))
      this.#list = { cue: "no", isColon: true, kind: "none", open: [], isSure: false }
  }

  /** What is left of a clause is wanted only if it surely says so. */
  #check(clause: Clause): void {
    const inCue = (at: number) => clause.cues.some(({ from, to }) => at >= from && at < to)
    const weighed = weigh(clause, this.#words, (at) => this.signs[at] !== 1 || inCue(at))
    const { doubtful, listed, isTold, isRemark } = weighed
    const [isNext, kind] = [clause.before === "comma", this.#kindOf(clause)]
    // "TV, radio and print bore us"; "radio: overrated".
    const isList = doubtful.length > 0 && isNext && this.#some(clause, ({ word }) => this.#isJoint(word))
    if (isList || (isRemark && clause.cues.length === 0)) this.#sayOf(clause)
    // "We swore off TV, radio and print".
    const places = isNext && doubtful.length === 0 && this.#mistrusted === kind ? listed : doubtful
    this.#mistrust(places, clause)
    for (const at of places) this.mentioned.add(at)
    if (isTold) for (const at of placesIn(clause)) if (this.signs[at] === 1) this.signs[at] = 0
    this.#mistrusted = places.length > 0 ? kind : undefined
    this.#listed = listed
  }

  /** Of a list that the clause before is, this one says something that nobody knows. */
  #sayOf({ before, from, to }: Clause, hasPronoun = false): void {
    const previous = this.#previous
    if (previous === undefined || /^(?:stop|item|part)$/.test(before)) return
    // "We love podcasts but can't afford them": of a wish, too.
    const isTurned = hasPronoun && turns.has(this.#word(from))
    const wished = () => placesIn(previous).filter((at) => this.#isThing(at) && this.signs[at] === 1)
    this.#mistrust(isTurned ? wished() : this.#listed, { from: previous.from, to })
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
      if (cue === "verb" && !this.#isWanted(start, from)) return false
      const isJoined = [from, from - 1].some((at) => orWords.has(this.#word(at)) || andWords.has(this.#word(at)))
      return nth === 0 || (isJoined && [cue, cues[0]?.cue].every((each) => each === "no" || each === "verb"))
    })
  }

  /** "We want to leave out radio", not "It would be a mistake to leave out radio", nor "Sería un error excluir la radio". */
  #isWanted(start: number, at: number): boolean {
    const isPlain = !/^(?:exclure|eviter|proscrire|renoncer|evitar|excluir|descartar|prescindir)$/.test(this.#word(at))
    const isBehind = /^(?:to|zu|d|de)$/.test(this.#word(at - 1))
    // "À exclure : la radio".
    const isFirst = at === start || (at === start + 1 && this.#word(start) === "a")
    const before = isBehind ? at - 2 : at - 1
    return isFirst || (isPlain && !isBehind) || (before >= start && wanting.has(this.#word(before)))
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
  #isJoint = (word: string) => orWords.has(word) || andWords.has(word)

  #refuse(range: Range): void {
    this.signs.fill(-1, range.from, range.to)
    this.unwanted.push({ ...range, clause: this.#clause })
  }

  /** All parts of a list, or none if one of them is no part of a list. */
  #refuseAll(range: Range): boolean {
    const items = this.#items(range)
    const isRead = items.length > 0 && items.every((item) => this.#isClean(item))
    if (isRead) for (const item of items) this.#refuse(item)
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
    if (cue !== "no" && cue !== "verb") return
    const after = { from: to, to: clause.to }
    const range = cue === "no" || this.#hasContent(after) ? after : { from: clause.from, to: from }
    this.signs.fill(-1, range.from, range.to)
  }

  /** The parts of a list, without what is before and after each. */
  #items({ from, to }: Range): Range[] {
    const items: Range[] = []
    let start = from
    for (let at = from; at <= to; at++) {
      const isJoint = at < to && this.#kindAt(at) === "none" && this.#isJoint(this.#word(at))
      const isJoined = at > start && this.#tokens[at]?.gap === "join"
      if (at < to && !isJoint && !isJoined) continue
      const item = this.#trimmed({ from: start, to: at })
      if (item.to > item.from) items.push(item)
      start = isJoint ? at + 1 : at
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
    return (isOfWord || (isBehind && language === undefined)) && roleOf(this.#word(at), language) !== "plain"
  }

  /** Whether all that a cue is about was found, and is refused. */
  #refuseBy(clause: Clause, { cue, from, to }: FoundCue): boolean {
    const next = clause.cues.find((other) => other.from > from)
    const [before, after] = [
      { from: clause.from, to: from },
      { from: to, to: next?.from ?? clause.to },
    ]
    if (cue === "instead") return this.#refuseThing(after)
    if (cue === "have") return this.#refuseHeld(before, after)
    if (cue === "after" || ((cue === "verb" || cue === "no") && !this.#hasContent(after) && this.#hasContent(before)))
      return this.#refuseBefore(clause, before, after)
    return this.#refuseAfter(clause, cue === "verb" ? "verb" : "no", after, next === undefined)
  }

  /** "No podcasts or radio": to the end of the clause, and perhaps of a list that goes on. */
  #refuseAfter({ after }: Clause, cue: "no" | "verb", range: Range, isLast: boolean): boolean {
    const [first, ...others] = this.#items(range)
    const isList = isLast && /^(?:colon|item|dash)$/.test(after)
    if (first === undefined) {
      if (isList) this.#list = { cue, isColon: true, kind: "none", open: [], isSure: true }
      return isList
    }
    const kind = this.#kindOf(first)
    if (after === "colon" && kind === "word") return false
    // "No podcasts and radio" says both; "no podcasts and a campaign in Spain" nobody knows.
    const hasAnd = others.length > 0 && cue === "no" && this.#some(range, ({ word }) => andWords.has(word))
    const isPure = (item: Range) => this.#kindOf(item) === kind && item.to - item.from <= 2
    if ((hasAnd && ![first, ...others].every(isPure)) || !this.#refuseAll(range)) return false
    if (isLast && after === "comma") this.#list = { cue, isColon: false, kind, open: [], isSure: true }
    return true
  }

  /** "Podcasts are out": what comes right before. */
  #refuseBefore(clause: Clause, before: Range, after: Range): boolean {
    // "Excluded: podcasts".
    if (!this.#hasContent(before)) return this.#refuseAfter(clause, "verb", after, true)
    const rest = this.#trimmed(after)
    const isShort = before.to - before.from <= SUBJECT_WORDS_MAX
    if (rest.to > rest.from || !isShort || !this.#refuseAll(before)) return false
    // "TV, radio and print are out": whether the first belongs to them is not sure.
    const isList = this.#some(before, ({ word }) => this.#isJoint(word))
    if (isList && clause.before === "comma" && this.#previous?.cues.length === 0) this.#doubt(this.#previous)
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
    if (held === undefined || /^(?:an?|eine?n?|une?|una)$/.test(this.#word(after.from))) return false
    let end = held.to
    while (end > held.from && ELSEWHERE.test(this.#word(end - 1))) end--
    const range = { from: held.from, to: end }
    const isChannel = (item: Range) => placesIn(item).every((at) => this.#kindAt(at) === "channel")
    return this.#items(range).every(isChannel) && this.#refuseAll(range)
  }

  /** A clause without a cue: wanted, unless a list of what is not wanted goes on. */
  #goOn(clause: Clause, list: List): void {
    const items = this.#items(clause)
    const isItem = items.length > 0 && items.every((item) => this.#isClean(item))
    if (list.isColon) {
      // "No: give me radio": from what is no part of a list nobody knows what is.
      list.isSure &&= isItem && clause.before !== "part"
      if (list.isSure) this.#refuseAll(clause)
      else this.#doubt(clause)
      if (!/^(?:comma|item|dash|part)$/.test(clause.after)) this.#list = undefined
      return
    }
    const isSame = items.some((item) => this.#kindOf(item) === list.kind)
    if (!isItem || turns.has(this.#word(clause.from)) || !isSame) {
      this.#closeList()
      return
    }
    list.open.push(...items)
    const hasOr = this.#some(clause, ({ word }) => orWords.has(word))
    const hasAnd = this.#some(clause, ({ word }) => andWords.has(word))
    if (hasOr || (hasAnd && list.cue === "verb")) {
      for (const item of list.open) this.#refuse(item)
      this.#list = undefined
    } else if (hasAnd || clause.after !== "comma") this.#closeList()
  }

  /** Without "or" nobody knows whether it went on: "no podcasts, radio". */
  #closeList(): void {
    const [first, last] = [this.#list?.open[0], this.#list?.open.at(-1)]
    this.#list = undefined
    if (first !== undefined && last !== undefined) this.#doubt({ from: first.from, to: last.to })
  }
}
