import { receiveUpload } from "../../../actions/upload/receive.ts"
import { UPLOAD_ROWS_MAX, UPLOADS_WAITING_MAX } from "../../../domain/limits.ts"
import { UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import { roomFor } from "../../../domain/upload/quota.ts"
import { isUploadKind, UPLOAD_KINDS, type Upload, type UploadState } from "../../../domain/upload/upload.ts"
import { metaOf } from "../../http/request/request-meta.ts"
import type { Errors } from "../form.ts"
import { Badge, type Tone } from "../parts/badge.tsx"
import { Card } from "../parts/card.tsx"
import { FileField } from "../parts/form/file-field.tsx"
import { Form } from "../parts/form/form.tsx"
import { Select } from "../parts/form/select.tsx"
import { formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { type Column, Table } from "../parts/table/table.tsx"
import { Ago } from "../parts/time.tsx"
import { goTo } from "../respond.ts"
import type { OrganizationVisit } from "../visit.ts"
import { addressOf, baseOf } from "./place.ts"
import { arrivingForm } from "./receive-file.ts"
import { sizeText } from "./upload-page.tsx"

const MEBIBYTE = 1_048_576
const LISTED_MAX = 20

/** The form for a file, and the files before it. */
export async function filePage(visit: OrganizationVisit, kind = "delivery", errors: Errors = {}): Promise<Response> {
  const base = baseOf(visit)
  const { maxUploadMb } = visit.context.config
  const choices = UPLOAD_KINDS.map((value) => ({ value, label: UPLOAD_FORMATS[value].label }))
  const uploads = await visit.context.store.uploads.list(visit.organization.id, LISTED_MAX)
  return headedPage(visit, {
    title: "Upload",
    active: base,
    intro: "Report many lines at once from a CSV file. You see what it would do before anything is saved.",
    body: (
      <>
        <div class="cols">
          <section class="card" data-upload={maxUploadMb * MEBIBYTE}>
            <Form action={base} submit="Upload" values={{ kind }} errors={errors} multipart>
              <Select name="kind" label="Type of data" choices={choices} />
              <FileField
                name="file"
                label="CSV file"
                accept=".csv,.tsv,.txt,text/csv"
                hint={`Choose a file or drop it here. At most ${maxUploadMb} MB and ${formatNumber(UPLOAD_ROWS_MAX)} rows.`}
              />
            </Form>
          </section>
          <Card title="Which columns">
            <p class="soft">
              Export the file from your ad server as it is: you say once what its columns mean, and the next file is
              read the same way. Lines are named by your own line ID or by the package ID. Or fill in a template:
            </p>
            <ul class="links">
              {UPLOAD_KINDS.map((one) => (
                <li key={one}>
                  <a href={`${base}/template/${one}`} download>
                    {UPLOAD_FORMATS[one].label}
                  </a>
                </li>
              ))}
            </ul>
            <p class="soft">A line may have many rows, such as one for each day.</p>
            <details>
              <summary>Exports that need no matching</summary>
              <ul>
                {visit.context.presets().map(({ name, title, kind }) => (
                  <li key={name}>
                    {title} <span class="soft">({UPLOAD_FORMATS[kind].label})</span>
                  </li>
                ))}
              </ul>
            </details>
          </Card>
        </div>
        {uploads.length > 0 && (
          <Table caption="Uploaded files" columns={columnsFor(visit)} rows={uploads} rowKey={({ id }) => id} />
        )}
      </>
    ),
  })
}

const STATES: Readonly<Record<UploadState, readonly [label: string, tone: Tone]>> = {
  arriving: ["Arriving", "off"],
  columns: ["Match the columns", "warn"],
  reading: ["Being read", "live"],
  preview: ["Waiting for you", "warn"],
  reporting: ["Being reported", "live"],
  done: ["Reported", "good"],
  unreadable: ["Not readable", "bad"],
  discarded: ["Discarded", "off"],
}

function columnsFor(visit: OrganizationVisit): Column<Upload>[] {
  return [
    {
      title: "File",
      cell: (upload) => (
        <a class="name" href={addressOf(visit, upload)}>
          {upload.fileName}
        </a>
      ),
    },
    { title: "Data", value: ({ kind }) => UPLOAD_FORMATS[kind].label },
    { title: "Rows", value: ({ rows }) => formatNumber(rows), numeric: true },
    { title: "Uploaded", cell: ({ uploadedAt }) => <Ago at={uploadedAt} /> },
    {
      title: "State",
      phone: "corner",
      cell: ({ state }) => <Badge tone={STATES[state][1]}>{STATES[state][0]}</Badge>,
    },
  ]
}

/** Receives a file, and goes on to its first page. */
export async function receiveFile(visit: OrganizationVisit): Promise<Response> {
  const { context, organization, person } = visit
  const form = await arrivingForm(visit.request)
  if (form === null) return filePage(visit, "delivery", { file: "Choose a file." })
  const kind = form.fields.get("kind") ?? ""
  const refuse = async (shown: string, errors: Errors) => {
    await form.stop()
    const page = await filePage(visit, shown, errors)
    // The rest of the file is not waited for.
    page.headers.set("Connection", "close")
    return page
  }
  if (!isUploadKind(kind)) return refuse("delivery", { kind: "Choose the type of data." })
  if (form.file === null) return refuse(kind, { file: "Choose a file." })
  const bytesMax = context.config.maxUploadMb * MEBIBYTE
  const file = {
    organizationId: organization.id,
    userId: person.userId,
    kind,
    fileName: form.file.name,
    bytes: metaOf(visit.request).length,
    bytesMax,
    sent: null,
    presets: context.presets(),
  }
  const outcome = await receiveUpload(context, file, form.file.chunks)
  if (!outcome.ok) return refuse(kind, { file: problemText(visit, outcome.problem) })
  // A small file is ready at once: then its preview is the next page.
  await context.uploads.settled()
  return goTo(visit, `${baseOf(visit)}/${outcome.id}`)
}

function problemText({ context }: OrganizationVisit, problem: string): string {
  switch (problem) {
    case "too large":
      return `This file is larger than ${context.config.maxUploadMb} MB. Split it and upload the parts one by one.`
    case "too many":
      return `There are ${UPLOADS_WAITING_MAX} files that nobody has decided about. Report or discard some of them first.`
    case "no room":
      return `There is no room for it: files that nobody has decided about take almost all of the ${sizeText(roomFor(context.config.maxUploadMb * MEBIBYTE))} that your organization has. Report or discard some of them first.`
    case "incomplete":
      return "The file did not arrive completely. Nothing of it was kept. Please upload it again."
    default:
      return problem
  }
}
