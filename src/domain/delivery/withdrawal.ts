import { checkFor } from "../schema/check.ts"
import { shortText } from "../text/short-text.ts"
import type { Moment } from "../time/moment.ts"
import type { DeliveryTotal } from "./delivery.ts"
import type { LineViewer, SeenSource } from "./line-viewer.ts"

/** A report of a line as it arrived. With the time of receipt, because a withdrawn total may be reported again. */
export interface ArrivedReport extends DeliveryTotal {
  readonly receivedAt: Moment
}

/** Why, when and by whom a report was withdrawn. Buyers see only when. */
export interface Withdrawal {
  readonly at: Moment
  /** Who did it, as in the audit trail, and the name of that person where it is known. */
  readonly actor?: string
  readonly name?: string | null
  readonly reason?: string
}

export function withdrawalSeenBy(viewer: LineViewer, withdrawal: Required<Withdrawal>): Withdrawal {
  const { at, actor, name, reason } = withdrawal
  return viewer === "seller" ? { at, actor, name, reason } : { at }
}

export const isSameTotal = (a: DeliveryTotal, b: DeliveryTotal): boolean =>
  a.asOf === b.asOf && a.quantity === b.quantity

/** What came in together has one time of receipt, but of one moment each report has a later one than the one before: see `receivedAfter`. */
export const lastReceivedWith = (receivedAt: Moment): Moment => receivedAt + 100_000

/** Whether it came in with others that were received at this moment. */
export const isReceivedWith = (receivedAt: Moment, report: Pick<ArrivedReport, "receivedAt">): boolean =>
  report.receivedAt >= receivedAt && report.receivedAt <= lastReceivedWith(receivedAt)

/** Who asks to withdraw a report; without a user id, the operator at the command line. */
export interface Withdrawer {
  readonly userId: number | null
  /** Whether the person is an admin of the selling organization, or an operator. */
  readonly isAdmin: boolean
}

/** Admins withdraw any report of their organization; other members those that they typed or uploaded themselves. */
export function mayWithdraw({ userId, isAdmin }: Withdrawer, source: SeenSource): boolean {
  // What is withdrawn is kept with its source.
  if (source.kind === "unknown") return false
  if (isAdmin) return true
  return (source.kind === "form" || source.kind === "file") && source.reference === String(userId)
}

const isReason = checkFor(shortText(500, "a reason"))

export const reasonProblem = (reason: string): string | undefined =>
  isReason(reason).ok ? undefined : "Enter a reason of at most 500 characters, on one line."

export const reportIdOf = ({ asOf, quantity, receivedAt }: ArrivedReport): string => `${asOf}_${quantity}_${receivedAt}`

const REPORT_ID = /^(-?\d{1,16})_(\d[\d.e+-]{0,30})_(-?\d{1,16})$/

/** Undefined for a text that cannot be the id of a report. */
export function readReportId(text: string): ArrivedReport | undefined {
  const [asOf = Number.NaN, quantity = 0, receivedAt = 0] = (REPORT_ID.exec(text) ?? []).slice(1).map(Number)
  return [asOf, quantity, receivedAt].every(Number.isFinite) ? { asOf, quantity, receivedAt } : undefined
}

/** What one person reported with one form: of all lines at the same moment. */
export type ReceiptOfForm = Readonly<{ asOf: Moment; receivedAt: Moment; userId: number }>

export const receiptIdOf = ({ asOf, receivedAt, userId }: ReceiptOfForm) => `${asOf}_${receivedAt}_${userId}`

const RECEIPT_ID = /^(-?\d{1,16})_(-?\d{1,16})_(\d{1,15})$/

export function readReceiptId(text: string): ReceiptOfForm | undefined {
  const [asOf = Number.NaN, receivedAt = 0, userId = 0] = (RECEIPT_ID.exec(text) ?? []).slice(1).map(Number)
  return [asOf, receivedAt].every(Number.isSafeInteger) ? { asOf, receivedAt, userId } : undefined
}

/** The order of a history: the last measured first, and of one moment the last that was received. */
export const isListedBefore = (a: ListedReport, b: ListedReport): number =>
  b.asOf - a.asOf || b.receivedAt - a.receivedAt || b.quantity - a.quantity || (b.id ?? 0) - (a.id ?? 0)

type ListedReport = ArrivedReport & { readonly id?: number }
