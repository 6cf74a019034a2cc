import { hashToken } from "../../../domain/token.ts"
import type { ShownCampaign } from "../../../storage/store.ts"
import { Heading } from "../parts/bits.tsx"
import { Time } from "../parts/format.tsx"
import { page } from "../respond.ts"
import { forAnyone } from "../route.ts"
import { param, type Visit } from "../visit.ts"
import { campaignCsv, LineCards, LinesPager, linesOfPage, sketchPoints } from "./campaign.tsx"
import { pageNotFound } from "./refusals.tsx"

interface Shared {
  /** With the seller's own lines only. */
  readonly campaign: ShownCampaign
  readonly expiresAt: number
}

async function openShare(visit: Visit): Promise<Shared | null> {
  const { shareLinks, campaigns } = visit.context.store
  const opened = await shareLinks.open(hashToken(param(visit, "token")), visit.now)
  const found = opened && (await campaigns.find(opened.organizationId, opened.campaign))
  if (opened === null || found === null) return null
  const lines = found.lines.filter(({ seller }) => seller.id === opened.organizationId)
  return { campaign: { ...found, lines }, expiresAt: opened.expiresAt }
}

async function sharedPage(visit: Visit): Promise<Response> {
  const shared = await openShare(visit)
  if (shared === null) return pageNotFound(visit)
  const { campaign, expiresAt } = shared
  const seller = campaign.lines[0]?.seller
  const { offset, limit } = linesOfPage(visit)
  const lines = campaign.lines.slice(offset, offset + limit)
  const points = await sketchPoints(visit, lines)
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
        <LinesPager visit={visit} lineCount={campaign.lines.length} />
      </>
    ),
  })
}

export const sharedRoutes = [
  forAnyone("GET", "/app/share/:token", sharedPage),
  forAnyone("GET", "/app/share/:token/lines.csv", async (visit) => {
    const shared = await openShare(visit)
    return shared === null ? pageNotFound(visit) : campaignCsv(visit, shared.campaign)
  }),
]
