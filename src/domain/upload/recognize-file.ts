import { createHash } from "node:crypto"
import { type FoundTable, findTable, startOf } from "../csv/find-table.ts"
import { PRESETS } from "../presets/built-in.ts"
import { meaningsIn, type Recognized, recognize } from "../presets/recognize.ts"
import type { Moment } from "../time/moment.ts"
import { areOurs, columnsProblem, guessColumns, headingsIn, UPLOAD_KINDS, type UploadKind } from "./columns.ts"
import { NO_CHOICES, type UploadChoices } from "./upload.ts"

// What a file is, and how it is read. The first that knows decides: what the organization has said of a file with exactly these headings,
// then the preset of a known system, then the columns by their names.

/** How somebody said that files with these headings are read, and when. */
export type RememberedReading = Pick<UploadChoices, "figures" | "numbers" | "dates"> &
  Readonly<{ kind: UploadKind; columns: readonly string[]; at: Moment }>

/** What an organization has said about its files: readings by their headings, and lines by what files call them ("" for none of its own). */
export interface Remembered {
  readonly readings: ReadonlyMap<string, RememberedReading>
  readonly lines: ReadonlyMap<string, string>
}

/** A reading is remembered for all headings in their order, and for nothing less: other systems have some of the same. */
export const headingsKey = (header: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(header)).digest("base64url")

export interface FileReading {
  readonly kind: UploadKind
  readonly header: readonly string[]
  /** Whether nobody has to be asked what the columns mean, and whether a program is taken at their names. */
  readonly isSure: boolean
  readonly isUsual: boolean
  readonly choices: UploadChoices
}

/** How a file is read, as the kind that somebody chose, or as what its columns say. Null for an empty file; throws for one that is not CSV. */
export function readingOf(wanted: UploadKind | null, text: string, remembered: Remembered) {
  const start = startOf(text)
  const known = byMemory(wanted, start, remembered)
  if (known !== null) return known
  const recognized = recognize(start, PRESETS)
  if (recognized !== null) return byPreset(recognized)
  const table = findTable(start, headingsIn)
  if (table === null) return null
  const readings = (wanted === null ? UPLOAD_KINDS : [wanted]).map((kind) => byNames(kind, table))
  return readings.find(({ isSure }) => isSure) ?? readings.find(({ isUsual }) => isUsual) ?? readings[0] ?? null
}

function byMemory(
  wanted: UploadKind | null,
  start: ReturnType<typeof startOf>,
  { readings }: Remembered,
): FileReading | null {
  if (readings.size === 0) return null
  const readingFor = (header: readonly string[]) => {
    const reading = readings.get(headingsKey(header))
    return wanted === null || reading?.kind === wanted ? reading : undefined
  }
  const table = findTable(start, (_, header) => (readingFor(header) === undefined ? 0 : header.length))
  const reading = table && readingFor(table.header)
  if (!table || !reading) return null
  const { kind, columns, figures, numbers, dates, at } = reading
  // A file of one line does not name it, and the next one may be of another.
  const isSure = columnsProblem(kind, columns) === undefined
  const choices = { ...choicesOf(kind, table, columns), figures, numbers, dates, readAsAt: at }
  return { kind, header: table.header, isSure, isUsual: isSure, choices }
}

function byNames(kind: UploadKind, table: FoundTable): FileReading {
  const { columns, ...guessed } = guessColumns(kind, table.header)
  return { ...guessed, kind, header: table.header, choices: choicesOf(kind, table, columns) }
}

/** How a table is read whose columns have these meanings. */
export function choicesOf(kind: UploadKind, { delimiter, headerRow, header }: FoundTable, columns: readonly string[]) {
  return { ...NO_CHOICES, columns, isOurs: areOurs(kind, header, columns), layout: { delimiter, headerRow } }
}

function byPreset({ preset, ...table }: Recognized): FileReading {
  const { header } = table
  const { kind } = preset
  const columns = meaningsIn(header, preset)
  const isSure = columnsProblem(kind, columns) === undefined
  const choices = choicesOf(kind, table, columns)
  return { kind, header, isSure, isUsual: isSure, choices: { ...choices, isOurs: false, preset } }
}
