import type { Item } from "./letters.ts"
import { wishesIn } from "./wishes.ts"

// Refusals are shapes of letters. Sure is what can mean nothing else; any other clause with a word of refusal, of what was, of others or under a
// condition is quoted whole, and nothing in it counts as understood. All letters are explained in letters.ts; here there are only:
//
//   C channel, B banners, P country, d amount, w word, f word that says nothing, o or, a and, b but, e only, and the signs . ? i ; : ,
//   N n X H not wanted is what comes next, A what comes before, S perhaps something in the clause, T told of others, U under a condition
//
//   "No podcasts, radio or print."      nC,CoC.     refused: behind n, N or X, to the end of the list
//   "Please avoid radio and print."     fHCaC.      refused: behind H, at the start of a clause
//   "Podcasts and radio are out."       CaCA.       refused: before A or n, at the end of a clause
//   "Excluded channels: radio, print."  Af:C,C.     refused: each part under a heading that is nothing but a thing
//   "We never liked local radio."       fSwwC.      doubtful, and quoted: a cue, and no such shape
//   "Last year we ran radio."           TfwC.       open, and quoted: to the end of the sentence, or to where it turns

/**
 * What a brief says of an item. Open: said under a condition, or where something comes from. Doubtful: in a clause that perhaps refuses what is
 * named in it. Denied: in such a clause that names no channel and no country, so that its words may be what is refused. The higher one counts.
 */
export const SIGN = { plain: 0, open: 1, doubtful: 2, denied: 3, refused: 4 } as const
type Sign = (typeof SIGN)[keyof typeof SIGN]

export interface Refusals {
  readonly signs: Sign[]
  /** 1 for channels and countries that are surely wished for. */
  readonly isWished: Uint8Array
  /** Of items: what is quoted. */
  readonly quoted: [from: number, to: number][]
}

const CUE = /[nNXHAS]/
const NAMED = /[wBCPd]/
const CLAUSES_BACK = 3
const LIST = /^f*[CBPw]{1,3}f*[oa][nN]?f*[CBPw]{1,3}f*$/
const BARE = /^f*[CBP](?:[oa]?f*[CBP])*[fw]{0,2}$/
// Before and behind a shape: nothing else in its clause.
const END = "(?=f*(?:[.,:;bi]|$))"
const START = "(?<=(?:^|[.,:;bi?])f*)"

/** "No podcasts, radio or print", "Avoid radio and print", "Podcasts and radio are out": nothing else in the clause that could turn it. */
function shapesOf(thing: string): readonly RegExp[] {
  const next = `${thing}(?:(?:,f*${thing})*,?(?:o[nN]?|a[nN]|[nN])f*${thing}|af*${thing})*`
  const before = `${thing}(?:(?:,f*${thing})*,?[oa]f*${thing})*`
  return [
    new RegExp(`(?<![nNXHASTU][^.,:;bi?]*)[nNX]f*${next}${END}`, "g"),
    new RegExp(`${START}Hf*${next}${END}`, "g"),
    // Before a colon it is the heading of what comes next.
    new RegExp(`${START}${before}[,:?]?f*[An]${END}(?!f*:)`, "g"),
  ]
}

const sureShapes = ["C", "P"].flatMap(shapesOf)
// "Excluded channels:", "Medien, die nicht zugelassen sind:", "No:"; then parts without a label of their own, to the end of the sentence.
// Another heading behind a comma ends it: "Excluded: radio, not wanted: print".
const PART = "(?:(?!,[fwao]*[HANSX][fwao]*:)[^.;:?])*"
const BODY = `${PART}(?:;(?=[^.;:]*(?:[.;?]|$))${PART})*`
const ONLY_THINGS = "f*[CP]f*(?:[,;oai]+f*[CP]f*)*(?=[.?]|$)"
const COLON = "[:i](?!f*e)"
const HEADING = new RegExp(
  `(?<=^|[.?i;,])(?:[fwao,]{0,6}[HA][fwao]{0,4}${COLON}${BODY}|[fwao]{0,3}[NSX][fwao]{0,3}${COLON}${BODY}|f*nf*:${ONLY_THINGS})`,
  "g",
)
const HEADING_ITEM = /(?<=[:,;oai]f*)[CP](?=f*(?:[,;oai.]|$))/g
const CLAUSE = /b?[^.,:;bi?]+/g
// "From Italy", "made in Vicenza, Italy".
const ORIGIN = /(?<=g[^.,:;bi?W]*,?)[Pc]/g
// To the end of the sentence, or to where it turns.
const TOLD = /[TU][^.?ib]*/g

/** `isIn` tells the places that stand behind a word for "in". */
export function refusalsIn(items: readonly Item[], isIn: (nth: number) => boolean): Refusals {
  const written = items.map(({ letter }) => letter).join("")
  const cued = written
    .replaceAll("D", "C")
    .replace(/(?<=r[^.,:;bi?]*)q(?=[fp]*[CBP])/g, "X")
    .replaceAll("q", "k")
  const letters = cued.replace(/[gpzKrk]/g, "f").replace(/[WtmGc]/g, "w")
  const shapes = new Shapes(letters)
  if (/[nNXHASTU]/.test(letters)) shapes.read()
  for (const { index } of written.matchAll(ORIGIN)) shapes.raise(index, index + 1, SIGN.open)
  const left = shapes.left(cued.replaceAll("c", "P"))
  const isWished = wishesIn(left, written, isIn)
  const { signs, quoted } = shapes
  let end = 0
  for (const { index } of letters.matchAll(/[CBP]/g))
    if (index >= end && isWished[index] === 0 && signs[index] === SIGN.plain) {
      const clause = withNext(letters, clauseAround(letters, index))
      quoted.push(clause)
      end = clause[1]
    }
  return { signs, isWished, quoted }
}

const ENDS = ".,:;bi?"

function clauseAround(letters: string, at: number): [number, number] {
  let [start, end] = [at, at + 1]
  while (start > 0 && !ENDS.includes(letters[start - 1] as string)) start--
  while (end < letters.length && !ENDS.includes(letters[end] as string)) end++
  return [start, end]
}

/** "Banners, he has heard enough of them": of things alone the next clause tells what is said of them. */
function withNext(letters: string, [start, end]: [number, number]): [number, number] {
  const isAlone = BARE.test(letters.slice(start, end)) && /[,:?]/.test(letters[end] ?? "") && end + 1 < letters.length
  return [start, isAlone ? clauseAround(letters, end + 1)[1] : end]
}

/** "Print instead of something digital": what is before such words is not meant by them, unless nothing comes after: "radio excepted". */
const leftOf = (clause: string) =>
  /^[^nNHASTUX]*X.*[CBPw]/.test(clause) && !/[nNHASTU]/.test(clause) ? clause.indexOf("X") : 0

class Shapes {
  readonly signs: Sign[]
  readonly quoted: [number, number][] = []
  readonly #letters: string
  /** With "only" in it. */
  readonly #written: string
  /** 1 for what belongs to a sure refusal. */
  readonly #isRead: Uint8Array

  constructor(letters: string) {
    this.#written = letters
    this.#letters = letters.replaceAll("e", "f")
    this.signs = new Array<Sign>(letters.length).fill(SIGN.plain)
    this.#isRead = new Uint8Array(letters.length)
  }

  read(): void {
    for (const shape of sureShapes)
      for (const { index, 0: found } of this.#written.matchAll(shape)) this.#refuse(index, index + found.length)
    for (const { index, 0: found } of this.#written.matchAll(HEADING)) this.#readList(index, found)
    for (const { index, 0: found } of this.#letters.matchAll(TOLD)) this.#doubtAfter(index, found)
    let before: [number, number] = [0, 0]
    for (const { index, 0: clause } of this.#letters.matchAll(CLAUSE)) {
      this.#readClause(index, clause, before)
      before = [index, index + clause.length]
    }
  }

  /** The letters without sure refusals. */
  left(letters: string): string {
    return Array.from(letters, (letter, at) => (this.#isRead[at] === 1 && !ENDS.includes(letter) ? "f" : letter)).join(
      "",
    )
  }

  raise(from: number, to: number, sign: Sign): void {
    for (let at = from; at < to; at++) if ((this.signs[at] as Sign) < sign) this.signs[at] = sign
  }

  /** Under a heading each part that is nothing but a thing is surely refused; the others are quoted. */
  #readList(start: number, found: string): void {
    const colon = start + found.search(/[:i]/)
    const end = start + found.length
    this.#isRead.fill(1, start, end)
    this.raise(colon, end, SIGN.doubtful)
    const list = this.#letters.slice(colon, end)
    // "Nothing indoors: radio" names more than a heading does.
    const isSure = !/[NSX]/.test(found.slice(0, colon - start)) || !found.slice(0, colon - start).includes("w")
    if (isSure) for (const { index } of list.matchAll(HEADING_ITEM)) this.signs[colon + index] = SIGN.refused
    for (const { index, 0: part } of list.matchAll(/[^:,;i]+/g)) {
      const [from, to] = [colon + index, colon + index + part.length]
      const isLeft = /[wBCPdnNXHASTU]/.test(part) && !this.#isAllRefused(from, to)
      if (isLeft) this.#doubt(from, to)
    }
    // A heading above nothing, or above what is no list.
    if (!/[CBPw]/.test(list)) this.quoted.push([start, end])
  }

  #isAllRefused(from: number, to: number): boolean {
    for (let at = from; at < to; at++)
      if (/[wBCPdnNXHASTU]/.test(this.#letters[at] ?? "") && this.signs[at] !== SIGN.refused) return false
    return true
  }

  #refuse(from: number, to: number): void {
    this.#isRead.fill(1, from, to)
    for (let at = from; at < to; at++) if (/[CPnNXHA]/.test(this.#letters[at] ?? "")) this.signs[at] = SIGN.refused
  }

  /** Told of others, of what was, or under a condition. */
  #doubtAfter(index: number, found: string): void {
    const [start] = clauseAround(this.#letters, index)
    const [from, to] = [start, index + found.length]
    this.raise(from, to, SIGN.open)
    if (/[CBPd]/.test(this.#letters.slice(from, to))) this.quoted.push([from, to])
  }

  #readClause(index: number, clause: string, before: readonly [number, number]): void {
    const isOpen = [...clause].some((letter, nth) => CUE.test(letter) && this.#isRead[index + nth] === 0)
    // "Radio, we have had enough of that", "TV? I doubt it": said of the bare things before it.
    const isSaidOf =
      /[,:?]/.test(this.#letters[index - 1] ?? "") &&
      !/[CBP]|[nNXH].*w/.test(clause) &&
      BARE.test(this.#letters.slice(...before))
    // "Better not go near billboards, screens or posters".
    const isDoubted = (this.signs[before[1] - 1] ?? SIGN.plain) >= SIGN.doubtful && this.#letters[index - 1] === ","
    const isRest = isDoubted && LIST.test(clause)
    if (((isOpen || clause.includes("T")) && isSaidOf) || isRest) this.#doubt(before[0], index + clause.length)
    else if (isOpen) this.#doubt(index + leftOf(clause), index + clause.length)
  }

  #doubt(from: number, to: number): void {
    const clause = this.#letters.slice(from, to)
    this.raise(from, to, /[CBP]/.test(clause) ? SIGN.doubtful : SIGN.denied)
    // "Hockey, please, but not for us": without what is before it nobody would know what is meant.
    let start = from
    for (let nth = 0; nth < CLAUSES_BACK && start > 0 && !NAMED.test(this.#letters.slice(start, to)); nth++) {
      if (!/[b,:?]/.test(this.#letters.slice(start - 1, start + 1))) break
      start = clauseAround(this.#letters, Math.max(0, start - (this.#letters[start] === "b" ? 1 : 2)))[0]
    }
    if (NAMED.test(this.#letters.slice(start, to))) this.quoted.push([start, to])
  }
}
