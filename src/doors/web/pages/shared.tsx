import { hashToken } from "../../../domain/keys/token.ts"
import type { ShownCampaign } from "../../../storage/port/store.ts"
import { Time } from "../parts/format.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { forAnyone, withFound } from "../route.ts"
import { param, type Visit } from "../visit.ts"
import { campaignCsv, LinesPager, LineTable, linesOfPage, sparklinePoints } from "./campaign.tsx"

type Shared = Readonly<{ campaign: ShownCampaign; sellerId: number; expiresAt: number }>

/** Only the lines of the seller who shared it, even where the seller is also the buyer and sees more. */
const SHARED = { sold: true } as const

async function openShare(visit: Visit): Promise<Shared | null> {
  const { shareLinks, campaigns } = visit.context.store
  const opened = await shareLinks.findByToken(hashToken(param(visit, "token")), visit.now)
  if (opened === null) return null
  const { organizationId: sellerId, expiresAt } = opened
  const campaign = await campaigns.find(sellerId, opened.campaign, { ...linesOfPage(visit), ...SHARED })
  return campaign === null ? null : { campaign, sellerId, expiresAt }
}

async function sharedPage(visit: Visit, { campaign, sellerId, expiresAt }: Shared): Promise<Response> {
  const { lines } = campaign
  const seller = lines[0]?.seller
  const points = await sparklinePoints(visit, lines)
  const lineCount = await visit.context.store.campaigns.countLines(sellerId, campaign, SHARED)
  return headedPage(visit, {
    title: campaign.name,
    csv: `${visit.url.pathname}/lines.csv`,
    intro: (
      <p class="soft">
        {seller === undefined ? "" : `Delivery as reported by ${seller.name}. `}
        This page is available until <Time at={expiresAt} zone={seller?.timeZone ?? "UTC"} />.
      </p>
    ),
    body: (
      <>
        <LineTable visit={visit} lines={lines} points={points} hrefOf={null} sellerId={seller?.id ?? null} />
        <LinesPager visit={visit} lineCount={lineCount} />
      </>
    ),
  })
}

const PAGE = "/app/share/:token"

export const sharedRoutes = [
  forAnyone("GET", PAGE, withFound(openShare, sharedPage)),
  forAnyone(
    "GET",
    `${PAGE}/lines.csv`,
    withFound(openShare, (visit, { sellerId, campaign }) => campaignCsv(visit, sellerId, campaign, SHARED)),
  ),
]
