import { chooseReadings, discardUpload, reportUpload } from "../../../actions/upload/decide.ts"
import type { Upload } from "../../../domain/upload/upload.ts"
import { readForm } from "../form.ts"
import { confirmPage } from "../parts/page-kinds.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { columnsPage, submitColumns } from "./columns-page.tsx"
import { donePage, unreadablePage } from "./done-page.tsx"
import { refusedFile, template } from "./downloads.ts"
import { filePage, receiveFile } from "./file-page.tsx"
import { addressOf, baseOf, changeBy, withUpload } from "./place.ts"
import { previewPage } from "./preview-page.tsx"
import { progressPage, progressStatus } from "./progress-page.tsx"

/** The page for where a file has got to. */
function show(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  switch (upload.state) {
    case "columns":
      return columnsPage(visit, upload)
    case "reading":
    case "reporting":
      return progressPage(visit, upload)
    case "preview":
      return previewPage(visit, upload)
    case "done":
      return donePage(visit, upload)
    default:
      return unreadablePage(visit, upload)
  }
}

const MOVED_ON = problem("This file has moved on meanwhile.")

async function showColumns(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const isOpen = upload.state === "columns" || upload.state === "preview"
  return isOpen ? columnsPage(visit, upload) : goTo(visit, addressOf(visit, upload))
}

async function decide(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const { numbers, dates } = (await readForm(visit.request)).texts("numbers", "dates")
  const readings = {
    ...((numbers === "grouped" || numbers === "decimal") && ({ numbers } as const)),
    ...((dates === "day_first" || dates === "month_first") && ({ dates } as const)),
  }
  const moved = await chooseReadings(visit.context, upload, readings, changeBy(visit))
  await visit.context.uploads.settled()
  return goTo(visit, addressOf(visit, upload), moved ? undefined : MOVED_ON)
}

async function report(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const form = await readForm(visit.request)
  const ids = form.all("anyway").filter((id) => /^\d{1,15}$/.test(id))
  const anyway = form.has("anyway_all") ? "all" : ids.map(Number)
  const moved = await reportUpload(visit.context, upload, anyway, changeBy(visit))
  await visit.context.uploads.settled()
  return goTo(visit, addressOf(visit, upload), moved ? undefined : MOVED_ON)
}

function askToDiscard(visit: OrganizationVisit, upload: Upload): Response {
  const address = addressOf(visit, upload)
  return confirmPage(visit, {
    title: "Discard",
    active: baseOf(visit),
    question: `Discard ${upload.fileName}?`,
    text: "Nothing of it was reported.",
    action: `${address}/discard`,
    submit: "Discard",
    cancel: address,
  })
}

async function discard(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const isDiscarded = await discardUpload(visit.context, upload.id, changeBy(visit))
  if (!isDiscarded) return goTo(visit, addressOf(visit, upload), MOVED_ON)
  return goTo(visit, baseOf(visit), done(`${upload.fileName} was discarded.`))
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
  forMember("POST", `${ONE}/readings`, withUpload(decide)),
  forMember("POST", `${ONE}/report`, withUpload(report)),
  forMember("GET", `${ONE}/refused`, withUpload(refusedFile)),
  forMember("GET", `${ONE}/discard`, withUpload(askToDiscard)),
  forMember("POST", `${ONE}/discard`, withUpload(discard)),
]
