import type { CampaignSummary } from "../../../domain/campaign/campaign-summary.ts"
import { lastDays } from "../../../domain/delivery/total-series.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownCampaign } from "../../../storage/port/store.ts"
import { Badge, ButtonLink, CsvLink } from "../parts/blocks.tsx"
import { dotted, formatFlight } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { valueCard } from "../parts/value-card.tsx"
import { forMember } from "../route.ts"
import { StatementsCard } from "../sale/sheet.tsx"
import { statementsFor } from "../sale/statement.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { ARCHIVED, ArchivedLink, showsArchived } from "./archive.tsx"
import { campaignCsv, lineList, linesOfPage } from "./line-table.tsx"
import { CAMPAIGN, campaignsOf, trailTo, withCampaign } from "./with-line.ts"

async function campaignPage(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const { organization } = visit
  const archived = showsArchived(visit.url)
  const { all, summary } = await linesOfPage(visit, organization.id, campaign, { archived })
  const archivedLines = await visit.context.store.campaigns.count(organization.id, campaign, { archived: true })
  // Relative, because a hundred full addresses would be a tenth of the page.
  const fromHere = visit.url.pathname.endsWith("/") ? "lines" : `${campaign.slug}/lines`
  const isBuyer = campaign.buyer.id === organization.id
  const year = dayOf(visit.now, organization.timeZone).slice(0, 4)
  const flight = summary.from === null ? [] : [formatFlight(summary.from, summary.to, year)]
  return headedPage(visit, {
    title: campaign.name,
    trail: trailTo(visit),
    badges: campaign.archived ? <Badge shape="dash">Archived</Badge> : undefined,
    actions: <CampaignActions visit={visit} campaign={campaign} />,
    intro: dotted(isBuyer ? "Your campaign, as reported by its sellers" : campaign.buyer.name, ...flight),
    body: (
      <>
        {
          await lineList({
            ...{ visit, all, summary, carried: [ARCHIVED], sellerId: organization.id },
            hrefOf: ({ packageId }) => `${fromHere}/${packageId}`,
          })
        }
        {await valueCard(visit, all, chartDays(visit, summary))}
        <StatementsCard
          statements={await statementsFor(visit, campaign)}
          base={`${campaignsOf(visit)}/${campaign.slug}/statements`}
          maySettle={campaign.sells && visit.role === "admin" && !archived}
        />
        <ArchivedLink url={visit.url} count={archivedLines} />
        {/* The menu has no entry before the first code. */}
        {campaign.sells && !visit.place?.hasCodes && (
          <p class="hint no-print">
            Sold through partners? <a href={`/app/o/${organization.slug}/affiliates/new`}>New affiliate code</a>
          </p>
        )}
      </>
    ),
  })
}

const CHART_DAYS = 30

/** Its last days so far. */
function chartDays({ now, organization: { timeZone } }: OrganizationVisit, { from, to }: CampaignSummary) {
  const today = dayOf(now, timeZone)
  const last = to !== null && to < today ? to : today
  return lastDays(last, CHART_DAYS).filter((day) => from === null || day >= from)
}

type CampaignActionsProps = Readonly<{ visit: OrganizationVisit; campaign: ShownCampaign }>

function CampaignActions({ visit, campaign: { slug, sells, isSoleSeller } }: CampaignActionsProps) {
  const base = `${campaignsOf(visit)}/${slug}`
  const affiliates = `/app/o/${visit.organization.slug}/affiliates`
  return (
    <>
      <CsvLink href={`${base}/lines.csv`} />
      {visit.place?.hasCodes && <ButtonLink kind="quiet" href={`${affiliates}?campaign=${slug}`} label="Affiliates" />}
      {sells && visit.role === "admin" && (
        <>
          {isSoleSeller && <ButtonLink href={`${base}/edit`} label="Edit" />}
          <ButtonLink href={`${base}/share`} label="Share" />
          <ButtonLink kind="primary" href={`${base}/new-line`} label="Add a line" />
        </>
      )}
    </>
  )
}

const linesCsv = (visit: OrganizationVisit, campaign: ShownCampaign) =>
  campaignCsv(visit, visit.organization.id, campaign, { archived: showsArchived(visit.url) })

export const campaignRoutes = [
  forMember("GET", CAMPAIGN, withCampaign(campaignPage)),
  forMember("GET", `${CAMPAIGN}/lines.csv`, withCampaign(linesCsv)),
]
