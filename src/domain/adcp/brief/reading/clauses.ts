import type { Gap, Token } from "../words/tokens.ts"
import { type Cue, cues, turns } from "./cues.ts"

export interface Range {
  readonly from: number
  readonly to: number
}

export interface FoundCue extends Range {
  readonly cue: Cue
}

export interface Segment extends Range {
  readonly before: Gap
  /** What ends it. */
  readonly after: Gap
  readonly cues: readonly FoundCue[]
}

// "Podcast-free".
const FREE = /^(?:free|freie?[mnrs]?)$/

function findCues(tokens: readonly Token[]): FoundCue[] {
  const found: FoundCue[] = []
  for (let at = 0; at < tokens.length; at++) {
    const cue = cues().at(tokens, at)
    if (tokens[at]?.gap === "hyphen" && FREE.test(tokens[at]?.word ?? ""))
      found.push({ cue: "after", from: at, to: at + 1 })
    if (cue === undefined) continue
    found.push({ cue: cue.value, from: at, to: at + cue.words.length })
    at += cue.words.length - 1
  }
  return found
}

/** Clauses, with their cues: between commas and other signs, and before "but". */
export function clausesOf(tokens: readonly Token[]): Segment[] {
  const found = findCues(tokens)
  const isInCue = new Uint8Array(tokens.length)
  for (const cue of found) isInCue.fill(1, cue.from + 1, cue.to)
  const segments: Segment[] = []
  let [from, next] = [0, 0]
  for (let at = 1; at <= tokens.length; at++) {
    const token = tokens[at]
    const isWeak = token !== undefined && (token.gap === "space" || token.gap === "hyphen" || token.gap === "join")
    if (isWeak && (isInCue[at] === 1 || !turns.has(token.word))) continue
    const own: FoundCue[] = []
    for (let cue = found[next]; cue !== undefined && cue.from < at; cue = found[++next]) own.push(cue)
    const after = token === undefined ? "stop" : isWeak ? "comma" : token.gap
    segments.push({ from, to: at, before: segments.at(-1)?.after ?? "stop", after, cues: own })
    from = at
  }
  return segments
}
