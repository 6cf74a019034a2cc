import type { ComponentChildren } from "preact"
import type { EntrySummary } from "../../../domain/upload/check.ts"
import { LISTED_MAX, type RejectedRow, type UploadKind } from "../../../domain/upload/upload.ts"
import { Card } from "../../parts/blocks.tsx"
import { formatChange, formatCount, formatNumber, Time } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"

// What a file does to lines and codes. The preview and the page of a reported file show it in the same way.

const nameColumn = (title: string): Column<EntrySummary> => ({
  title,
  cell: ({ name, externalId }) => (
    <>
      {name}
      {externalId !== null && <small>{externalId}</small>}
    </>
  ),
})

const ROWS: Column<EntrySummary> = { title: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) }

const LINE_COLUMNS: readonly Column<EntrySummary>[] = [
  nameColumn("Line"),
  ROWS,
  { title: "Before", isNumber: true, cell: ({ before }) => (before === null ? "–" : formatNumber(before.quantity)) },
  {
    title: "After",
    isNumber: true,
    cell: ({ after }) => <b>{after === null ? "–" : formatNumber(after.quantity)}</b>,
  },
  {
    title: "Change",
    isNumber: true,
    cell: ({ before, after }) => formatChange((after?.quantity ?? 0) - (before?.quantity ?? 0)),
  },
  { title: "Measured", cell: ({ after }) => after !== null && <Time at={after.asOf} /> },
]

const CODE_COLUMNS: readonly Column<EntrySummary>[] = [
  nameColumn("Code"),
  ROWS,
  { title: "What happens", onPhone: "wide", cell: ({ text }) => text },
]

interface EntryTableProps<Entry extends EntrySummary> {
  readonly caption: string
  readonly kind: UploadKind
  readonly entries: readonly Entry[]
  /** What only one of the pages says about an entry. */
  readonly more: readonly Column<Entry>[]
}

export const EntryTable = <Entry extends EntrySummary>({ caption, kind, entries, more }: EntryTableProps<Entry>) => (
  <Table
    caption={caption}
    columns={[...(kind === "delivery" ? LINE_COLUMNS : CODE_COLUMNS), ...more]}
    rows={entries.slice(0, LISTED_MAX)}
  />
)

interface RejectedRowsProps {
  readonly rejected: readonly RejectedRow[]
  readonly count: number
}

export const RejectedRows = ({ rejected, count }: RejectedRowsProps) =>
  count === 0 ? null : (
    <Card title="Rejected" count={formatCount(count, "row")} isFlush>
      <Table
        caption="Rows that can’t be reported, and why"
        columns={REJECTED_COLUMNS}
        rows={rejected.slice(0, LISTED_MAX)}
      />
      <p class="card-foot">Correct these rows in the file, then upload it again.</p>
    </Card>
  )

interface SkippedName {
  readonly name: string
  readonly rows: number
}

interface SkippedNamesProps {
  readonly names: readonly SkippedName[]
  readonly count: number
  /** What to do about them. */
  readonly children?: ComponentChildren
}

export const SkippedNames = ({ names, count, children }: SkippedNamesProps) =>
  count === 0 ? null : (
    <Card title="Skipped, not yours" count={formatCount(count, "row")} isFlush>
      <Table
        caption="Names in the file that aren’t yours"
        columns={SKIPPED_COLUMNS}
        rows={names.slice(0, LISTED_MAX)}
      />
      {children}
    </Card>
  )

const SKIPPED_COLUMNS: readonly Column<SkippedName>[] = [
  { title: "Name in the file", cell: ({ name }) => name },
  { title: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) },
]

const REJECTED_COLUMNS: readonly Column<RejectedRow>[] = [
  { title: "Row", cell: ({ row }) => `Row ${row}` },
  { title: "Why", onPhone: "span", cell: ({ message }) => message },
]
