import type { Preset } from "../presets/preset.ts"
import { meaningsIn, recognize } from "../presets/recognize.ts"
import { columnsProblem } from "./columns.ts"
import { NO_CHOICES } from "./upload.ts"

/** The known system whose export a file is, and how it is read. What an organization has said about a column counts more. */
export function knownExport(start: string, presets: readonly Preset[], remembered: ReadonlyMap<string, string>) {
  const found = recognize(start, presets)
  if (found === null) return null
  const { preset, delimiter, headerRow, header } = found
  const meanings = meaningsIn(header, preset)
  const columns = header.map((name, i) => remembered.get(name) ?? meanings[i] ?? "")
  return {
    preset,
    /** Whether nobody has to be asked what the columns mean. */
    isSure: columnsProblem(preset.kind, columns) === undefined,
    choices: {
      ...NO_CHOICES,
      columns,
      numbers: preset.numbers ?? null,
      dates: preset.dates ?? null,
      preset,
      layout: { delimiter, headerRow },
    },
  }
}
