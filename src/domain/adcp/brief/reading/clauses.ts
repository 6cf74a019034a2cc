import type { Gap, Token } from "../words/tokens.ts"
import { andWords, answers, type Cue, closers, cues, fillers, orWords, turns } from "./cues.ts"

/** What the word at a place is: of a thing, to be searched for, one that everybody uses, or without a meaning of its own. */
export type Kind = "channel" | "country" | "word" | "common" | "none"

export interface Range {
  readonly from: number
  readonly to: number
}

export interface FoundCue extends Range {
  readonly cue: Exclude<Cue, "fine">
}

export interface Clause extends Range {
  readonly before: Gap
  /** What ends it. */
  readonly after: Gap
  readonly cues: readonly FoundCue[]
}

// "Podcast-free".
const FREE = /^(?:free|freie?[mnrs]?)$/
const WEAK = /^(?:space|hyphen|join)$/

/** Clauses, with their cues: between commas and other signs, before "but" and before "without". A list of things is in one clause. */
export function clausesOf(tokens: readonly Token[], kindAt: (at: number) => Kind, isAsked: boolean): Clause[] {
  const clauses: Clause[] = []
  let [from, inCue, inList]: [number, number, number] = [0, 0, 0]
  let own: FoundCue[] = []
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at]
    if (token?.gap === "comma" && at >= inList) inList = listEnd(tokens, kindAt, at, own.length > 0)
    const isWeak = token !== undefined && (WEAK.test(token.gap) || at < inList)
    const found = token === undefined || at < inCue ? undefined : cueAt(tokens, at)
    const isTurn =
      found?.cue === "prep" ? own.length === 0 : token !== undefined && at >= inCue && turns.has(token.word)
    if (at > from && (!isWeak || isTurn)) {
      const after = token === undefined ? (isAsked ? "question" : "stop") : isWeak ? "comma" : token.gap
      addTo(clauses, { from, to: at, before: clauses.at(-1)?.after ?? "stop", after, cues: own }, tokens)
      ;[from, own] = [at, []]
    }
    if (found === undefined) continue
    inCue = found.to
    if (found.cue !== "fine") own.push({ ...found, cue: found.cue })
  }
  return clauses
}

function cueAt(tokens: readonly Token[], at: number): (Range & { readonly cue: Cue }) | undefined {
  const { gap, word, raw } = tokens[at] as Token
  if (gap === "hyphen" && FREE.test(word)) return { cue: "after", from: at, to: at + 1 }
  const found = cues().at(tokens, at)
  // The French "n'" has a small letter.
  return found === undefined || raw === "N" ? undefined : { cue: found.value, from: at, to: at + found.words.length }
}

/** Where the list ends that goes on after the comma here: "TV, radio and print", all of one kind. The same place where there is none. */
function listEnd(tokens: readonly Token[], kindAt: (at: number) => Kind, comma: number, isNegated: boolean): number {
  const kind = kindAt(comma - 1)
  if (kind !== "channel" && kind !== "country" && !(isNegated && kind === "word")) return comma
  for (let at = comma; at < tokens.length; ) {
    const isLast = isJoint(tokens[at]?.word ?? "")
    if (isLast) at++
    while (at < tokens.length && kindAt(at) !== kind && fillers.has(tokens[at]?.word ?? "")) at++
    if (kindAt(at) !== kind) return comma
    at++
    while (kindAt(at) === kind && tokens[at]?.gap !== "comma") at++
    if (isLast) return at
    if (tokens[at]?.gap !== "comma" && !isJoint(tokens[at]?.word ?? "")) return comma
  }
  return comma
}

export const isJoint = (word: string): boolean => orWords.has(word) || andWords.has(word)

/**
 * "Radio no": an answer at the end of a clause is said of what is before it. Alone it belongs to the clause before, "Radio? No, thanks.",
 * unless it begins something: "Podcasts, no: radio".
 */
function addTo(clauses: Clause[], clause: Clause, tokens: readonly Token[]): void {
  const word = (at: number) => tokens[at]?.word ?? ""
  // "Ne voulons pas de" has one negation, and so has "already booked elsewhere".
  const hasHave = clause.cues.some(({ cue }) => cue === "have")
  const cues = clause.cues.filter(
    ({ cue, from }) => clause.cues.length === 1 || !(/^ne?$/.test(word(from)) || (hasHave && cue === "unsure")),
  )
  const [previous, last] = [clauses.at(-1), cues.at(-1)]
  const isAnswer = last !== undefined && /^(?:no|after|unsure)$/.test(last.cue) && isEnd(last, clause, word)
  if (!isAnswer || orWords.has(word(last.from - 1))) {
    clauses.push({ ...clause, cues })
    return
  }
  const isOpen = clause.after === "colon" || clause.after === "dash"
  const said = { cue: isOpen ? "unsure" : "after", from: last.from, to: clause.to } as const
  let start = last.from
  while (start > clause.from && closers.has(word(start - 1))) start--
  if (start > clause.from) clauses.push({ ...clause, cues: [...cues.slice(0, -1), said] })
  else if (previous?.cues.length === 0 && !/^(?:stop|item|part)$/.test(clause.before))
    clauses.splice(-1, 1, { ...clause, from: previous.from, before: previous.before, cues: [said] })
  else clauses.push({ ...clause, cues })
}

/** Whether nothing but thanks comes after a cue that answers. */
function isEnd({ cue, from, to }: FoundCue, clause: Range, word: (at: number) => string): boolean {
  if (cue !== "after" && !(to === from + 1 && answers.has(word(from))) && cue !== "no") return false
  for (let at = to; at < clause.to; at++) if (!closers.has(word(at))) return false
  return true
}
