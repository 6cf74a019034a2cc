import { checkFor } from "../schema/check.ts"
import { shortText } from "../text/short-text.ts"
import { MICROS_PER_DAY, type Moment } from "../time/moment.ts"
import type { DeliverySource, DeliveryTotal } from "./delivery.ts"
import type { LineViewer } from "./line-viewer.ts"

/** A report of a line as it arrived. With the time of receipt, because a withdrawn total may be reported again. */
export interface ArrivedReport extends DeliveryTotal {
  readonly receivedAt: Moment
}

/** A report in the linked history of its line, with the one that arrived before it. */
export interface LinkedReport extends ArrivedReport {
  readonly sourceId: number
  readonly previous: DeliveryTotal | null
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

// Nothing is measured after it was received, but clocks are set back now and then, and those of several servers differ.
const CLOCK_SLACK = MICROS_PER_DAY

/** Whether this moment is later than any measurement of a report, and of all that arrived before it. */
export const isAllAfter = (moment: Moment, { receivedAt }: ArrivedReport) => receivedAt + CLOCK_SLACK < moment

export type Withdrawing = Readonly<{ isIt: (report: LinkedReport) => boolean; receivedAt: Moment; most: number }>

/** What was received before this moment is none of them. */
export const earliestOf = ({ receivedAt }: Pick<Withdrawing, "receivedAt">): Moment => receivedAt - CLOCK_SLACK

/**
 * Finds out what withdrawing reports of a line changes, from its reports, latest arrival first. `see` returns true when it has seen
 * enough. The current total is then what the remaining reports say: the newest `as_of`, and at equal `as_of` the later arrival. If
 * another report is current, it stays current.
 */
export function withdrawalOf({ isIt, receivedAt, most }: Withdrawing, current: DeliveryTotal) {
  const removed: LinkedReport[] = []
  const links: WithdrawalResult["links"][number][] = []
  let wasCurrent = false
  let isGap = false
  let latest: LinkedReport | null = null
  let lastKept: LinkedReport | null = null
  let newest: DeliveryTotal | null = null

  function keep(report: LinkedReport): void {
    if (isGap && lastKept !== null) links.push({ report: totalOf(lastKept), previous: totalOf(report) })
    isGap = false
    lastKept = report
    latest ??= report
    if (newest === null || report.asOf > newest.asOf) newest = report
  }

  function see(report: LinkedReport): boolean {
    if (isIt(report)) {
      removed.push(report)
      isGap = true
      wasCurrent ||= isSameTotal(report, current)
    } else keep(report)
    if (removed.length < most && !isAllAfter(receivedAt, report)) return false
    // What arrived even earlier cannot have been measured later than the newest.
    return !wasCurrent || (newest !== null && isAllAfter(newest.asOf, report))
  }

  return {
    see,
    result(): WithdrawalResult | null {
      const before = removed.at(-1)?.previous
      if (before === undefined) return null
      if (isGap && lastKept !== null) links.push({ report: totalOf(lastKept), previous: before })
      const remaining = wasCurrent ? newest : current
      const last = latest ?? before
      return { removed, links, current: remaining && totalOf(remaining), last: last && totalOf(last) }
    },
  }
}

export interface WithdrawalResult {
  readonly removed: readonly LinkedReport[]
  /** Reports whose link has to skip withdrawn ones, with the one that then arrived right before. */
  readonly links: readonly { readonly report: DeliveryTotal; readonly previous: DeliveryTotal | null }[]
  /** The current total without them, and the report that then arrived last; both null when no report is left. */
  readonly current: DeliveryTotal | null
  readonly last: DeliveryTotal | null
}

const totalOf = ({ asOf, quantity }: DeliveryTotal): DeliveryTotal => ({ asOf, quantity })

export const isSameTotal = (a: DeliveryTotal, b: DeliveryTotal): boolean =>
  a.asOf === b.asOf && a.quantity === b.quantity

/** Who asks to withdraw a report; without a user id, the operator at the command line. */
export interface Withdrawer {
  readonly userId: number | null
  /** Whether the person is an admin of the selling organization, or an operator. */
  readonly isAdmin: boolean
}

/** Admins withdraw any report of their organization; other members those that they typed or uploaded themselves. */
export function mayWithdraw({ userId, isAdmin }: Withdrawer, source: Partial<DeliverySource>): boolean {
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

/**
 * The next `limit` reports of a history that is kept in two parts, each latest arrival first: those that count, and the withdrawn ones,
 * which are placed by their time of receipt. Also how many were taken from each part.
 */
export function mergeHistory<Entry extends ArrivedReport>(
  remaining: readonly Entry[],
  withdrawn: readonly Entry[],
  limit: number,
): { readonly entries: readonly Entry[]; readonly remaining: number; readonly withdrawn: number } {
  const entries: Entry[] = []
  const taken = { remaining: 0, withdrawn: 0 }
  while (entries.length < limit) {
    const [a, b] = [remaining[taken.remaining], withdrawn[taken.withdrawn]]
    const isWithdrawn = a === undefined || (b !== undefined && b.receivedAt >= a.receivedAt)
    const next = isWithdrawn ? b : a
    if (next === undefined) break
    entries.push(next)
    taken[isWithdrawn ? "withdrawn" : "remaining"] += 1
  }
  return { entries, ...taken }
}
