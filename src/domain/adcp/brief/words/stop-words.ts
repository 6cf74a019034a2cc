import { dan } from "stopword/src/stopwords_dan.js"
import { deu } from "stopword/src/stopwords_deu.js"
import { eng } from "stopword/src/stopwords_eng.js"
import { fin } from "stopword/src/stopwords_fin.js"
import { fra } from "stopword/src/stopwords_fra.js"
import { nld } from "stopword/src/stopwords_nld.js"
import { nob } from "stopword/src/stopwords_nob.js"
import { spa } from "stopword/src/stopwords_spa.js"
import { swe } from "stopword/src/stopwords_swe.js"
import { fold } from "./fold.ts"

let words: ReadonlySet<string> = new Set()

export function prepareStopWords(): void {
  words = new Set([eng, deu, fra, spa, nld, swe, dan, nob, fin].flat().map(fold))
}

/** Whether a word only holds sentences together, in any language of briefs. */
export function isStopWord(word: string): boolean {
  return words.has(word)
}
