import { saveNames } from "../../../actions/upload/answer.ts"
import type { FilePreview, LoadedFile } from "../../../actions/upload/preview.ts"
import { LISTED_MAX, NAME_CHARACTERS_MAX } from "../../../domain/upload/upload.ts"
import type { StoredUpload } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import { Card } from "../../parts/blocks.tsx"
import { formatCount } from "../../parts/format.tsx"
import { Table } from "../../parts/table.tsx"
import { type MemberVisit, orNotFound } from "../../visit.ts"
import { findUpload, keyOf, lineChoices, uploadAddress } from "./open-upload.tsx"
import { type CountedName, NAME_COLUMNS } from "./outcome.tsx"

// Each name has a choice of all lines, so a page with many of both would be too large.
const CHOICES_MAX = 20_000

/** Names that aren't lines, and names that were matched by hand. Names without an answer come first. */
function namesIn({ reading, names, rows }: LoadedFile, { skipped }: FilePreview): CountedName[] {
  const short = rows.filter(({ name }) => name.length <= NAME_CHARACTERS_MAX)
  // Footers and headings have no figures.
  const withFigure = short.filter(({ hasFigure }) => hasFigure || reading.kind === "affiliate_codes")
  const asked = withFigure.filter(({ name }) => skipped.has(name) || names.has(name))
  const counted = [...Map.groupBy(asked, ({ name }) => name)].map(([name, { length }]) => ({ name, rows: length }))
  return counted.sort((a, b) => Number(names.has(a.name)) - Number(names.has(b.name)) || b.rows - a.rows)
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
  const choices = [{ value: "", label: "Choose …" }, { value: "not mine", label: "Not mine" }, ...lineChoices(loaded)]
  const shown = names.slice(0, Math.min(LISTED_MAX, Math.ceil(CHOICES_MAX / choices.length)))
  const select = (name: string, index: number) => (
    <>
      <input type="hidden" name={`name.${index}`} value={name} />
      <select name={`line.${index}`} aria-label={`The line of ${name}`}>
        {choices.map(({ value, label }) => (
          <option value={value} selected={value === (loaded.names.get(name) ?? "")}>
            {label}
          </option>
        ))}
      </select>
    </>
  )
  return (
    <form method="post" action={`${address}/names`} class="stack">
      <Card title="Names and their lines" count={formatCount(names.length, "name")} isFlush>
        <Table
          caption="Names in the file and their lines"
          columns={[...NAME_COLUMNS, { title: "Your line", onPhone: "wide", cell: ({ answer }) => answer }]}
          rows={shown.map((counted, index) => ({ ...counted, answer: select(counted.name, index) }))}
        />
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
export const namesForm: FormOf<MemberVisit, StoredUpload> = {
  find: findUpload,
  view: (visit, upload) => goTo(visit, uploadAddress(visit, upload)),
  async save(visit, upload, texts) {
    const fields = [...Array(LISTED_MAX).keys()]
    const names = fields.map((index) => [texts[`name.${index}`] ?? "", texts[`line.${index}`] ?? ""] as const)
    const answered = names.filter(([name, line]) => name !== "" && line !== "")
    orNotFound(await saveNames(visit.context, keyOf(visit, upload), answered))
    return goTo(visit, uploadAddress(visit, upload))
  },
}
