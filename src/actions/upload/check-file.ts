import type { TimeZone } from "../../domain/time/time-zone.ts"
import { EXTERNAL_ID, LINE_NAME } from "../../domain/upload/columns.ts"
import { reasonIn } from "../../domain/upload/file-report.ts"
import { SUM_ROW } from "../../domain/upload/judge-row.ts"
import { type RowRefusal, UNKNOWN } from "../../domain/upload/row-reader.ts"
import { rowsOf, type Upload } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { type CheckedGroup, rowChecker } from "./check-rows.ts"
import { fileRows, fileStart, zoneOf } from "./read-rows.ts"
import { summedMetrics } from "./summed-metrics.ts"
import { summedTotals } from "./summed-totals.ts"

/** The rows of a file, checked, in groups. Where its rows are parts of totals, the totals come after the rows that were refused. */
export function checkedRows(context: ReportContext, upload: Upload, zone: TimeZone): AsyncGenerator<CheckedGroup> {
  if (rowsOf(upload.choices) === "cumulative") return plainRows(context, upload, zone)
  return (upload.kind === "delivery" ? summedTotals : summedMetrics)(context, upload, zone)
}

async function* plainRows(context: ReportContext, upload: Upload, zone: TimeZone): AsyncGenerator<CheckedGroup> {
  const check = rowChecker(context, upload, zone)
  for await (const group of fileRows(context.store, upload)) yield { rows: await check(group), read: group.length }
}

/**
 * Finds the refused rows again by reading the file once more: each as it came, and why. Null when the text of the file is no longer kept.
 */
export async function refusedRows(context: ReportContext, upload: Upload) {
  const start = await fileStart(context.store, upload.id, upload.choices.layout)
  if (start === null) return null
  const { header } = start
  const zone = await zoneOf(context.store, upload.organizationId)

  async function* rows() {
    for await (const group of checkedRows(context, upload, zone)) {
      yield group.rows.flatMap(({ number, cells, refusal }) => {
        if (refusal === null || isIgnored(upload, refusal)) return []
        const why = [refusal.title, refusal.text].filter(Boolean).join(". ")
        return [{ number, cells: header.map((_, i) => cells[i] ?? ""), reason: reasonIn(upload, refusal.reason), why }]
      })
    }
  }
  return { header, rows: rows() }
}

/** Whether a row does not count. An ad server has lines that are sold elsewhere; our own feeds name nothing else. */
export function isIgnored({ choices: { sent, isOurs, columns } }: Upload, { key }: RowRefusal): boolean {
  if (key === SUM_ROW) return true
  const isFeed = isOurs && !columns?.some((meaning) => meaning === EXTERNAL_ID || meaning === LINE_NAME)
  return key.startsWith(UNKNOWN) && sent !== null && !isFeed
}
