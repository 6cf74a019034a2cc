import type { ComponentChildren } from "preact"
import type { EntrySummary } from "../../../domain/upload/check.ts"
import type { FileReport } from "../../../domain/upload/result.ts"
import { LISTED_MAX, type UploadKind } from "../../../domain/upload/upload.ts"
import { Badge, Card } from "../../parts/blocks.tsx"
import { capitalized, formatChange, formatCount, formatNumber, Time } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { nounOf } from "./open-upload.tsx"

// What a file does to lines and codes. The preview and the page of a reported file show it in the same way.

const TOTALS: readonly Column<EntrySummary>[] = [
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

const WORDS: Column<EntrySummary> = { title: "What happens", onPhone: "wide", cell: ({ text }) => text }

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
    columns={[
      {
        title: capitalized(nounOf(kind)),
        cell: ({ name, externalId }) => (
          <>
            {name}
            {externalId !== null && <small>{externalId}</small>}
          </>
        ),
      },
      { title: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) },
      ...(kind === "delivery" ? TOTALS : [WORDS]),
      ...more,
    ]}
    rows={entries.slice(0, LISTED_MAX)}
  />
)

interface EffectBadgeProps extends Pick<EntrySummary, "effect"> {
  /** What it says about an entry that changes. */
  readonly changes: string
}

export const EffectBadge = ({ effect, changes }: EffectBadgeProps) => {
  if (effect === "changes") return <Badge tone="good" label={changes} />
  return <Badge tone="off" label={effect === "older" ? "Older" : "No change"} />
}

interface ReportProps {
  readonly report: FileReport
  /** What to do about it. */
  readonly children?: ComponentChildren
}

export const RejectedRows = ({ report: { rejected, rejected_rows } }: ReportProps) =>
  rejected > 0 && (
    <Card title="Rejected" count={formatCount(rejected, "row")} isFlush>
      <Table
        caption="Rows that can’t be reported, and why"
        columns={[
          { title: "Row", cell: ([, rows]) => rowsInWords(rows) },
          { title: "Why", onPhone: "span", cell: ([message]) => message },
        ]}
        rows={[...Map.groupBy(rejected_rows, ({ message }) => message)]}
      />
      <p class="card-foot">If any of these rows should count, correct the file and upload it again.</p>
    </Card>
  )

const ROWS_NAMED = 6

/** "Rows 2, 3, 4" */
function rowsInWords(rows: readonly { readonly row: number }[]): string {
  const named = rows.slice(0, ROWS_NAMED).map(({ row }) => row)
  const more = rows.length - named.length
  return `${rows.length === 1 ? "Row" : "Rows"} ${named.join(", ")}${more > 0 ? ` and ${formatNumber(more)} more` : ""}`
}

/** A name in a file, and in how many rows it is. */
export type CountedName = FileReport["skipped_names"][number]

export const NAME_COLUMNS: readonly Column<CountedName>[] = [
  { title: "Name in the file", cell: ({ name }) => name },
  { title: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) },
]

export const SkippedNames = ({ report: { skipped, skipped_names }, children }: ReportProps) =>
  skipped > 0 && (
    <Card title="Skipped, not yours" count={formatCount(skipped, "row")} isFlush>
      <Table caption="Names in the file that aren’t yours" columns={NAME_COLUMNS} rows={skipped_names} />
      {children}
    </Card>
  )
