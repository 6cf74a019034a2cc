import { firstRows } from "../csv/csv-reader.ts"
import { delimiterOf } from "../csv/csv-rows.ts"
import type { Preset } from "../presets/preset.ts"
import { meaningsIn, recognize } from "../presets/recognize.ts"
import { columnsProblem, guessColumns, ourMeaning, UPLOAD_KINDS, type UploadKind } from "./columns.ts"
import { NO_CHOICES, type UploadChoices } from "./upload.ts"

// What a file is, and how it is read. The first that knows decides: the preset of a known system, then the columns by their names. In
// either, what the organization has said about a column before counts more than the preset or the name.

/** What an organization has said about columns, by their names. */
type Remembered = ReadonlyMap<string, string>

export interface FileReading {
  /** The known system whose export it is. */
  readonly preset: Preset | null
  /** Whether nobody has to be asked what the columns mean. */
  readonly isSure: boolean
  readonly choices: UploadChoices
}

/** How a file of this kind is read. A preset may be of another kind: then somebody chose the wrong one. */
export function readingOf(
  kind: UploadKind,
  { text, header }: { readonly text: string; readonly header: readonly string[] },
  presets: readonly Preset[],
  remembered: Remembered,
): FileReading {
  const recognized = recognize(text, presets)
  if (recognized !== null) return readingBy(recognized, remembered)
  const { columns, isSure } = guessColumns(kind, header, remembered)
  const isOurs = columns.every((meaning, i) => meaning === "" || ourMeaning(kind, header[i] ?? "") === meaning)
  return { preset: null, isSure, choices: { ...NO_CHOICES, columns, isOurs } }
}

function readingBy(recognized: NonNullable<ReturnType<typeof recognize>>, remembered: Remembered): FileReading {
  const { preset, delimiter, headerRow, header } = recognized
  const { numbers = null, dates = null } = preset
  const meanings = meaningsIn(header, preset)
  const columns = header.map((name, i) => remembered.get(name) ?? meanings[i] ?? "")
  const isSure = columnsProblem(preset.kind, columns) === undefined
  return {
    preset,
    isSure,
    choices: { ...NO_CHOICES, columns, numbers, dates, preset, layout: { delimiter, headerRow } },
  }
}

/** The kind of a file by the same order, from its start; its columns where nobody knows. */
export async function kindOf(
  start: string,
  presets: readonly Preset[],
  rememberedFor: (kind: UploadKind) => Promise<Remembered>,
  kinds: readonly UploadKind[] = UPLOAD_KINDS,
): Promise<UploadKind | string[]> {
  const recognized = recognize(start, presets)
  if (recognized !== null && kinds.includes(recognized.preset.kind)) return recognized.preset.kind
  const header = firstRows(start, delimiterOf(start), 1)[0]?.cells.map((cell) => cell.trim()) ?? []
  for (const kind of kinds) if (guessColumns(kind, header, await rememberedFor(kind)).isSure) return kind
  return header
}
