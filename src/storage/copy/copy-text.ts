import type { Column, TableShape } from "./sides.ts"

// Rows as text, as PostgreSQL's COPY has them: columns between tabs, \N for null, a backslash before what would be mistaken. The one
// addition is that a number is written as JavaScript writes it, so that the text, and its digest, are the same from every engine.

export type Cell = string | number | null

const ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\\": "\\\\",
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones.
const SPECIAL = /[\x08-\x0d\\]/g
const CHARACTERS = new Map(Object.entries(ESCAPES).map(([character, escaped]) => [escaped, character]))

export const toLine = (row: readonly Cell[]): string => `${row.map(toText).join("\t")}\n`

function toText(cell: Cell): string {
  if (typeof cell === "number") return String(cell)
  return cell === null ? "\\N" : cell.replace(SPECIAL, (character) => ESCAPES[character] ?? character)
}

export function fromLines(text: string, { columns }: Pick<TableShape, "columns">): Cell[][] {
  const lines = text.split("\n")
  lines.pop()
  return lines.map((line) => line.split("\t").map((cell, index) => fromText(cell, columns[index]?.kind ?? "text")))
}

function fromText(text: string, kind: Column["kind"]): Cell {
  if (text === "\\N") return null
  if (kind !== "text") return Number(text)
  return text.includes("\\") ? text.replace(/\\./g, (escaped) => CHARACTERS.get(escaped) ?? escaped) : text
}

/** PostgreSQL's text with its numbers as JavaScript writes them: it says 1e-07 and -0 where we say 1e-7 and 0. */
export function withOurNumbers(text: string, table: TableShape): string {
  const reals = table.columns.flatMap(({ kind }, index) => (kind === "real" ? [index] : []))
  if (reals.length === 0) return text
  const isOfNumbers = table.columns.every(({ kind }) => kind !== "text")
  // Nearly always: nothing to do for a whole piece of text.
  if (isOfNumbers && !/e|-0[\t\n]/.test(text)) return text
  const lines = text.split("\n")
  return lines.map((line) => (line === "" ? "" : lineWithOurNumbers(line, reals))).join("\n")
}

function lineWithOurNumbers(line: string, reals: readonly number[]): string {
  const cells = line.split("\t")
  for (const index of reals) {
    const cell = cells[index]
    if (cell !== undefined && cell !== "\\N") cells[index] = String(Number(cell))
  }
  return cells.join("\t")
}

export function rowsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1
  return count
}
