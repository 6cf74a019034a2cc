import { checkFile, rejectedRows } from "../../../actions/upload/check-file.ts"
import type { UploadedFile } from "../../../actions/upload/checked-row.ts"
import {
  chooseReadings,
  chooseSheet,
  discardUpload,
  forgetReading,
  matchLine,
  undoMatch,
} from "../../../actions/upload/decide.ts"
import { openFile } from "../../../actions/upload/open-file.ts"
import { reportUpload } from "../../../actions/upload/report.ts"
import { readPackageId } from "../../../domain/campaign/package-line.ts"
import { UNITS } from "../../../domain/campaign/pricing-basis.ts"
import { readNumber, WHOLE } from "../../../domain/text/typed-number.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { isDateOrder } from "../../../domain/time/typed-day.ts"
import { apiColumns, isUploadKind, type UploadKind } from "../../../domain/upload/columns.ts"
import type { Upload } from "../../../domain/upload/upload.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { workOnFile } from "../../http/uploaded-file.ts"
import { pageNotFound } from "../error-pages.tsx"
import { readForm } from "../form.ts"
import { askFirst, forMember } from "../guards.ts"
import { done, goTo, problem } from "../respond.tsx"
import { totalsOf } from "../totals/entered.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { type CsvValue, csv } from "../write-csv.ts"
import { columnsForm, submitColumns } from "./columns-form.tsx"
import { donePage, doneRoutes } from "./done-page.tsx"
import { filePage, receiveFile } from "./file-page.tsx"
import { filePreview, sheetPage } from "./preview-page.tsx"
import {
  addressOf,
  baseOf,
  changeBy,
  discardQuestion,
  findUpload,
  uploadPage,
  withOpenFile,
  withUpload,
} from "./upload-page.tsx"

function show(visit: OrganizationVisit, upload: Upload) {
  if (upload.state === "done") return donePage(visit, upload)
  return isSheetAsked(upload) ? sheetPage(visit, upload) : showOpen(visit)
}

const isSheetAsked = ({ choices }: Upload) => choices.sheets.length > 1 && choices.sheet === null

const showOpen = withOpenFile((visit, file) =>
  file.upload.choices.asks ? showColumns(visit, file) : filePreview(visit, file),
)

const showSheets = (visit: OrganizationVisit, upload: Upload) =>
  upload.state === "open" && upload.choices.sheets.length > 1
    ? sheetPage(visit, upload)
    : goTo(visit, addressOf(visit, upload))

async function showColumns(visit: OrganizationVisit, file: UploadedFile): Promise<Response> {
  return uploadPage(visit, file.upload, await columnsForm(visit, file))
}

const MOVED_ON = "This file has changed since you opened it. Please check again."
const CHANGED =
  "Nothing was reported: another report has changed totals since the preview. Please check the lines again."

/** Back to the file, which is as somebody wanted; or is told why not. */
const backTo = (visit: OrganizationVisit, upload: Upload, isDone: boolean | string) =>
  goTo(visit, addressOf(visit, upload), isDone === true ? undefined : problem(isDone || MOVED_ON))

async function saveSheet(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const { value } = readNumber((await readForm(visit.request)).text("sheet"), WHOLE) as { value?: number }
  const choose = () => chooseSheet(visit.context, upload, value ?? -1, changeBy(visit))
  return backTo(visit, upload, await workOnFile(upload.bytes, choose))
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
  const choose = () => chooseReadings(visit.context, upload, readings, changeBy(visit))
  return backTo(visit, upload, await workOnFile(upload.bytes, choose))
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

const forget = async (visit: OrganizationVisit, file: UploadedFile) =>
  backTo(visit, file.upload, await forgetReading(visit.context, file, changeBy(visit)))

async function report(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const form = await readForm(visit.request)
  const ids = form.all("anyway").filter((id) => /^\d{1,15}$/.test(id))
  const anyway = form.has("anyway_all") ? "all" : ids.map(Number)
  const decision = { anyway, seen: form.text("seen") } as const
  const outcome = await workOnFile(upload.bytes, () => reportUpload(visit.context, upload, decision, changeBy(visit)))
  return backTo(visit, upload, outcome === "changed" ? CHANGED : outcome === "done")
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
  forMember("GET", `${ONE}/columns`, withOpenFile(showColumns)),
  forMember("POST", `${ONE}/columns`, submitColumns),
  forMember("GET", `${ONE}/sheet`, withUpload(showSheets)),
  forMember("POST", `${ONE}/sheet`, withUpload(saveSheet)),
  forMember("POST", `${ONE}/match`, withUpload(saveMatchedLine)),
  forMember("POST", `${ONE}/forget`, withOpenFile(forget)),
  forMember("POST", `${ONE}/readings`, withUpload(decide)),
  forMember("POST", `${ONE}/report`, withUpload(report)),
  forMember("GET", `${ONE}/refused`, withUpload(refusedFile)),
  ...askFirst(forMember, `${ONE}/discard`, findUpload, discard, discardQuestion),
  ...doneRoutes,
]

const LAST_DAY = "9999-12-31"

async function refusedFile(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const { context } = visit
  return workOnFile(upload.bytes, async () => {
    const file = await openFile(context.store, upload)
    if (file === null) return goTo(visit, addressOf(visit, upload), problem("We no longer have this file."))
    const { refused } = await checkFile(context, file)
    const { header, rows } = rejectedRows(upload, file.table, refused)
    return csv(`refused-${upload.fileName}`, header, rows)
  })
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
