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

/** As much of a withdrawal as a viewer may see. */
export function withdrawalSeenBy(viewer: LineViewer, withdrawal: Required<Withdrawal>): Withdrawal {
  const { at, actor, name, reason } = withdrawal
  return viewer === "seller" ? { at, actor, name, reason } : { at }
}

// Nothing is measured after it was received, but clocks are set back now and then, and those of several servers differ.
const CLOCK_SLACK = MICROS_PER_DAY

/** Whether this moment is later than any measurement of a report, and of all that arrived before it. */
export const isAllAfter = (moment: Moment, { receivedAt }: ArrivedReport) => receivedAt + CLOCK_SLACK < moment

/**
 * Finds out what withdrawing a report changes, from the reports of its line, latest arrival first. `see` returns true when it has seen
 * enough. The current total is then what the remaining reports say: the newest `as_of`, and at equal `as_of` the later arrival. If
 * another report is current, it stays current.
 */
export function withdrawalOf(withdrawn: ArrivedReport, current: DeliveryTotal) {
  const wasCurrent = isSameTotal(withdrawn, current)
  let found: LinkedReport | null = null
  let successor: LinkedReport | null = null
  let latest: LinkedReport | null = null
  let newest: DeliveryTotal | null = null

  function see(report: LinkedReport): boolean {
    const isIt = isSameTotal(report, withdrawn)
    if (isIt) found = report
    else if (found === null) successor = report
    if (!isIt && (newest === null || report.asOf > newest.asOf)) newest = report
    latest ??= report
    if (found === null) return false
    // What arrived even earlier cannot have been measured later than the newest.
    return !wasCurrent || (newest !== null && isAllAfter(newest.asOf, report))
  }

  return {
    see,
    /** Null when the report is not in the history, or is another one with the same total. */
    result(): WithdrawalResult | null {
      if (found === null || found.receivedAt !== withdrawn.receivedAt) return null
      const kept = wasCurrent ? newest : current
      const last = successor === null ? found.previous : latest
      return { successor, previous: found.previous, current: kept && totalOf(kept), last: last && totalOf(last) }
    },
  }
}

export interface WithdrawalResult {
  /** The report that arrived right after it: its link has to skip the withdrawn one. Null when there is none. */
  readonly successor: DeliveryTotal | null
  /** The report that arrived right before it. */
  readonly previous: DeliveryTotal | null
  /** The current total without it, and the report that then arrived last; both null when no report is left. */
  readonly current: DeliveryTotal | null
  readonly last: DeliveryTotal | null
}

const totalOf = ({ asOf, quantity }: DeliveryTotal): DeliveryTotal => ({ asOf, quantity })

export function isSameTotal(one: DeliveryTotal, other: DeliveryTotal): boolean {
  return one.asOf === other.asOf && one.quantity === other.quantity
}

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

/** What is wrong with a reason, or undefined. */
export function reasonProblem(reason: string): string | undefined {
  return isReason(reason).ok ? undefined : "Say why, in 1 to 500 characters on one line."
}

/** How addresses and commands name a report. */
export function reportIdOf({ asOf, quantity, receivedAt }: ArrivedReport): string {
  return `${asOf}_${quantity}_${receivedAt}`
}

const REPORT_ID = /^(-?\d{1,16})_(\d[\d.e+-]{0,30})_(-?\d{1,16})$/

/** Undefined for a text that cannot be the id of a report. */
export function readReportId(text: string): ArrivedReport | undefined {
  const [asOf, quantity, receivedAt] = (REPORT_ID.exec(text) ?? []).slice(1).map(Number)
  if (asOf === undefined || quantity === undefined || receivedAt === undefined) return undefined
  return [asOf, quantity, receivedAt].every(Number.isFinite) ? { asOf, quantity, receivedAt } : undefined
}

/**
 * The next `limit` reports of a history that is kept in two parts, each latest arrival first: those that count, and the withdrawn ones,
 * which are placed by their time of receipt. Also how many were taken from each part.
 */
export function mergeHistory<Entry extends ArrivedReport>(
  kept: readonly Entry[],
  withdrawn: readonly Entry[],
  limit: number,
): { readonly entries: readonly Entry[]; readonly kept: number; readonly withdrawn: number } {
  const entries: Entry[] = []
  const taken = { kept: 0, withdrawn: 0 }
  while (entries.length < limit) {
    const [one, other] = [kept[taken.kept], withdrawn[taken.withdrawn]]
    const isWithdrawn = one === undefined || (other !== undefined && other.receivedAt >= one.receivedAt)
    const next = isWithdrawn ? other : one
    if (next === undefined) break
    entries.push(next)
    taken[isWithdrawn ? "withdrawn" : "kept"] += 1
  }
  return { entries, ...taken }
}
