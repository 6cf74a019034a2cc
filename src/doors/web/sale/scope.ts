import { isTotalDue } from "../../../domain/campaign/line-state.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import { daysBefore, type Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { SellerScope, StoreReads } from "../../../storage/port/store.ts"

/** Which orders and products are an organization’s: its own and, for an operator and the only seller, those that are nobody’s yet. */
export async function sellerScope(store: StoreReads, { id }: Organization, isOperator: boolean): Promise<SellerScope> {
  const sellers = isOperator ? [] : await store.organizations.sellers(2)
  return { sellerId: id, withUnowned: isOperator || (sellers.length === 1 && sellers[0]?.id === id) }
}

// Older ones were settled elsewhere, or never will be.
const SETTLED_WITHIN_DAYS = 60

/** The campaigns whose last line of this seller ended lately, whose last total covers the last day, and that have no statement yet. */
export async function toSettle({ statements }: StoreReads, seller: Organization, now: Moment) {
  const today = dayOf(now, seller.timeZone)
  const ended = await statements.unsettled(seller.id, daysBefore(today, SETTLED_WITHIN_DAYS), today)
  const byCampaign = [...Map.groupBy(ended, ({ campaign }) => campaign.id).values()]
  return byCampaign.filter((rows) => !rows.some(({ line, total }) => isTotalDue({ ...line, total, seller }, now)))
}

export type ToSettle = Awaited<ReturnType<typeof toSettle>>[number]
