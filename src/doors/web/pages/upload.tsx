import { previewUpload, sendUpload, type UploadKind } from "../../../actions/delivery/upload-figures.ts"
import { AFFILIATE_METRICS_CSV, type CsvKind, DELIVERY_CSV } from "../../../domain/csv/csv-rows.ts"
import { UPLOAD_BYTES_MAX, UPLOAD_ROWS_MAX } from "../../../domain/limits.ts"
import { type Errors, FormTooLarge, readForm } from "../form.ts"
import { FileField } from "../parts/form/file-field.tsx"
import { Form } from "../parts/form/form.tsx"
import { Select } from "../parts/form/select.tsx"
import { formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { readRows } from "../read-csv.ts"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"
import { previewPage, resultPage, type UploadedFile } from "./upload-results.tsx"

const KINDS: Readonly<Record<UploadKind, { readonly label: string; readonly csv: CsvKind }>> = {
  delivery: { label: "Delivery totals", csv: DELIVERY_CSV },
  affiliate_metrics: { label: "Affiliate metrics", csv: AFFILIATE_METRICS_CSV },
}

const MEBIBYTE = 1_048_576
const FORM_FIELDS_BYTES_MAX = 65_536
// The preview contains the file. When it is sent back, a line break becomes two bytes, and a byte that is not UTF-8 becomes three.
const SENT_BACK_BYTES_MAX = UPLOAD_BYTES_MAX * 3 + FORM_FIELDS_BYTES_MAX
const TOO_LARGE = `This file is larger than ${UPLOAD_BYTES_MAX / MEBIBYTE} MB. Split it and upload the parts one by one.`

const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/upload`

function uploadPage(visit: OrganizationVisit, kind: string, errors: Errors): Response {
  const base = baseOf(visit)
  const choices = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }))
  return headedPage(visit, {
    title: "Upload",
    active: base,
    intro: "Report many lines at once from a CSV file. You see what each row would do before anything is saved.",
    body: (
      <div class="cols">
        <section class="card">
          <Form action={`${base}/preview`} submit="Preview" values={{ kind }} errors={errors} multipart>
            <Select name="kind" label="Type of data" choices={choices} />
            <FileField
              name="file"
              label="CSV file"
              accept=".csv,text/csv"
              hint={`At most ${UPLOAD_BYTES_MAX / MEBIBYTE} MB and ${formatNumber(UPLOAD_ROWS_MAX)} rows.`}
            />
          </Form>
        </section>
        <section class="card">
          <h2>File format</h2>
          <p class="soft">The first row names the columns, as the API names its fields. Other columns are ignored.</p>
          <Sample text={"package_id,impressions,as_of\n0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01,125000,2026-11-14"} />
          <p class="soft">
            A line may have many rows, such as one for each day. They are processed in the order of the file.
          </p>
          <Sample text={"code,date,clicks,conversions,conversionValue\nAUTUMN10,2026-11-14,120,4,199.95"} />
        </section>
      </div>
    ),
  })
}

function isKind(value: string): value is UploadKind {
  return Object.hasOwn(KINDS, value)
}

/** The form, or null when it is too large. */
async function readUpload(visit: OrganizationVisit, bytesMax: number) {
  try {
    return await readForm(visit.request, bytesMax)
  } catch (cause) {
    if (cause instanceof FormTooLarge) return null
    throw cause
  }
}

async function preview(visit: OrganizationVisit): Promise<Response> {
  const form = await readUpload(visit, UPLOAD_BYTES_MAX + FORM_FIELDS_BYTES_MAX)
  if (form === null) return uploadPage(visit, "delivery", { file: TOO_LARGE })
  const kind = form.text("kind")
  const file = form.file("file")
  if (!isKind(kind)) return uploadPage(visit, "delivery", { kind: "Choose the type of data." })
  if (file === null) return uploadPage(visit, kind, { file: "Choose a file." })
  if (file.size > UPLOAD_BYTES_MAX) return uploadPage(visit, kind, { file: TOO_LARGE })
  return withRows(visit, { kind, text: await file.text(), fileName: shortened(file.name) }, async (uploaded, rows) => {
    const upload = { kind, rows, pause: yieldToEventLoop }
    const preview = await previewUpload(visit.context, reporterOf(visit, uploaded), upload)
    return previewPage(visit, uploaded, { ...preview, rows, csv: KINDS[kind].csv, problem: null })
  })
}

async function confirm(visit: OrganizationVisit): Promise<Response> {
  const form = await readUpload(visit, SENT_BACK_BYTES_MAX)
  if (form === null) return uploadPage(visit, "delivery", { file: TOO_LARGE })
  const kind = form.text("kind")
  if (!isKind(kind)) return uploadPage(visit, "delivery", { kind: "Choose the type of data." })
  const file = { kind, text: form.raw("text"), fileName: shortened(form.text("file_name")) }
  return withRows(visit, file, async (uploaded, rows) => {
    const upload = { kind, rows, pause: yieldToEventLoop }
    const answer = form.text("answer")
    const { sent, ...result } = await sendUpload(visit.context, reporterOf(visit, uploaded), upload, answer)
    const shown = { ...result, rows, csv: KINDS[kind].csv }
    if (sent) return resultPage(visit, uploaded, shown)
    return previewPage(visit, uploaded, { ...shown, problem: answer === "" ? NOT_CONFIRMED : CHANGED })
  })
}

const NOT_CONFIRMED =
  "Nothing was saved. Some rows look like mistakes: check them, then tick the box below to report them anyway."
const CHANGED = "Nothing was saved. Totals have changed since the preview: please check the marked rows again."

async function withRows(
  visit: OrganizationVisit,
  uploaded: UploadedFile,
  answer: (uploaded: UploadedFile, rows: readonly Record<string, unknown>[]) => Promise<Response>,
): Promise<Response> {
  const read = await readRows(KINDS[uploaded.kind].csv, uploaded.text)
  return read.ok ? answer(uploaded, read.rows) : uploadPage(visit, uploaded.kind, { file: read.problem })
}

const shortened = (fileName: string) => fileName.slice(0, 100)

function reporterOf({ organization, person }: OrganizationVisit, { fileName }: UploadedFile) {
  const source = { kind: "file", reference: String(person.userId), detail: fileName } as const
  return { organizationId: organization.id, timeZone: organization.timeZone, source }
}

function Sample({ text }: { readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <pre class="sample" tabIndex={0}>
      {text}
    </pre>
  )
}

export const uploadRoutes = [
  forMember("GET", "/app/o/:org/upload", (visit) => uploadPage(visit, "delivery", {})),
  forMember("POST", "/app/o/:org/upload/preview", preview),
  forMember("POST", "/app/o/:org/upload", confirm),
]
