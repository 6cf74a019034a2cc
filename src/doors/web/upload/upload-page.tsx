import type { ComponentChildren } from "preact"
import { rowsInWords } from "../../../domain/presets/preset.ts"
import { UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import { notCsv, rowsOf, UNDECIDED, type Upload, type UploadState } from "../../../domain/upload/upload.ts"
import { Banner, ButtonLink } from "../parts/blocks.tsx"
import { Ago, formatCount, formatNumber } from "../parts/format.tsx"
import { Steps } from "../parts/page.tsx"
import { AskButton, headedPage, type Question } from "../respond.tsx"
import { type Answer, idParam, type OrganizationVisit, withFound } from "../visit.ts"

export type OfUpload = Readonly<{ visit: OrganizationVisit; upload: Upload }>

const STEPS = ["File", "Columns", "Preview", "Done"] as const
const STEP_OF: Partial<Record<UploadState, number>> = { columns: 1, preview: 2, reporting: 3, done: 3 }

type PageOptions = Readonly<{ step?: number | undefined; isBusy?: boolean }>

/** A page about a file. The columns can be changed later, too. */
export function uploadPage(
  visit: OrganizationVisit,
  upload: Upload,
  children: ComponentChildren,
  { step = STEP_OF[upload.state] ?? 0, isBusy = false }: PageOptions = {},
): Response {
  const { fileName, state } = upload
  const body = [<Steps steps={STEPS} current={step} />, children]
  const title = state === "unreadable" ? `Error: ${fileName}` : fileName
  const trail = [{ href: baseOf(visit), label: "Upload" }]
  const intro = <About visit={visit} upload={upload} />
  return headedPage(visit, { title, heading: fileName, trail, intro, actions: actionsOf(visit, upload), body, isBusy })
}

function actionsOf(visit: OrganizationVisit, upload: Upload) {
  if (UNDECIDED.includes(upload.state)) return <AskButton label="Discard" question={discardQuestion(visit, upload)} />
  return upload.state === "done" ? <ButtonLink icon="upload" href={baseOf(visit)} label="Upload another" /> : undefined
}

function About({ visit, upload }: OfUpload) {
  const { person } = visit
  const { preset, sent } = upload.choices
  const by = upload.uploadedBy === person.userId ? " by you" : ""
  return [
    <p class="sub">
      {UPLOAD_FORMATS[upload.kind].label} · {formatCount(upload.rows, "row")}, {sizeText(upload.bytes)} ·{" "}
      {sent === null ? `uploaded${by}` : "sent with an API key"} <Ago at={upload.uploadedAt} />
      {UNDECIDED.includes(upload.state) && " · kept until you decide, at most 7 days"}
    </p>,
    preset !== null && (
      <p class="sub">
        Recognized as {preset.title}: {rowsInWords({ ...preset, rows: rowsOf(upload.choices) })}. {preset.note}
      </p>
    ),
  ]
}

export const discardQuestion = (visit: OrganizationVisit, upload: Upload): Question => ({
  href: `${addressOf(visit, upload)}/discard`,
  title: `Discard ${upload.fileName}?`,
  text: upload.receivedAt === null ? "None of it has been reported." : "What has been reported of it stays.",
  submit: "Discard",
})

const KIBIBYTE = 1_024

export function sizeText(bytes: number): string {
  if (bytes < KIBIBYTE) return formatCount(bytes, "byte")
  const kib = bytes / KIBIBYTE
  return kib < KIBIBYTE ? `${formatNumber(Math.round(kib))} KB` : `${formatNumber(Math.round(kib / 102.4) / 10)} MB`
}

export const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/upload`
export const addressOf = (visit: OrganizationVisit, { id }: Upload) => `${baseOf(visit)}/${id}`

export const findUpload = (visit: OrganizationVisit): Promise<Upload | null> =>
  visit.context.store.uploads.find(visit.organization.id, idParam(visit, "upload"))

/** Answers with a file. One that turns out to be no CSV further down than anybody looked before gets a page that says so. */
export const withUpload = (show: (visit: OrganizationVisit, upload: Upload) => Answer) =>
  withFound(findUpload, async (visit, upload) => {
    try {
      return await show(visit, upload)
    } catch (cause) {
      return unreadablePage(visit, { ...upload, ...notCsv(cause) })
    }
  })

export function unreadablePage(visit: OrganizationVisit, upload: Upload): Response {
  const body = [
    <Banner tone="bad" live>
      <p>{upload.summary.problem}</p>
    </Banner>,
    <div class="actions">
      <ButtonLink href={baseOf(visit)} label="Choose another file" />
    </div>,
  ]
  return uploadPage(visit, upload, body)
}

export const changeBy = ({ actor, now }: OrganizationVisit) => ({ actor, at: now })
