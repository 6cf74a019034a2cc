import { fileReport } from "../../domain/upload/file-report.ts"
import { goesDown } from "../../domain/upload/preview-lines.ts"
import type { PreviewedLine, Upload } from "../../domain/upload/upload.ts"
import type { Context } from "../context.ts"

/** What happened to a file that a program of the organization sent; null for any other file. */
export async function findSentFile(context: Context, organizationId: number, id: number) {
  const upload = await context.store.uploads.find(organizationId, id)
  if (upload === null || (upload.choices.sent === null && upload.uploadedBy !== null)) return null
  return { upload, report: fileReport(upload, await linesLeftOut(context, upload)) }
}

/** From the first page of the preview, which begins with the lines that were asked about. */
async function linesLeftOut({ store }: Context, { id, state, choices }: Upload): Promise<PreviewedLine[]> {
  if (state !== "done" || choices.sent?.allowLower === true) return []
  const page = await store.uploads.part(id, "preview", 0)
  const lines = page === null ? [] : (JSON.parse(page) as PreviewedLine[])
  return lines.filter(({ question }) => question !== null && goesDown(question))
}
