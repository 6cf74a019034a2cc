import { saveNames } from "../../../actions/upload/answer.ts"
import type { FilePreview, LoadedFile } from "../../../actions/upload/preview.ts"
import { skippedNames } from "../../../domain/upload/result.ts"
import { LISTED_MAX, NAME_CHARACTERS_MAX, type NameAnswer } from "../../../domain/upload/upload.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import { Card } from "../../parts/blocks.tsx"
import { formatCount } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import { findUpload, keyOf, uploadAddress } from "./open-upload.tsx"

/** A name in a file that isn't a line by itself. */
interface FileName {
  readonly name: string
  readonly rows: number
  /** Undefined before the first answer. */
  readonly answer: NameAnswer | undefined
}

const NOT_MINE = "not mine"
// Each name has a choice of all lines, so a page with many of both would be too large.
const CHOICES_MAX = 20_000

/** Names that aren't lines, and names that were matched by hand. Names without an answer come first. */
function namesIn({ names, rows }: LoadedFile, { skipped }: FilePreview): FileName[] {
  const counts = new Map(skippedNames(skipped).map(({ name, rows }) => [name, rows]))
  for (const { name } of rows) {
    if (names.has(name) && !skipped.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const short = [...counts].filter(([name]) => name.length <= NAME_CHARACTERS_MAX)
  const all = short.map(([name, rows]) => ({ name, rows, answer: names.get(name) }))
  return all.sort((a, b) => Number(a.answer !== undefined) - Number(b.answer !== undefined) || b.rows - a.rows)
}

interface NamesCardProps {
  readonly address: string
  readonly loaded: LoadedFile
  readonly preview: FilePreview
}

/** Asks which lines the names in a file belong to. Similar names are never matched automatically. */
export function NamesCard({ address, loaded, preview }: NamesCardProps) {
  const names = namesIn(loaded, preview)
  if (names.length === 0) return null
  const lines = loaded.lines.filter(({ isArchived }) => !isArchived)
  const choices = [
    { value: "", label: "Choose …" },
    { value: NOT_MINE, label: "Not mine" },
    ...lines.map(({ packageId, name, campaign }) => ({ value: packageId, label: `${name} (${campaign.name})` })),
  ]
  const shown = names.slice(0, Math.min(LISTED_MAX, Math.ceil(CHOICES_MAX / choices.length)))
  const numbered = shown.map((name, index) => ({ ...name, index }))
  const columns: Column<(typeof numbered)[number]>[] = [
    { title: "Name in the file", cell: ({ name }) => name },
    { title: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows, "row") },
    {
      title: "Your line",
      onPhone: "wide",
      cell: ({ name, answer = "", index }) => (
        <>
          <input type="hidden" name={`name.${index}`} value={name} />
          <select name={`line.${index}`} aria-label={`The line of ${name}`}>
            {choices.map(({ value, label }) => (
              <option value={value} selected={value === answer}>
                {label}
              </option>
            ))}
          </select>
        </>
      ),
    },
  ]
  return (
    <form method="post" action={`${address}/names`} class="stack">
      <Card title="Names that aren’t your lines" count={formatCount(names.length, "name")} isFlush>
        <Table caption="Names in the file and their lines" columns={columns} rows={numbered} />
        <p class="card-foot">
          <button type="submit" class="button">
            Save names
          </button>{" "}
          <span class="hint">Adbooth remembers them once you report the file. Rows without a line are skipped.</span>
        </p>
      </Card>
    </form>
  )
}

/** Saves the names of the form above. */
export const namesForm: FormOf<MemberVisit, { readonly id: number }> = {
  find: findUpload,
  view: (visit, upload) => goTo(visit, uploadAddress(visit, upload)),
  async save(visit, upload, texts) {
    const names = Array.from(
      { length: LISTED_MAX },
      (_, i) => [texts[`name.${i}`] ?? "", texts[`line.${i}`] ?? ""] as const,
    )
    const answered = names.filter(([name, line]) => name !== "" && line !== "")
    if (!(await saveNames(visit.context, keyOf(visit, upload), answered))) throw new NotFound()
    return goTo(visit, uploadAddress(visit, upload))
  },
}
