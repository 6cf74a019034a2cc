import { type LoadedFile, loadFile, type OpenFile } from "../../../actions/upload/preview.ts"
import type { UploadKind } from "../../../domain/upload/upload.ts"
import { type StoredUpload, uploadById } from "../../../storage/uploads.ts"
import type { Choice } from "../../parts/choices.tsx"
import { homeOf, type MemberVisit, orNotFound } from "../../visit.ts"

export const KIND_NAMES: Readonly<Record<UploadKind, string>> = {
  delivery: "Delivery totals",
  affiliate_codes: "Affiliate codes",
  affiliate_metrics: "Affiliate figures",
}

/** What the rows of a file are about. */
export const nounOf = (kind: UploadKind) => (kind === "delivery" ? "line" : "code")

export const uploadsAddress = (visit: MemberVisit) => `${homeOf(visit)}/upload`

export const uploadAddress = (visit: MemberVisit, { id }: Pick<StoredUpload, "id">) => `${uploadsAddress(visit)}/${id}`

/** The pages above a page about one file. */
export const uploadTrail = (visit: MemberVisit) => [{ href: uploadsAddress(visit), label: "Upload" }]

/** The file in the path. */
export async function findUpload({ read, organization, params }: MemberVisit): Promise<StoredUpload> {
  const id = Number(params["upload"])
  return orNotFound(Number.isSafeInteger(id) && (await uploadById(read, organization.id, id)))
}

export const keyOf = ({ organization }: MemberVisit, { id }: StoredUpload) => ({ organizationId: organization.id, id })

export const loadIn = ({ read, organization, now }: MemberVisit, file: OpenFile): Promise<LoadedFile> =>
  loadFile(read, organization.id, file, now)

/** The lines that a person can choose. */
export const lineChoices = ({ lines }: LoadedFile): Choice[] =>
  lines
    .filter(({ isArchived }) => !isArchived)
    .map(({ packageId, name, campaign }) => ({ value: packageId, label: `${name} (${campaign.name})` }))

/** The heading of a column. Its letter as in a spreadsheet, if it has none or another column has the same. */
export function headingOf(headings: readonly string[], column: number): string {
  const heading = headings[column] ?? ""
  if (heading === "") return `Column ${lettersOf(column)}`
  const isOnly = headings.indexOf(heading) === headings.lastIndexOf(heading)
  return isOnly ? heading : `${heading} (column ${lettersOf(column)})`
}

const lettersOf = (column: number): string =>
  (column < 26 ? "" : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))
