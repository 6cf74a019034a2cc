import type { LoadedFile } from "../../../actions/upload/preview.ts"
import { bothReadings } from "../../../actions/upload/report.ts"
import type { FileLine } from "../../../domain/upload/line-finder.ts"
import type { LinePreview } from "../../../domain/upload/line-preview.ts"
import { hasDayColumns, ONE_COLUMN_PER_DAY } from "../../../domain/upload/reading.ts"
import { cellOf, LISTED_MAX, type RejectedRow } from "../../../domain/upload/upload.ts"
import { Card } from "../../parts/blocks.tsx"
import { formatCount, formatNumber } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"

interface BothReadingsProps {
  readonly loaded: LoadedFile
}

interface LineRow {
  readonly line: FileLine
  readonly totals: LinePreview | undefined
  readonly daily: LinePreview | undefined
}

/**
 * Shows each line read as totals and as daily figures, with the same check as reporting. A script keeps it up to date.
 */
export const BothReadings = (props: BothReadingsProps) => (
  <div id="both" data-updated>
    <Readings {...props} />
  </div>
)

function Readings({ loaded }: BothReadingsProps) {
  if (hasDayColumns(loaded.headings)) return <p class="hint">{ONE_COLUMN_PER_DAY}</p>
  const { columns } = loaded.answers.reading
  if (columns.impressions === undefined && columns.downloads === undefined) return null
  const { totals, daily } = bothReadings(loaded)
  const byLine = new Map<FileLine, LineRow>()
  for (const preview of totals.lines)
    byLine.set(preview.line, { line: preview.line, totals: preview, daily: undefined })
  for (const preview of columns.day === undefined ? [] : daily.lines)
    byLine.set(preview.line, { line: preview.line, totals: byLine.get(preview.line)?.totals, daily: preview })
  const rows = [...byLine.values()]
  if (rows.length === 0) return <p class="hint">{whyNoLine(loaded, totals.rejected)}</p>
  return (
    <Card title="What each line becomes" count={formatCount(rows.length, "line")} isFlush>
      <Table caption="What each line becomes under both readings" columns={COLUMNS} rows={rows.slice(0, LISTED_MAX)} />
    </Card>
  )
}

function whyNoLine({ rows, answers, findLine, onlyLine }: LoadedFile, [first]: readonly RejectedRow[]): string {
  const { line } = answers.reading.columns
  const hasLine = onlyLine !== null || rows.some((row) => findLine(cellOf(row, line)) !== null)
  if (!hasLine) return "With these answers, no row belongs to one of your lines."
  return `No row of your lines can be read yet.${first === undefined ? "" : ` Row ${first.row}: ${first.message}`}`
}

const COLUMNS: readonly Column<LineRow>[] = [
  { title: "Line", cell: ({ line }) => line.name },
  {
    title: "Now",
    isNumber: true,
    cell: ({ line: { total } }) => (total === null ? <span class="soft">None yet</span> : formatNumber(total.quantity)),
  },
  { title: "As totals so far", isNumber: true, cell: ({ totals }) => <Becomes preview={totals} /> },
  { title: "As daily figures", isNumber: true, cell: ({ daily }) => <Becomes preview={daily} /> },
]

const Becomes = ({ preview }: { readonly preview: LinePreview | undefined }) =>
  preview === undefined ? (
    <span class="soft">Can’t be read</span>
  ) : (
    <>
      <b>{formatNumber(preview.after?.quantity ?? 0)}</b>
      {preview.question !== null && <small>{preview.question}</small>}
    </>
  )
