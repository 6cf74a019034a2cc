import { openFile } from "../../../actions/upload/answer.ts"
import { type LoadedFile, loadFile, type OpenFile } from "../../../actions/upload/preview.ts"
import type { UploadKind } from "../../../domain/upload/upload.ts"
import { type StoredUpload, uploadById } from "../../../storage/uploads.ts"
import { homeOf, type MemberVisit, NotFound } from "../../visit.ts"

export const KIND_NAMES: Readonly<Record<UploadKind, string>> = {
  delivery: "Delivery totals",
  affiliate_codes: "Affiliate codes",
  affiliate_metrics: "Affiliate figures",
}

export const uploadsAddress = (visit: MemberVisit) => `${homeOf(visit)}/upload`

export const uploadAddress = (visit: MemberVisit, { id }: Pick<StoredUpload, "id">) => `${uploadsAddress(visit)}/${id}`

/** The pages above a page about one file. */
export const uploadTrail = (visit: MemberVisit) => [{ href: uploadsAddress(visit), label: "Upload" }]

/** The file in the path. */
export async function findUpload(visit: MemberVisit): Promise<StoredUpload> {
  const { read, organization, params } = visit
  const id = Number(params["upload"])
  const upload = Number.isSafeInteger(id) ? await uploadById(read, organization.id, id) : null
  if (upload === null) throw new NotFound()
  return upload
}

export const keyOf = ({ organization }: MemberVisit, { id }: Pick<StoredUpload, "id">) => ({
  organizationId: organization.id,
  id,
})

/** A file that isn't reported yet. */
export interface OpenUpload {
  readonly upload: StoredUpload
  readonly file: OpenFile
  readonly loaded: LoadedFile
}

/** The file in the path, if it's still open. */
export async function findOpenUpload(
  visit: MemberVisit,
): Promise<{ readonly upload: StoredUpload; readonly file: OpenFile }> {
  const upload = await findUpload(visit)
  const file = openFile(upload)
  if (file === null) throw new NotFound()
  return { upload, file }
}

export const loadIn = ({ context, organization, now }: MemberVisit, file: OpenFile): Promise<LoadedFile> =>
  loadFile(context.database.read, organization.id, file, now)

/** The heading of a column. Its letter as in a spreadsheet, if it has none or another column has the same. */
export function headingOf(headings: readonly string[], column: number): string {
  const heading = headings[column] ?? ""
  if (heading === "") return `Column ${lettersOf(column)}`
  const isOnly = headings.indexOf(heading) === headings.lastIndexOf(heading)
  return isOnly ? heading : `${heading} (column ${lettersOf(column)})`
}

const lettersOf = (column: number): string =>
  (column < 26 ? "" : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))
