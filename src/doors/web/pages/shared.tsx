import { hashToken } from "../../../domain/keys/token.ts"
import type { ShownCampaign } from "../../../storage/port/store.ts"
import { Time } from "../parts/format.tsx"
import { Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forAnyone } from "../route.ts"
import { param, type Visit } from "../visit.ts"
import { campaignCsv, LineCards, LinesPager, linesOfPage, sketchPoints } from "./campaign.tsx"
import { pageNotFound } from "./refusals.tsx"

interface Shared {
  readonly campaign: ShownCampaign
  readonly sellerId: number
  readonly expiresAt: number
}

/** A link shows what its seller sells, also where the seller itself is the buyer and sees more. */
const SHARED = { sold: true } as const

async function openShare(visit: Visit): Promise<Shared | null> {
  const { shareLinks, campaigns } = visit.context.store
  const opened = await shareLinks.findByToken(hashToken(param(visit, "token")), visit.now)
  if (opened === null) return null
  const { organizationId: sellerId, expiresAt } = opened
  const campaign = await campaigns.find(sellerId, opened.campaign, { ...linesOfPage(visit), ...SHARED })
  return campaign === null ? null : { campaign, sellerId, expiresAt }
}

async function sharedPage(visit: Visit): Promise<Response> {
  const shared = await openShare(visit)
  if (shared === null) return pageNotFound(visit)
  const { campaign, sellerId, expiresAt } = shared
  const { lines } = campaign
  const seller = lines[0]?.seller
  const points = await sketchPoints(visit, lines)
  const lineCount = await visit.context.store.campaigns.countLines(sellerId, campaign, SHARED)
  return page(visit, {
    title: campaign.name,
    body: (
      <>
        <Heading
          title={campaign.name}
          actions={
            <a class="button quiet" href={`${visit.url.pathname}/lines.csv`}>
              Download CSV
            </a>
          }
        >
          <p class="soft">
            {seller === undefined ? "" : `Delivery as ${seller.name} reports it. `}
            This page works until <Time at={expiresAt} zone={seller?.timeZone ?? "UTC"} />.
          </p>
        </Heading>
        <LineCards visit={visit} lines={lines} points={points} hrefOf={null} sellerId={seller?.id ?? null} />
        <LinesPager visit={visit} lineCount={lineCount} />
      </>
    ),
  })
}

export const sharedRoutes = [
  forAnyone("GET", "/app/share/:token", sharedPage),
  forAnyone("GET", "/app/share/:token/lines.csv", async (visit) => {
    const shared = await openShare(visit)
    return shared === null ? pageNotFound(visit) : campaignCsv(visit, shared.sellerId, shared.campaign, SHARED)
  }),
]
