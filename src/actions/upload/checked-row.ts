import { type AffiliateReport, refusalInWords } from "../../domain/affiliate/affiliate-report.ts"
import type { DeliveryTotal, Receipt } from "../../domain/delivery/delivery.ts"
import { formatMoment, type Moment } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import { judgeRow } from "../../domain/upload/judge-row.ts"
import { isRefusal, type RowRefusal, UNKNOWN } from "../../domain/upload/row-reader.ts"
import type { SentFile, Upload } from "../../domain/upload/upload.ts"
import type { SoldLineWithTotal } from "../../storage/port/store.ts"
import type { ReportContext } from "../context.ts"
import { recordAffiliateCodes, recordAffiliateMetrics } from "../delivery/record-affiliates.ts"
import type { Reporter, ReportOptions } from "../delivery/report-delivery.ts"
import type { OpenFile } from "./open-file.ts"

/** What is checked or stored together. */
export const ROWS_AT_ONCE_MAX = 250

/** A file that was uploaded, with its table. */
export type UploadedFile = OpenFile & { readonly upload: Upload }

/** A row of a file, or what several of them add up to, as far as it was understood. */
export interface CheckedRow {
  /** The numbers of the rows that it is made of. */
  readonly rows: readonly number[]
  /** Null for what would be stored. */
  readonly refusal: RowRefusal | null
  /** As the API takes it. */
  readonly element: Readonly<Record<string, unknown>>
  readonly line: SoldLineWithTotal | undefined
  /** Of a delivery total that would be stored. */
  readonly total: DeliveryTotal | null
  /** What somebody should know before it is stored. */
  readonly warning?: string
}

export function refusedRows(rows: readonly number[], refusal: RowRefusal): CheckedRow {
  return { rows, refusal, element: {}, line: undefined, total: null }
}

/** A total by the rules of the API. `sent` says when the file was made, where that is known. */
export function judgedTotal(
  row: Pick<CheckedRow, "rows" | "element" | "line">,
  name: string,
  receipt: Receipt,
  sent: SentFile | null,
): CheckedRow {
  const element = sent === null ? row.element : { ...row.element, ...measuredBy(row.element["as_of"], sent, receipt) }
  const outcome = judgeRow(element, row.line, name, receipt)
  return isRefusal(outcome) ? refusedRows(row.rows, outcome) : { ...row, element, refusal: null, total: outcome }
}

/**
 * A figure without a day, or of the day on which the file was made, was measured when the file was made: so the file means the same
 * whenever it is sent, and a later file is newer.
 */
function measuredBy(asOf: unknown, { modifiedAt }: SentFile, { now, zone }: Receipt): { as_of?: string } {
  const madeAt = Math.min(modifiedAt, now)
  return asOf === undefined || asOf === dayOf(madeAt, zone) ? { as_of: formatMoment(madeAt) } : {}
}

/** Stores affiliate rows that are not refused, or only checks them. */
export function recordRows(
  context: ReportContext,
  upload: Upload,
  rows: readonly CheckedRow[],
  options: ReportOptions,
): Promise<AffiliateReport> {
  const elements = rows.filter(({ refusal }) => refusal === null).map(({ element }) => element)
  const record = upload.kind === "affiliate_codes" ? recordAffiliateCodes : recordAffiliateMetrics
  return record({ ...context, clock: () => upload.uploadedAt }, reporterOf(upload), elements, options)
}

/** The rows, with what the API would say about those that are not refused already. */
export async function checkedByApi(context: ReportContext, upload: Upload, rows: readonly CheckedRow[]) {
  const { errors } = await recordRows(context, upload, rows, { dryRun: true })
  const refusals = new Map(errors.map((error) => [error.index, error]))
  let next = 0
  return rows.map((row): CheckedRow => {
    const error = row.refusal === null ? refusals.get(next++) : undefined
    if (error === undefined) return row
    const { message, reason } = error
    const key = reason === "not_seller" ? UNKNOWN + message : message
    const example = String(row.element["code"] ?? "")
    return { ...row, refusal: { key, title: refusalInWords(message), text: "", example, decide: null, reason } }
  })
}

/** When its totals count as received: when somebody decided so; nobody does about a program's file. */
export const receivedAtOf = ({ receivedAt, uploadedAt }: Upload): Moment => receivedAt ?? uploadedAt

export function reporterOf({ organizationId, uploadedBy, fileName: detail, choices: { sent } }: Upload): Reporter {
  if (sent !== null) return { organizationId, source: { kind: "key", reference: sent.keyId, detail } }
  return { organizationId, source: { kind: "file", reference: String(uploadedBy ?? ""), detail } }
}
