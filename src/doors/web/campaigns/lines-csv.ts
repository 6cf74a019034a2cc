import { fileColumns } from "../../../domain/campaign/line-fields.ts"
import { stateOf } from "../../../domain/campaign/line-state.ts"
import { inParts } from "../../../domain/event-loop.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import type { CampaignHead, LineScope, ShownLine } from "../../../storage/port/store.ts"
import type { Visit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"
import { linesInOrder } from "./line-table.tsx"

/** What was sold, and what of it was delivered. */
export const FIGURES_HEADER = [...fileColumns.map(({ column }) => column), "delivered", "as_of"]

export const figuresOf = (line: ShownLine) => [
  ...fileColumns.map(({ field }) => line[field]),
  line.total?.quantity ?? null,
  line.total && formatMoment(line.total.asOf),
]

/** The lines of a campaign that an organization may see (with `sold`: those that it sells) as CSV. */
export function campaignCsv(visit: Visit, organizationId: number, campaign: CampaignHead, scope: LineScope): Response {
  async function* rows() {
    const lines = await linesInOrder(visit, organizationId, campaign, scope)
    for (const some of inParts(lines, 1_000))
      yield some.map((line) => [
        line.packageId,
        line.name,
        line.seller.slug,
        ...figuresOf(line),
        stateOf(line, visit.now),
      ])
  }
  return longCsv(`${campaign.slug}.csv`, ["package_id", "line", "seller", ...FIGURES_HEADER, "state"], rows())
}
