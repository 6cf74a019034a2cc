import { rejectedRows } from "../../../actions/upload/check-file.ts"
import {
  chooseReadings,
  discardUpload,
  forgetReading,
  matchLine,
  reportUpload,
  undoMatch,
} from "../../../actions/upload/decide.ts"
import { readPackageId } from "../../../domain/campaign/package-line.ts"
import { UNITS } from "../../../domain/campaign/pricing-basis.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { isDateOrder } from "../../../domain/time/typed-day.ts"
import { apiColumns, isUploadKind, type UploadKind } from "../../../domain/upload/columns.ts"
import type { Upload, UploadState } from "../../../domain/upload/upload.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { readForm } from "../form.ts"
import { askFirst, done, goTo, problem } from "../respond.tsx"
import { totalsOf } from "../totals/entered.ts"
import { type Answer, forMember, type OrganizationVisit, param } from "../visit.ts"
import { type CsvValue, csv, longCsv } from "../write-csv.ts"
import { columnsPage, submitColumns, submitHeader } from "./columns-page.tsx"
import { donePage, doneRoutes } from "./done-page.tsx"
import { filePage, receiveFile } from "./file-page.tsx"
import { previewPage } from "./preview-page.tsx"
import { progressPage, progressStatus } from "./progress.tsx"
import { addressOf, baseOf, changeBy, discardQuestion, findUpload, unreadablePage, withUpload } from "./upload-page.tsx"

const PAGES: Readonly<Partial<Record<UploadState, (visit: OrganizationVisit, upload: Upload) => Answer>>> = {
  columns: (visit, upload) => columnsPage(visit, upload),
  preview: previewPage,
  reporting: progressPage,
  done: donePage,
}

const show = (visit: OrganizationVisit, upload: Upload) => (PAGES[upload.state] ?? unreadablePage)(visit, upload)

const MOVED_ON = "This file has changed since you opened it. Please check again."

/** Back to the file, which is as somebody wanted; or is told why not. */
const backTo = (visit: OrganizationVisit, upload: Upload, isDone: boolean | string) =>
  goTo(visit, addressOf(visit, upload), isDone === true ? undefined : problem(isDone || MOVED_ON))

async function showColumns(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const isOpen = upload.state === "columns" || upload.state === "preview"
  return isOpen ? columnsPage(visit, upload) : goTo(visit, addressOf(visit, upload))
}

async function decide(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const form = await readForm(visit.request)
  const { numbers, dates, sums, parts, before } = form.texts("numbers", "dates", "sums", "parts", "before")
  const readings = {
    ...((numbers === "grouped" || numbers === "decimal") && ({ numbers } as const)),
    ...(isDateOrder(dates) && { dates }),
    ...(sums === "keep" && { keepSums: true }),
    ...(parts === "add" && { figures: "daily" }),
    ...(before === "nothing" && { nothingBefore: true }),
  }
  return backTo(visit, upload, await chooseReadings(visit.context, upload, readings, changeBy(visit)))
}

async function saveMatchedLine(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const form = await readForm(visit.request)
  const text = form.text("text")
  const by = changeBy(visit)
  if (form.has("undo")) return backTo(visit, upload, await undoMatch(visit.context, upload, text, by))
  const packageId = form.has("not_mine") ? null : readPackageId(form.text("line"))
  if (packageId === undefined) return backTo(visit, upload, "Choose a line first.")
  return backTo(visit, upload, await matchLine(visit.context, upload, { text, packageId }, by))
}

async function forget(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const { context } = visit
  return backTo(visit, upload, await forgetReading(context, upload, context.presets(), changeBy(visit)))
}

async function report(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const form = await readForm(visit.request)
  const ids = form.all("anyway").filter((id) => /^\d{1,15}$/.test(id))
  const anyway = form.has("anyway_all") ? "all" : ids.map(Number)
  const decision = { anyway, seen: form.text("seen") } as const
  const moved = await reportUpload(visit.context, upload, decision, changeBy(visit))
  if (moved) await visit.context.uploads.report(visit.organization.id, upload.id)
  return backTo(visit, upload, moved)
}

async function discard(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const isDiscarded = await discardUpload(visit.context, upload.id, changeBy(visit))
  if (!isDiscarded) return backTo(visit, upload, false)
  return goTo(visit, baseOf(visit), done(`${upload.fileName} was discarded.`, totalsOf(visit), "Report totals by hand"))
}

const UPLOAD = "/app/o/:org/upload"
const ONE = `${UPLOAD}/:upload`

export const uploadRoutes = [
  forMember("GET", UPLOAD, (visit) => filePage(visit)),
  forMember("POST", UPLOAD, receiveFile),
  forMember("GET", `${UPLOAD}/template/:kind`, template),
  forMember("GET", ONE, withUpload(show)),
  forMember("GET", `${ONE}/status`, withUpload(progressStatus)),
  forMember("GET", `${ONE}/columns`, withUpload(showColumns)),
  forMember("POST", `${ONE}/columns`, withUpload(submitColumns)),
  forMember("POST", `${ONE}/header`, withUpload(submitHeader)),
  forMember("POST", `${ONE}/match`, withUpload(saveMatchedLine)),
  forMember("POST", `${ONE}/forget`, withUpload(forget)),
  forMember("POST", `${ONE}/readings`, withUpload(decide)),
  forMember("POST", `${ONE}/report`, withUpload(report)),
  forMember("GET", `${ONE}/refused`, withUpload(refusedFile)),
  ...askFirst(forMember, `${ONE}/discard`, findUpload, discard, discardQuestion),
  ...doneRoutes,
]

const LAST_DAY = "9999-12-31"

async function refusedFile(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const refused = await rejectedRows(visit.context, upload)
  if (refused === null) return goTo(visit, addressOf(visit, upload), problem("We no longer have this file."))
  return longCsv(`refused-${upload.fileName}`, refused.header, refused.rows)
}

/** A file to fill in, with the lines of the organization. */
async function template(visit: OrganizationVisit): Promise<Response> {
  const kind = param(visit, "kind")
  if (!isUploadKind(kind)) return pageNotFound(visit)
  const file = `${kind.replaceAll("_", "-")}-template.csv`
  if (kind === "affiliate_metrics") return csv(file, apiColumns(kind), [])
  const rows = (await linesToFillIn(visit)).map((line) => templateRow(kind, line))
  return csv(file, [...apiColumns(kind), "line"], rows)
}

/** Lines that have not ended. */
function linesToFillIn({ context, organization, now }: OrganizationVisit): Promise<FlyingLine[]> {
  const days = { from: dayOf(now, organization.timeZone), to: LAST_DAY }
  return context.store.campaigns.inFlight(organization.id, days)
}

function templateRow(kind: UploadKind, { packageId, name, pricingBasis, total }: FlyingLine): CsvValue[] {
  if (kind === "affiliate_codes") return [packageId, "", "", name]
  const figure = (unit: string) => (pricingBasis === unit ? (total?.quantity ?? null) : null)
  return [packageId, ...UNITS.map(figure), "", name]
}
