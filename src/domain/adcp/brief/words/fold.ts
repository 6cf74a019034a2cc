import { stemmer } from "stemmer"

const MARKS = /\p{M}/gu
const ODD_LETTERS = /[ßøæœðþłđ]/g
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ð: "d",
  þ: "th",
  ł: "l",
  đ: "d",
}

/** Lower case without accents, as words are compared. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (isAscii(lower)) return lower
  return lower
    .normalize("NFKD")
    .replace(MARKS, "")
    .replace(ODD_LETTERS, (letter) => plainLetters[letter] ?? letter)
}

function isAscii(text: string): boolean {
  for (let place = 0; place < text.length; place++) if (text.charCodeAt(place) > 127) return false
  return true
}

// These would fall together with other words.
const unstemmed = new Set(["news", "business", "series", "sports", "athens", "paris", "wales", "training"])
const STEMS_MAX = 20_000
const stems = new Map<string, string>()

/** What the forms of a word have in common. English rules; plurals and endings of other languages mostly lose the same letters. */
export function stemOf(folded: string): string {
  if (folded.length < 4 || unstemmed.has(folded)) return folded
  const known = stems.get(folded)
  if (known !== undefined) return known
  if (stems.size >= STEMS_MAX) stems.clear()
  const stem = stemAnew(folded)
  stems.set(folded, stem)
  return stem
}

function stemAnew(word: string): string {
  if (/\d/.test(word)) return word
  if (word.length === 4) return /[^suio]s$/.test(word) ? word.slice(0, 3) : word
  const stem = stemmer(word)
  // runner, running; but not their shorter look-alikes.
  return /([bdgmnprt])\1er$/.test(stem) ? stem.slice(0, -3) : stem
}
