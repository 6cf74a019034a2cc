import { type FoundTable, findTable } from "../csv/find-table.ts"
import type { Preset } from "../presets/preset.ts"
import { meaningsIn, type Recognized, recognize } from "../presets/recognize.ts"
import { areOurs, columnsProblem, guessColumns, headingsIn, UPLOAD_KINDS, type UploadKind } from "./columns.ts"
import { NO_CHOICES, type UploadChoices } from "./upload.ts"

// What a file is, and how it is read. The first that knows decides: the preset of a known system, then the columns by their names. In
// either, what the organization has said about a column before counts more than the preset or the name.

/** What an organization has said about its files: what columns of each kind mean, figures are, and lines are called, by their names. */
export type Remembered = Readonly<Record<UploadKind | "figures" | "line", ReadonlyMap<string, string>>>

export interface FileReading {
  readonly kind: UploadKind
  readonly header: readonly string[]
  /** Whether nobody has to be asked what the columns mean, and whether a program is taken at their names. */
  readonly isSure: boolean
  readonly isUsual: boolean
  readonly choices: UploadChoices
}

/** How a file is read, as the kind that somebody chose, or as what its columns say. Null for an empty file; throws for one that is not CSV. */
export function readingOf(wanted: UploadKind | null, text: string, presets: readonly Preset[], remembered: Remembered) {
  const recognized = recognize(text, presets)
  if (recognized !== null) return byPreset(recognized, remembered)
  const table = findTable(text, (cells) => headingsIn(cells) + cells.filter((name) => isKnown(remembered, name)).length)
  if (table === null) return null
  const readings = (wanted === null ? UPLOAD_KINDS : [wanted]).map((kind) => byNames(kind, table, remembered))
  return readings.find(({ isSure }) => isSure) ?? readings.find(({ isUsual }) => isUsual) ?? readings[0] ?? null
}

const isKnown = (remembered: Remembered, name: string) =>
  name !== "" && UPLOAD_KINDS.some((kind) => remembered[kind].has(name))

function byNames(kind: UploadKind, table: FoundTable, remembered: Remembered): FileReading {
  const { columns, ...guessed } = guessColumns(kind, table.header, remembered[kind])
  return { ...guessed, kind, header: table.header, choices: choicesOf(kind, table, columns, remembered) }
}

/** How a table is read whose columns have these meanings. */
export function choicesOf(kind: UploadKind, table: FoundTable, columns: readonly string[], remembered: Remembered) {
  const { delimiter, headerRow, header } = table
  const figures = remembered.figures.get(figuresKey(header, columns)) ?? null
  const isOurs = areOurs(kind, header, columns)
  return { ...NO_CHOICES, columns, isOurs, layout: { delimiter, headerRow }, figures }
}

/** Files with these columns are read in the same way. */
export const figuresKey = (header: readonly string[], columns: readonly string[]): string =>
  header.filter((_, index) => columns[index]).join("\n")

function byPreset({ preset, ...table }: Recognized, remembered: Remembered): FileReading {
  const { header } = table
  const { kind, numbers = null, dates = null } = preset
  const meanings = meaningsIn(header, preset)
  const columns = header.map((name, i) => remembered[kind].get(name) ?? meanings[i] ?? "")
  const isSure = columnsProblem(kind, columns) === undefined
  const choices = choicesOf(kind, table, columns, remembered)
  return { kind, header, isSure, isUsual: isSure, choices: { ...choices, isOurs: false, numbers, dates, preset } }
}
