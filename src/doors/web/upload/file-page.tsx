import { once } from "node:events"
import type { Readable } from "node:stream"
import { Busboy, type BusboyInstance } from "@fastify/busboy"
import { receiveUpload } from "../../../actions/upload/receive.ts"
import { UPLOAD_ROWS_MAX, UPLOADS_WAITING_MAX } from "../../../domain/limits.ts"
import { isUploadKind, UPLOAD_FORMATS, UPLOAD_KINDS } from "../../../domain/upload/columns.ts"
import { keptBytesMax, type Upload, type UploadState } from "../../../domain/upload/upload.ts"
import { nextTurn } from "../../../next-turn.ts"
import { BodyRefused, bodyChunks } from "../../http/body-chunks.ts"
import { metaOf } from "../../http/request-meta.ts"
import { withoutWorkbook } from "../../http/workbook.ts"
import { type Errors, FormRefused, formRefused } from "../form.ts"
import { Badge, Card, type Tone } from "../parts/blocks.tsx"
import { Select } from "../parts/form/choices.tsx"
import { FileField, Form } from "../parts/form/form.tsx"
import { Ago, formatNumber } from "../parts/format.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { goTo, headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { addressOf, baseOf, sizeText } from "./upload-page.tsx"

const MEBIBYTE = 1_048_576
const LISTED_MAX = 20

export async function filePage(visit: OrganizationVisit, kind = "delivery", errors: Errors = {}): Promise<Response> {
  const base = baseOf(visit)
  const { maxUploadMb } = visit.context.config
  const choices = UPLOAD_KINDS.map((value) => ({ value, label: UPLOAD_FORMATS[value].label }))
  const uploads = await visit.context.store.uploads.list(visit.organization.id, LISTED_MAX)
  return headedPage(visit, {
    title: "Upload",
    intro: "Report many lines at once from a file. You see what will change before anything is saved.",
    body: [
      <div class="cols">
        <section class="card" data-upload={maxUploadMb * MEBIBYTE}>
          <Form action={base} submit="Upload" values={{ kind }} errors={errors} multipart>
            <Select name="kind" label="Type of data" choices={choices} />
            <FileField
              name="file"
              label="File"
              accept=".csv,.tsv,.txt,.xlsx,text/csv"
              hint={`Choose a file or drop it here: CSV, or an Excel workbook with one sheet. At most ${maxUploadMb} MB and ${formatNumber(UPLOAD_ROWS_MAX)} rows.`}
            />
          </Form>
        </section>
        <Card title="Which columns">
          <p class="soft">
            Upload the export of your ad server as it is. Say once what its columns mean; the next file is read the same
            way. Lines are found by your own line ID, by name or by the line ID for the API. Or fill in a template:
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

const STATES: Readonly<Record<UploadState, readonly [label: string, tone: Tone]>> = {
  arriving: ["Arriving", "off"],
  columns: ["Match the columns", "warn"],
  preview: ["Waiting for you", "warn"],
  reporting: ["Being reported", "live"],
  done: ["Reported", "good"],
  unreadable: ["Not readable", "bad"],
  discarded: ["Discarded", "off"],
}

const columnsFor = (visit: OrganizationVisit): Column<Upload>[] => [
  { title: "File", value: ({ fileName }) => fileName, href: (upload) => addressOf(visit, upload) },
  { title: "Data", value: ({ kind }) => UPLOAD_FORMATS[kind].label },
  // Of the others nobody has counted them yet.
  { title: "Rows", value: ({ state, rows }) => (state === "done" ? formatNumber(rows) : "–"), numeric: true },
  { title: "Uploaded", cell: ({ uploadedAt }) => <Ago at={uploadedAt} /> },
  {
    title: "State",
    narrow: "corner",
    cell: ({ state, summary }) => {
      const [label, tone] = summary.withdrawn === null ? STATES[state] : (["Withdrawn", "off"] as const)
      return <Badge tone={tone}>{label}</Badge>
    },
  },
]

export async function receiveFile(visit: OrganizationVisit): Promise<Response> {
  const { context, organization, person } = visit
  const form = await arrivingForm(visit.request)
  if (form === null) return filePage(visit, "delivery", { file: "Choose a file." })
  const kind = form.fields.get("kind") ?? ""
  const refuse = async (name: string, errors: Errors) => {
    await form.stop()
    return filePage(visit, name, errors)
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
  const outcome = await receiveUpload(context, file, withoutWorkbook(form.file.chunks, bytesMax))
  if (!outcome.ok) return refuse(kind, { file: problemText(visit, outcome.problem) })
  return goTo(visit, `${baseOf(visit)}/${outcome.id}`)
}

export function problemText({ context }: OrganizationVisit, problem: string): string {
  const { maxUploadMb } = context.config
  const room = sizeText(keptBytesMax(maxUploadMb * MEBIBYTE))
  const texts: Readonly<Record<string, string>> = {
    "too large": `This file is larger than ${maxUploadMb} MB. Split it and upload the parts one by one.`,
    "too many": `${UPLOADS_WAITING_MAX} files are waiting for a decision. Report or discard some of them first.`,
    "no room": `There is no room: files waiting for a decision take up almost all of the ${room} that your organization has. Report or discard some of them first.`,
    incomplete: "The file did not arrive completely. Please upload it again.",
  }
  return texts[problem] ?? problem
}

/**
 * Reads a form up to its file, which is null where none was chosen, and never in memory as a whole; `stop` is for a file that is refused.
 * Null when this is no such form.
 */
export async function arrivingForm(request: Request) {
  const type = request.headers.get("content-type") ?? ""
  if (request.body === null || !/^multipart\/form-data/i.test(type)) return null
  const fields = new Map<string, string>()
  const parser = parserOf(type)
  const reached = Promise.withResolvers<{ name: string; chunks: Readable } | null>()
  let stream: Readable | undefined
  parser.on("field", (name, value) => fields.set(name, value))
  parser.on("file", (_, content, name) => {
    stream = content
    // Listened to even if nobody reads it: an error that nobody hears would end the process.
    content.on("error", () => undefined)
    reached.resolve({ name: name ?? "", chunks: content })
  })
  parser.on("finish", () => reached.resolve(null))
  const fail = (error: Error) => {
    stream?.destroy(error)
    reached.reject(error)
  }
  parser.on("error", (cause) => fail(new FormRefused("unreadable", { cause })))
  const stopped = new AbortController()
  const pumping = pump(request, parser, stopped).catch((cause: unknown) =>
    fail(cause instanceof BodyRefused ? formRefused(cause.failure) : new FormRefused("too slow", { cause })),
  )
  const file = await reached.promise
  const stop = () => {
    stopped.abort()
    return pumping
  }
  // Where no file was chosen, browsers send one without a name.
  return { fields, file: file?.name ? file : null, stop }
}

function parserOf(type: string): BusboyInstance {
  const limits = { files: 1, fields: 10, fieldSize: 1_000, fieldNameSize: 100, headerPairs: 20 }
  try {
    return new Busboy({ headers: { "content-type": type }, limits })
  } catch (cause) {
    throw new FormRefused("unreadable", { cause })
  }
}

async function pump(request: Request, parser: BusboyInstance, stopped: AbortController): Promise<void> {
  parser.once("error", () => stopped.abort())
  for await (const slice of bodyChunks(request, stopped.signal)) {
    const isTaken = parser.write(slice)
    if (!isTaken) await once(parser, "drain", { signal: stopped.signal })
    // Even after that: all of it may have been stored without a turn of the event loop.
    await nextTurn()
  }
  parser.end()
}
