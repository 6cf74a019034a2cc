import { isTotalDue } from "../../../domain/campaign/line-state.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import { stateLine, sumsOf } from "../../../domain/sale/statement.ts"
import { daysBefore, type Moment } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { StoreReads } from "../../../storage/port/store.ts"
import type { Todo } from "../parts/blocks.tsx"
import { sumsInWords } from "../parts/terms.tsx"

// Older ones were settled elsewhere, or never will be.
const SETTLED_WITHIN_DAYS = 60

/** The campaigns whose last line of this seller ended lately, whose last total covers the last day, and that have no statement yet, or only cancelled ones. */
export async function toSettle({ statements }: StoreReads, seller: Organization, now: Moment) {
  const today = dayOf(now, seller.timeZone)
  const ended = await statements.unsettled(seller.id, daysBefore(today, SETTLED_WITHIN_DAYS), today)
  const byCampaign = [...Map.groupBy(ended, ({ campaign }) => campaign.id).values()]
  return byCampaign.filter((rows) => !rows.some(({ line, total }) => isTotalDue({ ...line, total, seller }, now)))
}

export type ToSettle = Awaited<ReturnType<typeof toSettle>>[number]

export function settleTodo({ slug }: Organization, rows: ToSettle): Todo {
  const [first] = rows
  const worth = sumsInWords(sumsOf(rows.map(({ line, total }) => stateLine({ ...line, total }, false))))
  return {
    tone: "good",
    icon: "check",
    subject: first?.campaign.name ?? "",
    what: "has ended and can be settled",
    text: `${first?.buyer}${worth === "" ? "" : `, ${worth} delivered`}. The last totals are in.`,
    href: `/app/o/${slug}/campaigns/${first?.campaign.slug}/statements/new`,
    action: "Settle",
  }
}
