import { receiveUpload } from "../../../actions/upload/receive.ts"
import { UPLOAD_BYTES_MAX, UPLOAD_MEBIBYTES, UPLOAD_ROWS_MAX } from "../../../domain/limits.ts"
import { isUploadKind, UPLOAD_FORMATS, UPLOAD_KINDS } from "../../../domain/upload/columns.ts"
import { NotText } from "../../../domain/upload/received-text.ts"
import type { Upload } from "../../../domain/upload/upload.ts"
import { metaOf } from "../../http/request-meta.ts"
import { allBytes, sheetsIn, workOnFile } from "../../http/uploaded-file.ts"
import { arrivingForm } from "../arriving-form.ts"
import type { Errors } from "../form.ts"
import { Badge, Card } from "../parts/blocks.tsx"
import { Select } from "../parts/form/choices.tsx"
import { FileField, Form } from "../parts/form/form.tsx"
import { Ago, formatNumber } from "../parts/format.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { goTo, headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { addressOf, baseOf } from "./upload-page.tsx"

// What a form has besides its file, and more.
const FORM_BYTES = 65_536
const TOO_LARGE = `This file is larger than ${UPLOAD_MEBIBYTES} MB. Split it and upload the parts one by one.`
const LISTED_MAX = 20

export async function filePage(visit: OrganizationVisit, kind = "delivery", errors: Errors = {}): Promise<Response> {
  const base = baseOf(visit)
  const choices = UPLOAD_KINDS.map((value) => ({ value, label: UPLOAD_FORMATS[value].label }))
  const uploads = await visit.context.store.uploads.list(visit.organization.id, LISTED_MAX)
  return headedPage(visit, {
    title: "Upload",
    intro: "Report many lines at once from a file. You see what will change before anything is saved.",
    body: [
      <div class="cols">
        <section class="card" data-upload={UPLOAD_BYTES_MAX}>
          <Form action={base} submit="Upload" values={{ kind }} errors={errors} multipart>
            <Select name="kind" label="Type of data" choices={choices} />
            <FileField
              name="file"
              label="File"
              accept=".csv,.tsv,.txt,.xlsx,text/csv"
              hint={`Choose a file or drop it here: CSV or an Excel workbook. At most ${UPLOAD_MEBIBYTES} MB and ${formatNumber(UPLOAD_ROWS_MAX)} rows.`}
            />
          </Form>
        </section>
        <Card title="Which columns">
          <p class="soft">
            Upload the export of your ad server as it is. Say once what its columns mean; the next file with the same
            headings is read the same way. Lines are found by your own line ID, by name or by the line ID for the API.
            Or fill in a template:
          </p>
          <ul class="links">
            {UPLOAD_KINDS.map((choice) => (
              <li>
                <a href={`${base}/template/${choice}`} download>
                  {UPLOAD_FORMATS[choice].label}
                </a>
              </li>
            ))}
          </ul>
          <p class="soft">A line can have many rows, such as one per day.</p>
        </Card>
      </div>,
      uploads.length > 0 && <Table caption="Uploaded files" columns={columnsFor(visit)} rows={uploads} />,
    ],
  })
}

const columnsFor = (visit: OrganizationVisit): Column<Upload>[] => [
  { title: "File", value: ({ fileName }) => fileName, href: (upload) => addressOf(visit, upload) },
  { title: "Data", value: ({ kind }) => UPLOAD_FORMATS[kind].label },
  { title: "Rows", value: ({ rows }) => (rows > 0 ? formatNumber(rows) : "–"), numeric: true },
  { title: "Uploaded", cell: ({ uploadedAt }) => <Ago at={uploadedAt} /> },
  {
    title: "State",
    narrow: "corner",
    cell: ({ state, summary }) => {
      if (summary.withdrawn !== null) return <Badge>Withdrawn</Badge>
      return state === "done" ? <Badge tone="good">Reported</Badge> : <Badge tone="warn">Waiting for you</Badge>
    },
  },
]

export async function receiveFile(visit: OrganizationVisit): Promise<Response> {
  const { context, organization, person, request } = visit
  const { length } = metaOf(request)
  const form = await arrivingForm(request, Math.min(length, UPLOAD_BYTES_MAX))
  if (form === null) return filePage(visit, "delivery", { file: "Choose a file." })
  const kind = form.fields.get("kind") ?? ""
  const refuse = async (name: string, errors: Errors) => {
    await form.stop()
    return filePage(visit, name, errors)
  }
  if (!isUploadKind(kind)) return refuse("delivery", { kind: "Choose the type of data." })
  if (form.file === null) return refuse(kind, { file: "Choose a file." })
  const isTooLarge = Number.isFinite(length) && length > UPLOAD_BYTES_MAX + FORM_BYTES
  const bytes = isTooLarge ? null : await allBytes(form.file.chunks, length)
  if (bytes === null) return refuse(kind, { file: TOO_LARGE })
  const about = { organizationId: organization.id, userId: person.userId, kind, fileName: form.file.name, sent: null }
  try {
    const outcome = await workOnFile(bytes.length, async () =>
      receiveUpload(context, { ...about, bytes: bytes.length }, await sheetsIn(bytes)),
    )
    if (outcome.ok) return goTo(visit, `${baseOf(visit)}/${outcome.id}`)
    return refuse(kind, { file: outcome.problem })
  } catch (cause) {
    if (cause instanceof NotText) return refuse(kind, { file: cause.message })
    throw cause
  }
}
