import { type BothReadings, bothReadings, type LoadedFile } from "../../../actions/upload/preview.ts"
import type { FileEntry } from "../../../domain/upload/check.ts"
import { hasDayColumns, ONE_COLUMN_PER_DAY } from "../../../domain/upload/reading.ts"
import { cellOf, LISTED_MAX, type RejectedRow } from "../../../domain/upload/upload.ts"
import { Card } from "../../parts/blocks.tsx"
import { formatCount, formatNumber } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { headingOf } from "./open-upload.tsx"

const ROWS_SHOWN = 5
const CELL_CHARACTERS_MAX = 60
const ABOVE_CHARACTERS_MAX = 200

interface FirstRowsProps {
  readonly loaded: LoadedFile
}

/** The beginning of the table as it is in the file. */
export const FirstRows = ({ loaded: { headings, above, rows, reading, answers } }: FirstRowsProps) => (
  <Card title="First rows" isFlush>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
    <section class="table" aria-label="First rows of the file" tabIndex={0}>
      <table class="dense">
        <caption class="vh">First rows of the file</caption>
        <thead>
          <tr>
            <th scope="col">Row</th>
            {headings.map((_, column) => (
              <th scope="col">{headingOf(headings, column)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_SHOWN).map((row) => (
            <tr>
              <th scope="row">{row.number}</th>
              {headings.map((_, column) => (
                <td>{cellOf(row, column).slice(0, CELL_CHARACTERS_MAX)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    <form class="card-foot">
      <input type="hidden" name="kind" value={reading.kind} />
      <label>
        Row of the headings{" "}
        <input class="inline" name="headings" inputmode="numeric" size={4} value={answers.headerRow} />
      </label>{" "}
      <button type="submit" class="button small">
        Change
      </button>
      <span class="hint"> One column per day? Unpivot the table first.</span>
      {above.some((text) => text !== "") && <p class="hint">Rows above it are skipped: {excerptOf(above)}</p>}
    </form>
  </Card>
)

const excerptOf = (texts: readonly string[]) => {
  const text = texts.filter((each) => each !== "").join(" · ")
  return text.length > ABOVE_CHARACTERS_MAX ? `${text.slice(0, ABOVE_CHARACTERS_MAX)} …` : text
}

interface ReadingsTableProps {
  readonly loaded: LoadedFile
  readonly readings: BothReadings | null
}

interface LineRow {
  readonly totals: FileEntry | undefined
  readonly daily: FileEntry | undefined
}

/** Both readings of a delivery file. Null as long as no column has the totals. */
export async function readingsOf(loaded: LoadedFile): Promise<BothReadings | null> {
  const { impressions, downloads } = loaded.reading.columns
  const hasTotals = impressions !== undefined || downloads !== undefined
  return hasTotals && !hasDayColumns(loaded.headings) ? bothReadings(loaded) : null
}

/** Each line read as totals and as daily figures, with the same check as reporting. */
export function ReadingsTable({ loaded, readings }: ReadingsTableProps) {
  if (hasDayColumns(loaded.headings)) return <p class="hint">{ONE_COLUMN_PER_DAY}</p>
  if (readings === null) return null
  const { totals, daily } = readings
  const asTotals = new Map(totals.entries.map((entry) => [entry.key, entry]))
  const hasDay = loaded.reading.columns.day !== undefined
  const asDaily = new Map(hasDay ? daily.entries.map((entry) => [entry.key, entry]) : [])
  const keys = [...new Set([...asTotals.keys(), ...asDaily.keys()])]
  const { rejected } = loaded.reading.figures === "daily" ? daily : totals
  if (keys.length === 0) return <p class="hint">{whyNoLine(loaded, rejected)}</p>
  return (
    <Card title="What each line becomes" count={formatCount(keys.length, "line")} isFlush>
      <Table
        caption="What each line becomes under both readings"
        columns={COLUMNS}
        rows={keys.slice(0, LISTED_MAX).map((key) => ({ totals: asTotals.get(key), daily: asDaily.get(key) }))}
      />
      {daily.sameDay !== null && (
        <p class="card-foot">Daily figures count all rows until you choose what tells rows of one day apart.</p>
      )}
    </Card>
  )
}

function whyNoLine({ rows, findLine, onlyLine }: LoadedFile, [first]: readonly RejectedRow[]): string {
  const hasLine = onlyLine !== null || rows.some(({ name }) => findLine(name) !== null)
  if (!hasLine) return "With these answers, no row belongs to one of your lines."
  return `No row of your lines can be read yet.${first === undefined ? "" : ` Row ${first.row}: ${first.message}`}`
}

const COLUMNS: readonly Column<LineRow>[] = [
  { title: "Line", cell: ({ totals, daily }) => (totals ?? daily)?.name },
  {
    title: "Now",
    isNumber: true,
    cell({ totals, daily }) {
      const before = (totals ?? daily)?.before ?? null
      return before === null ? <span class="soft">None yet</span> : formatNumber(before.quantity)
    },
  },
  { title: "As totals so far", isNumber: true, cell: ({ totals }) => <Becomes entry={totals} /> },
  { title: "As daily figures", isNumber: true, cell: ({ daily }) => <Becomes entry={daily} /> },
]

const Becomes = ({ entry }: { readonly entry: FileEntry | undefined }) =>
  entry === undefined ? (
    <span class="soft">Can’t be reported</span>
  ) : (
    <>
      <b>{formatNumber(entry.after?.quantity ?? 0)}</b>
      {entry.question !== null && <small>{entry.question}</small>}
    </>
  )
