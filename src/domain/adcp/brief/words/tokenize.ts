import { fold, stemOf } from "./fold.ts"

export interface Token {
  /** As written. */
  readonly raw: string
  readonly word: string
  readonly stem: string
  readonly isNumber: boolean
  /** Whether nothing stands between this and the token before it. */
  readonly isGlued: boolean
  /** Whether a comma or the end of a sentence stands before it. */
  readonly isAfterBreak: boolean
}

const TEXT_CHARACTERS_MAX = 20_000
const TOKENS_MAX = 4_000
const WORD_CHARACTERS_MAX = 40

// Numbers with their separators, words, and the signs that mean something beside a number.
const TOKENS =
  /\d+(?:[.,'’]\d+)*(?:[ \u00a0\u202f]\d{3}(?!\d))*(?:,\d{1,2}(?!\d))?|[\p{L}\p{M}]+|[€$£¥%:×"″+&]|[–-](?!\p{L})/gu

const BREAKS = ",;.!?()\n"

function hasBreak(text: string, start: number, end: number): boolean {
  for (let place = start; place < end; place++) if (BREAKS.includes(text.charAt(place))) return true
  return false
}

/** The words, numbers and signs of a text, in order. A very long text counts by its start. */
export function tokenize(text: string, tokensMax = TOKENS_MAX): Token[] {
  const tokens: Token[] = []
  let end = -1
  for (const { 0: raw, index } of text.slice(0, TEXT_CHARACTERS_MAX).matchAll(TOKENS)) {
    const isGlued = index === end
    const isAfterBreak = !isGlued && end >= 0 && hasBreak(text, end, index)
    end = index + raw.length
    if (raw.length > WORD_CHARACTERS_MAX) continue
    if (tokens.length === tokensMax) break
    const first = raw.charCodeAt(0)
    const isNumber = first >= 48 && first <= 57
    const word = isNumber ? raw : fold(raw)
    tokens.push({ raw, word, stem: isNumber ? raw : stemOf(word), isNumber, isGlued, isAfterBreak })
  }
  return tokens
}
