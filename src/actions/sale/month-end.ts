import { lastDayOf, openLines, type Sum, statementRows, sumsOf } from "../../domain/sale/statement.ts"
import { type CalendarDate, dayBefore } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import type { StoredLine } from "../../storage/campaigns/lines.ts"
import { linesSoldBy } from "../../storage/campaigns/seller-lines.ts"
import type { ReadTx } from "../../storage/database.ts"
import { statedLines } from "./statements.ts"

/** The amounts that a buyer owes through a day. */
export interface BuyerMonth {
  readonly buyerId: number
  readonly buyer: string
  /** The value of everything that was delivered through the day. */
  readonly delivered: readonly Sum[]
  /** The amounts in statements. */
  readonly stated: readonly Sum[]
  /** The amounts that aren't in a statement yet. */
  readonly open: readonly Sum[]
  /** Whether the totals of all lines that ran on the day cover it. */
  readonly isMeasured: boolean
}

/** Every buyer of a seller for whom something was delivered through a day, or stated, by name. */
export async function monthEnd(read: ReadTx, sellerId: number, through: CalendarDate): Promise<BuyerMonth[]> {
  const lines = await linesSoldBy(read, sellerId, { withArchived: true })
  const { stated, earlier } = await statedLines(read, lines, through)
  const byId = new Map(lines.map((line) => [line.id, line]))
  const byBuyer = Map.groupBy(stated, ({ lineId }) => byId.get(lineId)?.buyerId ?? 0)
  const months = [...byBuyer].map(([buyerId, own]): BuyerMonth => {
    const ownIds = new Set(own.map(({ lineId }) => lineId))
    const before = earlier.filter(({ lineId }) => ownIds.has(lineId))
    const first = byId.get(own[0]?.lineId ?? 0)
    return {
      buyerId,
      buyer: first?.campaign.buyer ?? "",
      delivered: sumsOf(statementRows(own, [], false)),
      stated: sumsOf(before),
      open: sumsOf(statementRows(openLines(own, before, through), before, false)).filter(({ coins }) => coins !== 0),
      isMeasured: own.every(({ lineId }) => isMeasured(byId.get(lineId), through)),
    }
  })
  return months
    .filter(({ delivered, stated: before }) => delivered.length > 0 || before.length > 0)
    .toSorted((a, b) => (a.buyer < b.buyer ? -1 : 1))
}

/** The month before today's, and its buyers with something open, once the totals cover its last day. */
export async function buyersToBill(read: ReadTx, sellerId: number, today: CalendarDate) {
  const month = dayBefore(`${today.slice(0, 7)}-01`).slice(0, 7)
  const buyers = await monthEnd(read, sellerId, lastDayOf(month))
  return { month, buyers: buyers.filter(({ open, isMeasured }) => open.length > 0 && isMeasured) }
}

/** Whether a line that ran on a day has a total of its end or later. */
function isMeasured(line: StoredLine | undefined, day: CalendarDate): boolean {
  if (line === undefined || line.flightStart > day || (line.flightEnd !== null && line.flightEnd < day)) return true
  return line.total !== null && dayOf(line.total.asOf, line.timeZone) >= day
}
