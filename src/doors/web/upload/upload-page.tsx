import type { ComponentChildren } from "preact"
import type { UploadedFile } from "../../../actions/upload/checked-row.ts"
import { openFile } from "../../../actions/upload/open-file.ts"
import { rowsInWords } from "../../../domain/presets/preset.ts"
import { UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import { notCsv, rowsOf, type Upload } from "../../../domain/upload/upload.ts"
import { workOnFile } from "../../http/uploaded-file.ts"
import { type PageAnswer, withFound } from "../guards.ts"
import { Banner, ButtonLink } from "../parts/blocks.tsx"
import { Ago, formatCount, formatNumber } from "../parts/format.tsx"
import { AskButton, goTo, headedPage, type Question } from "../respond.tsx"
import { idParam, type OrganizationVisit } from "../visit.ts"

export type OfUpload = Readonly<{ visit: OrganizationVisit; upload: Upload }>

/** A page about a file. */
export function uploadPage(visit: OrganizationVisit, upload: Upload, body: ComponentChildren): Response {
  const { fileName } = upload
  const trail = [{ href: baseOf(visit), label: "Upload" }]
  const intro = <About visit={visit} upload={upload} />
  return headedPage(visit, {
    title: fileName,
    heading: fileName,
    trail,
    intro,
    actions: actionsOf(visit, upload),
    body,
  })
}

function actionsOf(visit: OrganizationVisit, upload: Upload) {
  if (upload.state === "open") return <AskButton label="Discard" question={discardQuestion(visit, upload)} />
  return <ButtonLink icon="upload" href={baseOf(visit)} label="Upload another" />
}

function About({ visit, upload }: OfUpload) {
  const { person } = visit
  const { preset, sent } = upload.choices
  const by = upload.uploadedBy === person.userId ? " by you" : ""
  return [
    <p class="sub">
      {UPLOAD_FORMATS[upload.kind].label} · {upload.rows > 0 && `${formatCount(upload.rows, "row")}, `}
      {sizeText(upload.bytes)} · {sent === null ? `uploaded${by}` : "sent with an API key"}{" "}
      <Ago at={upload.uploadedAt} />
      {upload.state === "open" && " · kept until you decide, at most 7 days"}
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

/** Answers with a file. */
export const withUpload = (show: (visit: OrganizationVisit, upload: Upload) => PageAnswer) =>
  withFound(findUpload, show)

/** Answers with a file that somebody decides about, and its table; with a page that says so where it cannot be read any more. */
export function withOpenFile(show: (visit: OrganizationVisit, file: UploadedFile) => PageAnswer) {
  const answer = async (visit: OrganizationVisit, upload: Upload): Promise<Response> => {
    const file = await openFile(visit.context.store, upload).catch(notCsv)
    if (file !== null && typeof file !== "string") return show(visit, file)
    const body = (
      <Banner tone="bad" live>
        <p>{file ?? "We no longer have this file."}</p>
      </Banner>
    )
    return uploadPage(visit, upload, body)
  }
  return withUpload((visit, upload) =>
    upload.state === "open"
      ? workOnFile(upload.bytes, () => answer(visit, upload))
      : goTo(visit, addressOf(visit, upload)),
  )
}

export const changeBy = ({ actor, now }: OrganizationVisit) => ({ actor, at: now })
