import { OPEN_DAYS, receiveUpload } from "../../../actions/upload/receive.ts"
import { Unreadable, UPLOAD_BYTES_MAX, UPLOAD_KINDS, type UploadKind } from "../../../domain/upload/upload.ts"
import { sheetsOfFile } from "../../../http/workbook.ts"
import { linesSoldBy, type StoredLine } from "../../../storage/campaigns/lines.ts"
import { type ListedUpload, newestUploads } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import { csvFile } from "../../list.ts"
import { Badge, Card } from "../../parts/blocks.tsx"
import { FileField } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { Ago, formatCount } from "../../parts/format.tsx"
import { type Column, Name, Table } from "../../parts/table.tsx"
import { type MemberVisit, orNotFound } from "../../visit.ts"
import { KIND_NAMES, uploadAddress, uploadsAddress } from "./open-upload.tsx"

const UPLOADS_SHOWN = 50
// A form has a little more than its file.
const FORM_BYTES_MAX = UPLOAD_BYTES_MAX + 65_536

/** The form for a file, and the files of the organization. */
export const uploadForm: FormOf<MemberVisit, readonly ListedUpload[]> = {
  bytesMax: FORM_BYTES_MAX,
  find: ({ read, organization }) => newestUploads(read, organization.id, UPLOADS_SHOWN),
  view: (visit, uploads) => ({
    title: "Upload",
    intro:
      "Export a report from your ad server, podcast host, newsletter service or affiliate network, and upload it here.",
    hasTimes: true,
    body: (
      <>
        <Card label="A file">
          <Form submit="Upload" note="Nothing is reported yet." hasFile>
            <FileField name="file" label="File" hint={FILE_HINT} accept=".csv,.tsv,.txt,.xlsx" required />
          </Form>
        </Card>
        <Templates visit={visit} />
        {uploads.length > 0 && (
          <Card title="Files" isFlush>
            <Table caption="Files that were uploaded or sent" columns={uploadColumns(visit)} rows={uploads} />
          </Card>
        )}
      </>
    ),
  }),
  async save(visit, _uploads, _texts, _version, files) {
    const { context, organization, user } = visit
    const file = files.get("file")
    if (file === undefined) return { errors: { file: "Choose a file." } }
    try {
      if (file.size > UPLOAD_BYTES_MAX) throw new Unreadable("This file is larger than 20 MB. Split it.")
      const sheets = await sheetsOfFile(await file.bytes())
      const about = { organizationId: organization.id, userId: user.id, fileName: file.name, bytes: file.size }
      const id = await receiveUpload(context, { ...about, sheets })
      return goTo(visit, uploadAddress(visit, { id }))
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      return { errors: { file: cause.message } }
    }
  },
}

const FILE_HINT = `CSV or Excel (.xlsx), up to 20 MB and 50,000 rows. An open file is kept for ${OPEN_DAYS} days.`

const Templates = ({ visit }: { readonly visit: MemberVisit }) => (
  <p class="hint">
    Or fill in a template:{" "}
    {UPLOAD_KINDS.map((kind, index) => (
      <>
        {index > 0 && ", "}
        <a href={`${uploadsAddress(visit)}/template/${kind}`} download>
          {KIND_NAMES[kind].toLowerCase()}
        </a>
      </>
    ))}
    .
  </p>
)

const uploadColumns = (visit: MemberVisit): Column<ListedUpload>[] => [
  { title: "File", cell: (upload) => <Name href={uploadAddress(visit, upload)}>{upload.fileName}</Name> },
  { title: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows, "row") },
  { title: "Arrived", cell: ({ uploadedAt }) => <Ago at={uploadedAt} /> },
  {
    title: "From",
    cell: ({ uploadedBy }) =>
      uploadedBy === null ? "A program" : uploadedBy === visit.user.id ? "You" : "A colleague",
  },
  { title: "State", onPhone: "corner", cell: ({ state }) => <StateBadge state={state} /> },
]

const StateBadge = ({ state }: Pick<ListedUpload, "state">) => {
  if (state === "open") return <Badge tone="warn" label="Open" />
  return state === "reported" ? <Badge tone="good" label="Reported" /> : <Badge tone="off" label="Withdrawn" />
}

const TEMPLATES: Readonly<Record<UploadKind, readonly string[]>> = {
  delivery: ["package_id", "line_name", "impressions", "downloads"],
  affiliate_codes: ["packageId", "code", "slug"],
  affiliate_metrics: ["code", "date", "clicks", "conversions", "conversionValue"],
}

/** A file to fill in, with the seller's lines. It's read without a question. */
export async function templateFile({ read, organization, params }: MemberVisit): Promise<Response> {
  const kind = orNotFound(UPLOAD_KINDS.find((each) => each === params["kind"]))
  const lines = kind === "affiliate_metrics" ? [] : await linesSoldBy(read, organization.id)
  // A flat-rate line has no total, but it may have codes.
  const rows = lines.filter(({ pricingBasis }) => kind === "affiliate_codes" || pricingBasis !== "flat_rate")
  const columns = TEMPLATES[kind].map((title) => ({
    title,
    csv({ packageId, name }: StoredLine) {
      if (title === "package_id" || title === "packageId") return packageId
      return title === "line_name" ? name : null
    },
  }))
  return csvFile(`${kind.replaceAll("_", "-")}-template`, columns, rows)
}
