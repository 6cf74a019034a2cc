import { type LoadedFile, loadFile, type OpenFile } from "../../../actions/upload/preview.ts"
import type { UploadKind } from "../../../domain/upload/upload.ts"
import { type StoredUpload, uploadById } from "../../../storage/uploads.ts"
import type { Choice } from "../../parts/choices.tsx"
import { formatDate } from "../../parts/format.tsx"
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

/** The lines that a person can choose. Those with the same name show what tells them apart. */
export function lineChoices({ lines }: LoadedFile): Choice[] {
  const open = lines.filter(({ isArchived }) => !isArchived)
  const counts = Map.groupBy(open, ({ name }) => name)
  return open.map(({ packageId, name, campaign, externalId, flightStart }) => {
    const isOnly = counts.get(name)?.length === 1
    const details = isOnly ? [] : [`from ${formatDate(flightStart)}`, externalId ?? packageId]
    return { value: packageId, label: `${name} (${[campaign.name, ...details].join(", ")})` }
  })
}

/** The heading of a column. Its letter as in a spreadsheet, if it has none or another column has the same. */
export function headingOf(headings: readonly string[], column: number): string {
  const heading = headings[column] ?? ""
  if (heading === "") return `Column ${lettersOf(column)}`
  const isOnly = headings.indexOf(heading) === headings.lastIndexOf(heading)
  return isOnly ? heading : `${heading} (column ${lettersOf(column)})`
}

const lettersOf = (column: number): string =>
  (column < 26 ? "" : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))
