import { openFile } from "../../../actions/upload/answer.ts"
import { type LoadedFile, loadFile, type OpenFile } from "../../../actions/upload/preview.ts"
import type { RejectedRow, UploadKind } from "../../../domain/upload/upload.ts"
import { type StoredUpload, uploadById } from "../../../storage/uploads.ts"
import { Card } from "../../parts/blocks.tsx"
import { formatCount } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { homeOf, type MemberVisit, NotFound } from "../../visit.ts"

export const KIND_NAMES: Readonly<Record<UploadKind, string>> = {
  delivery: "Delivery totals",
  affiliate_codes: "Affiliate codes",
  affiliate_metrics: "Affiliate figures",
}

export const uploadsAddress = (visit: MemberVisit) => `${homeOf(visit)}/upload`

export const uploadAddress = (visit: MemberVisit, { id }: Pick<StoredUpload, "id">) => `${uploadsAddress(visit)}/${id}`

/** The pages above a page about one file. */
export const uploadTrail = (visit: MemberVisit) => [{ href: uploadsAddress(visit), label: "Upload" }]

/** The file in the path. */
export async function findUpload(visit: MemberVisit): Promise<StoredUpload> {
  const { read, organization, params } = visit
  const id = Number(params["upload"])
  const upload = Number.isSafeInteger(id) ? await uploadById(read, organization.id, id) : null
  if (upload === null) throw new NotFound()
  return upload
}

/** A file that isn't reported yet. */
export interface OpenUpload {
  readonly upload: StoredUpload
  readonly file: OpenFile
  readonly loaded: LoadedFile
}

/** The file in the path with what is in it. Null if it's no longer open. */
export async function loadOpenUpload(
  visit: MemberVisit,
  change = (file: OpenFile) => file,
): Promise<OpenUpload | null> {
  const { context, organization, now } = visit
  const upload = await findUpload(visit)
  const { read } = context.database
  const stored = await openFile(read, { organizationId: organization.id, id: upload.id })
  if (stored === null) return null
  const file = change(stored)
  return { upload, file, loaded: await loadFile(read, organization.id, file, now) }
}

export const keyOf = ({ organization }: MemberVisit, { id }: Pick<StoredUpload, "id">) => ({
  organizationId: organization.id,
  id,
})

/** The heading of a column, or its letter as in a spreadsheet. */
export const headingOf = (headings: readonly string[], column: number): string =>
  headings[column] || `Column ${lettersOf(column)}`

const lettersOf = (column: number): string =>
  (column < 26 ? "" : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

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
