import type { Gap, Token } from "../words/tokens.ts"
import { answers, type Cue, closers, cues, orWords, turns } from "./cues.ts"

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

/** Clauses, with their cues: between commas and other signs, and before "but". */
export function clausesOf(tokens: readonly Token[], isAsked: boolean): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  let own: FoundCue[] = []
  let inCue = 0
  for (let at = 0; at <= tokens.length; at++) {
    const token = tokens[at]
    const isWeak = token !== undefined && /^(?:space|hyphen|join)$/.test(token.gap)
    if (at > from && (!isWeak || (at >= inCue && turns.has(token.word)))) {
      const after = token === undefined ? (isAsked ? "question" : "stop") : isWeak ? "comma" : token.gap
      // "Already booked elsewhere" is one cue, and so is "ne voulons pas de".
      const isOne = own.some(({ cue }) => cue === "have")
      const isNe = (at: number) =>
        /^ne?$/.test(tokens[at]?.word ?? "") && own.some((next) => next.cue === "no" && next.from > at)
      const found = own.filter((each) => each.cue !== "unsure" || !(isOne || isNe(each.from)))
      addTo(clauses, { from, to: at, before: clauses.at(-1)?.after ?? "stop", after, cues: found }, tokens)
      ;[from, own] = [at, []]
    }
    // The French "n'" has a small letter.
    if (token === undefined || at < inCue || token.raw === "N") continue
    const found = cues().at(tokens, at)
    const cue = token.gap === "hyphen" && FREE.test(token.word) ? "after" : found?.value
    if (found !== undefined) inCue = at + found.words.length
    const to = Math.max(inCue, at + 1)
    if (cue !== undefined && cue !== "fine") own.push({ cue, from: at, to })
  }
  return clauses
}

/**
 * "Radio no": an answer at the end of a clause is said of what is before it. Alone it belongs to the clause before, "Radio? No, thanks.",
 * unless it begins something: "Podcasts, no: radio".
 */
function addTo(clauses: Clause[], clause: Clause, tokens: readonly Token[]): void {
  const [previous, last] = [clauses.at(-1), clause.cues.at(-1)]
  if (last === undefined || !isAnswer(tokens, last.from, clause.to)) {
    clauses.push(clause)
    return
  }
  const isOpen = clause.after === "colon" || clause.after === "dash"
  const isAlone = last.from === clause.from
  const isNext = previous?.cues.length === 0 && !/^(?:stop|item|part)$/.test(clause.before)
  const said = { cue: isOpen ? "unsure" : "after", from: last.from, to: clause.to } as const
  if (isAlone && isNext)
    clauses.splice(-1, 1, { ...clause, from: previous.from, before: previous.before, cues: [said] })
  else if (isAlone || orWords.has(tokens[last.from - 1]?.word ?? "")) clauses.push(clause)
  else clauses.push({ ...clause, cues: [...clause.cues.slice(0, -1), said] })
}

function isAnswer(tokens: readonly Token[], from: number, to: number): boolean {
  if (to - from > ANSWER_WORDS_MAX) return false
  const words = tokens.slice(from, to).map(({ word }) => word)
  while (words.length > 1 && !answers.has(words.join(" ")) && closers.has(words.at(-1) ?? "")) words.pop()
  return answers.has(words.join(" "))
}

const ANSWER_WORDS_MAX = 5
