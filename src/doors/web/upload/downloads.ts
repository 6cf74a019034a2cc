import { refusedRows } from "../../../actions/upload/check-file.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { EXTERNAL_ID, UPLOAD_FORMATS } from "../../../domain/upload/columns.ts"
import { isUploadKind, type Upload, type UploadKind } from "../../../domain/upload/upload.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { linesInFlight } from "../home/lines-in-flight.ts"
import { pageNotFound } from "../pages/error-pages.tsx"
import { goTo, problem } from "../respond.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { type CsvValue, csv, longCsv } from "../write-csv.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"
import { addressOf } from "./place.ts"

const LAST_DAY = "9999-12-31"

/** The refused rows of a file in the shape in which they came, with the reason as a last column. */
export async function refusedFile(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const refused = await refusedRows(visit.context, upload, yieldToEventLoop)
  if (refused === null)
    return goTo(visit, addressOf(visit, upload), problem("This file is no longer kept. Its rows are gone."))
  return longCsv(`refused-${upload.fileName}`, [...refused.header, "reason"], refused.rows)
}

/** A file to fill in, with the lines of the organization. */
export async function template(visit: OrganizationVisit): Promise<Response> {
  const kind = param(visit, "kind")
  if (!isUploadKind(kind)) return pageNotFound(visit)
  const lines = kind === "affiliate_metrics" ? [] : await linesToFillIn(visit)
  const hasOwnIds = lines.some(({ externalId }) => externalId !== null)
  const columns = UPLOAD_FORMATS[kind].csv.columns.map((name, i) => (i === 0 && hasOwnIds ? EXTERNAL_ID : name))
  // Lines without an id of the seller's own would need a second kind of file.
  const named = hasOwnIds ? lines.filter(({ externalId }) => externalId !== null) : lines
  const header = kind === "affiliate_metrics" ? columns : [...columns, "line"]
  return csv(
    `${kind.replaceAll("_", "-")}-template.csv`,
    header,
    named.map((line) => templateRow(kind, line, hasOwnIds)),
  )
}

/** Lines that have not ended, read in parts, so that others are answered between them. */
async function linesToFillIn({ context, organization, now }: OrganizationVisit): Promise<FlyingLine[]> {
  const lines: FlyingLine[] = []
  const today = dayOf(now, organization.timeZone)
  for await (const part of linesInFlight(context, organization, today, LAST_DAY)) lines.push(...part)
  return lines
}

function templateRow(kind: UploadKind, line: FlyingLine, hasOwnIds: boolean): CsvValue[] {
  const id = hasOwnIds ? line.externalId : line.packageId
  if (kind === "affiliate_codes") return [id, "", "", line.name]
  const figure = (unit: string) => (line.pricingBasis === unit ? (line.total?.quantity ?? null) : null)
  return [id, figure("impressions"), figure("downloads"), "", line.name]
}
