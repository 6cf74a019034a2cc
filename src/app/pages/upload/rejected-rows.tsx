import type { RejectedRow } from "../../../domain/upload/upload.ts"
import { Card } from "../../parts/blocks.tsx"
import { formatCount } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"

interface RejectedRowsProps {
  readonly rejected: readonly RejectedRow[]
  readonly count: number
}

export const RejectedRows = ({ rejected, count }: RejectedRowsProps) =>
  count === 0 ? null : (
    <Card title="Rejected" count={formatCount(count, "row")} isFlush>
      <Table caption="Rows that can’t be reported, and why" columns={REJECTED_COLUMNS} rows={rejected} />
      <p class="card-foot">Correct these rows in the file, then upload it again.</p>
    </Card>
  )

const REJECTED_COLUMNS: readonly Column<RejectedRow>[] = [
  { title: "Row", cell: ({ row }) => `Row ${row}` },
  { title: "Why", onPhone: "span", cell: ({ message }) => message },
]
