import type { Upload } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { type CheckedGroup, type Checking, rowChecker } from "./check-rows.ts"
import { fileRows, fileStart, zoneOf } from "./read-rows.ts"
import { summedMetrics } from "./summed-metrics.ts"
import { summedTotals } from "./summed-totals.ts"

/**
 * The rows of a file, checked, in groups. Where its rows are parts of totals, the totals come after the rows that were refused. The
 * first `skip` rows are only counted; not where rows are added up.
 */
export function checkedRows(
  context: ReportContext,
  upload: Upload,
  checking: Checking,
  skip = 0,
): AsyncGenerator<CheckedGroup> {
  const { preset } = upload.choices
  if (preset === null || preset.rows === "cumulative") return plainRows(context, upload, checking, skip)
  return upload.kind === "delivery"
    ? summedTotals(context, upload, checking, preset)
    : summedMetrics(context, upload, checking)
}

async function* plainRows(
  context: ReportContext,
  upload: Upload,
  { zone, now, pause }: Checking,
  skip: number,
): AsyncGenerator<CheckedGroup> {
  const check = rowChecker(context, upload, zone, now)
  let done = 0
  for await (const group of fileRows(context.store, upload, pause)) {
    const rows = group.slice(Math.max(skip - done, 0))
    done += group.length
    yield { rows: rows.length === 0 ? [] : await check(rows), read: group.length }
  }
}

/**
 * Finds the refused rows again by reading the file once more: the cells of each as they came, and why. Null when the text of the file is
 * no longer kept.
 */
export async function refusedRows(context: ReportContext, upload: Upload, pause: () => Promise<void>) {
  const start = await fileStart(context.store, upload.id, upload.choices.layout)
  if (start === null) return null
  const { header } = start
  const zone = await zoneOf(context.store, upload.organizationId)
  const now = upload.summary.readAt ?? upload.receivedAt ?? context.clock()

  async function* rows() {
    for await (const group of checkedRows(context, upload, { zone, now, pause })) {
      const refused = group.rows.filter(({ refusal }) => refusal !== null)
      if (refused.length === 0) continue
      yield refused.map(({ cells, refusal }) => [
        ...header.map((_, i) => cells[i] ?? ""),
        [refusal?.title, refusal?.text].filter(Boolean).join(". "),
      ])
    }
  }
  return { header, rows: rows() }
}
