import type { ComponentChildren } from "preact"
import { rowsInWords } from "../../../domain/presets/preset.ts"
import { UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import { UNDECIDED, type Upload } from "../../../domain/upload/upload.ts"
import { AskFirst } from "../parts/buttons.tsx"
import { Banner } from "../parts/feedback.tsx"
import { Ago, formatCount, formatNumber } from "../parts/format.tsx"
import { headedPage, Steps } from "../parts/page.tsx"
import { withFound } from "../route.ts"
import { idParam, type OrganizationVisit } from "../visit.ts"

interface UploadPage {
  readonly step: number
  readonly status?: number
  readonly isBusy?: boolean
  readonly titlePrefix?: string
  readonly actions?: ComponentChildren
  readonly body: ComponentChildren
}

export async function uploadPage(visit: OrganizationVisit, upload: Upload, shown: UploadPage): Promise<Response> {
  const { step, body, actions, titlePrefix = "", ...rest } = shown
  const same = await visit.context.store.uploads.findSame(upload)
  return headedPage(visit, {
    ...rest,
    title: `${titlePrefix}${upload.fileName}`,
    heading: upload.fileName,
    trail: [{ href: baseOf(visit), label: "Upload" }],
    intro: <About visit={visit} upload={upload} />,
    actions: UNDECIDED.includes(upload.state) ? <Discard visit={visit} upload={upload} /> : actions,
    body: (
      <>
        <Steps steps={STEPS} current={step} />
        {same !== null && upload.state !== "done" && <Same visit={visit} same={same} />}
        {body}
      </>
    ),
  })
}

function About({ visit, upload }: { readonly visit: OrganizationVisit; readonly upload: Upload }) {
  const { person } = visit
  const { preset, sent } = upload.choices
  const by = upload.uploadedBy === person.userId ? " by you" : ""
  return (
    <>
      <p class="sub">
        {UPLOAD_FORMATS[upload.kind].label} · {formatCount(upload.rows, "row")}, {sizeText(upload.bytes)} ·{" "}
        {sent === null ? `uploaded${by}` : "sent with an API key"} <Ago at={upload.uploadedAt} />
        {UNDECIDED.includes(upload.state) && " · kept until you decide, at most 7 days"}
      </p>
      {preset !== null && (
        <p class="sub">
          Recognized as {preset.title}: {rowsInWords(preset)}. {preset.note}
        </p>
      )}
    </>
  )
}

/** People upload the same file twice by mistake. It does no harm, but they should know. */
function Same({ visit, same }: { readonly visit: OrganizationVisit; readonly same: Upload }) {
  return (
    <Banner tone="info">
      <p>
        The same file was uploaded <Ago at={same.uploadedAt} />
        {same.state === "done" ? " and reported" : ""}: <a href={addressOf(visit, same)}>{same.fileName}</a>. Reporting
        it again does no harm.
      </p>
    </Banner>
  )
}

function Discard({ visit, upload }: { readonly visit: OrganizationVisit; readonly upload: Upload }) {
  const href = `${addressOf(visit, upload)}/discard`
  const label = upload.state === "reading" ? "Cancel" : "Discard"
  return (
    <AskFirst quiet id="discard" href={href} label={label} question={`Discard ${upload.fileName}?`} submit="Discard">
      <p>None of it was reported.</p>
    </AskFirst>
  )
}

const KIBIBYTE = 1_024

export function sizeText(bytes: number): string {
  if (bytes < KIBIBYTE) return formatCount(bytes, "byte")
  const kib = bytes / KIBIBYTE
  return kib < KIBIBYTE ? `${formatNumber(Math.round(kib))} KB` : `${formatNumber(Math.round(kib / 102.4) / 10)} MB`
}

const STEPS = ["File", "Columns", "Preview", "Done"] as const

export const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/upload`
export const addressOf = (visit: OrganizationVisit, { id }: Upload) => `${baseOf(visit)}/${id}`

/** Answers about the file in the path, or with "not found". */
export const withUpload = (show: (visit: OrganizationVisit, upload: Upload) => Response | Promise<Response>) =>
  withFound(async (visit: OrganizationVisit) => {
    const id = idParam(visit, "upload")
    return id === null ? null : visit.context.store.uploads.find(visit.organization.id, id)
  }, show)

export const changeBy = ({ actor, now }: OrganizationVisit) => ({ actor, at: now })
