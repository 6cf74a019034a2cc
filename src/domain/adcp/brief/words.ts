import subjects from "./subjects.txt" with { type: "text" }
import words from "./words.txt" with { type: "text" }

const withoutComments = (text: string): string => text.replaceAll(/^#.*\n/gm, "")

/** Each table of `words.txt` by its heading. */
const TABLES = new Map(
  withoutComments(words)
    .split(/^(?=\[)/m)
    .map((section) => [section.slice(1, section.indexOf("]")), section.slice(section.indexOf("\n") + 1).trim()]),
)

/** A table of `words.txt`. */
export function table(heading: string): string {
  const found = TABLES.get(heading)
  if (found === undefined) throw new Error(`words.txt has no table "${heading}".`)
  return found
}

/** Rows of words in four languages, one row for each subject. */
export const SUBJECTS: readonly string[] = withoutComments(subjects).trim().split("\n")

/** The rows of a table such as "radio: radio, fm radio". */
export const rowsOf = (heading: string): [key: string, list: string][] =>
  table(heading)
    .split("\n")
    .map((row) => [row.slice(0, row.indexOf(":")), row.slice(row.indexOf(":") + 1)])

/** The codes of all countries. */
export const COUNTRY_CODES = table("country codes").split(/\s+/)

const CHANNEL_LABELS = new Map(rowsOf("channel labels"))

/** "connected TV" for ctv. */
export const channelLabel = (channel: string): string =>
  CHANNEL_LABELS.get(channel)?.trim() ?? channel.replaceAll("_", " ")

/** In a sentence: "the United States". */
export const COUNTRIES_WITH_ARTICLE = table("countries with article").split(" ")
