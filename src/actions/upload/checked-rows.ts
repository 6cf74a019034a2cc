import type { Moment } from "../../domain/time/moment.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { Upload } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { type CheckedRow, rowChecker } from "./check-rows.ts"
import { fileRows } from "./file-rows.ts"
import { summedMetrics } from "./summed-metrics.ts"
import { summedTotals } from "./summed-totals.ts"

export interface CheckedGroup {
  readonly rows: readonly CheckedRow[]
  /** How many rows of the file were read for it. */
  readonly read: number
}

/** What a file is checked with. */
export interface Checking {
  readonly zone: TimeZone
  readonly now: Moment
  readonly pause: () => Promise<void>
}

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
