import { type CampaignSummary, worthOf } from "../../../domain/campaign/campaign-summary.ts"
import { lastDays } from "../../../domain/delivery/total-series.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { forMember } from "../guards.ts"
import { askedPage, ListView } from "../lists.tsx"
import { Badge, ButtonLink, CsvLink } from "../parts/blocks.tsx"
import { Ago, dotted, formatFlight } from "../parts/format.tsx"
import { formatPrice } from "../parts/line.tsx"
import type { Column } from "../parts/table.tsx"
import { valueCard } from "../parts/value-card.tsx"
import { headedPage } from "../respond.tsx"
import { statementsCard } from "../sale/sheet.tsx"
import { statementsFor } from "../sale/statement-form.tsx"
import { totalOf } from "../totals/entered.ts"
import type { OrganizationVisit } from "../visit.ts"
import { ARCHIVED, ArchivedLink, showsArchived } from "./archive.tsx"
import { isMarked } from "./line.tsx"
import type { LinesOfPage } from "./line-table.tsx"
import { campaignCsv, LINES_PER_PAGE, lineColumns, linesOfPage, recentTotals, totalsFor } from "./line-table.tsx"
import { CAMPAIGN, campaignsOf, trailTo, withCampaign } from "./with-line.ts"

async function campaignPage(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const { organization } = visit
  const archived = showsArchived(visit.url)
  const base = `${campaignsOf(visit)}/${campaign.slug}`
  const maySettle = campaign.sells && visit.role === "admin" && !archived
  const lines = await linesOfPage(visit, organization.id, campaign, { archived })
  const { all, summary } = lines
  const archivedLines = await visit.context.store.campaigns.count(organization.id, campaign, { archived: true })
  const isBuyer = campaign.buyer.id === organization.id
  const year = dayOf(visit.now, organization.timeZone).slice(0, 4)
  const flight = summary.from === null ? [] : [formatFlight(summary.from, summary.to, year)]
  return headedPage(visit, {
    title: campaign.name,
    trail: trailTo(visit),
    badges: campaign.archived ? <Badge shape="dash">Archived</Badge> : undefined,
    actions: actionsFor(visit, campaign, base),
    intro: dotted(isBuyer ? "Your campaign, as reported by its sellers" : campaign.buyer.name, ...flight),
    body: (
      <>
        {await lineList(visit, campaign, lines)}
        {await valueCard(visit, all, chartDays(visit, summary))}
        {statementsCard(await statementsFor(visit, campaign), `${base}/statements`, maySettle)}
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

const LINE_RULES: ListRules<ShownLine> = {
  searched: ({ name, externalId, packageId }) => `${name}\n${externalId ?? ""}\n${packageId}`,
  states: {},
  sorts: {
    start: ({ flightStart }) => flightStart,
    name: ({ name }) => name,
    delivered: ({ total, booked }) => (total === null || !booked ? null : total.quantity / booked),
    value: (line) => worthOf([line])?.delivered ?? null,
    measured: ({ total }) => total?.asOf ?? null,
  },
  largestFirst: ["delivered", "value", "measured"],
}

// One or two are found at a glance.
const FEW_LINES = 2

/** The lines, with what they have delivered and what that is worth, to be searched and sorted. */
async function lineList(visit: OrganizationVisit, { slug }: ShownCampaign, { all, summary }: LinesOfPage) {
  const { url, now, organization } = visit
  const list = askedPage(url, LINE_RULES, all, { start: "from", perPage: LINES_PER_PAGE })
  const { state, sparkline, delivered, value, flight } = lineColumns(now, await recentTotals(visit, list.rows))
  // Relative, because a hundred full addresses would be a tenth of the page.
  const fromHere = url.pathname.endsWith("/") ? "lines" : `${slug}/lines`
  const isOwn = ({ seller }: ShownLine) => seller.id === organization.id
  const columns: Column<ShownLine>[] = [
    {
      title: "Line",
      sortBy: "name",
      value: ({ name }) => name,
      href: ({ packageId }) => `${fromHere}/${packageId}`,
      // €14.50 per 1,000 impressions · sold by Acme Audio
      note: (line) => (isOwn(line) ? formatPrice(line) : `${formatPrice(line)} · sold by ${line.seller.name}`),
    },
    ...[state, sparkline, delivered, value, flight, MEASURED],
  ]
  const report: Column<ShownLine> = {
    title: "Actions",
    narrow: "actions",
    cell: (line) => isOwn(line) && !isMarked(line) && <ButtonLink small href={totalOf(line)} {...reporting(line)} />,
  }
  return (
    <ListView
      url={url}
      list={list}
      rules={LINE_RULES}
      what="lines"
      searched="lines"
      few={FEW_LINES}
      columns={list.rows.some(isOwn) ? [...columns, report] : columns}
      carried={[ARCHIVED]}
      csv={null}
      table={{ totals: totalsFor(summary) }}
    />
  )
}

/** A flat rate has no totals: it has run, or not. */
const reporting = ({ name, pricingBasis }: ShownLine) =>
  pricingBasis === "flat_rate"
    ? { label: "Mark as delivered", about: `Mark as delivered: ${name}` }
    : { label: "Report", about: `Report totals of ${name}` }

const MEASURED: Column<ShownLine> = {
  title: "Measured",
  sortBy: "measured",
  narrow: "large",
  cell: ({ total }) => <span class="soft">{total === null ? "Never" : <Ago at={total.asOf} />}</span>,
}

const CHART_DAYS = 30

/** Its last days so far. */
function chartDays({ now, organization: { timeZone } }: OrganizationVisit, { from, to }: CampaignSummary) {
  const today = dayOf(now, timeZone)
  const last = to !== null && to < today ? to : today
  return lastDays(last, CHART_DAYS).filter((day) => from === null || day >= from)
}

function actionsFor(visit: OrganizationVisit, { slug, sells, isSoleSeller }: ShownCampaign, base: string) {
  const affiliates = `/app/o/${visit.organization.slug}/affiliates`
  return [
    <CsvLink href={`${base}/lines.csv`} />,
    visit.place?.hasCodes && <ButtonLink kind="quiet" href={`${affiliates}?campaign=${slug}`} label="Affiliates" />,
    sells &&
      visit.role === "admin" && [
        isSoleSeller && <ButtonLink href={`${base}/edit`} label="Edit" />,
        <ButtonLink href={`${base}/share`} label="Share" />,
        <ButtonLink kind="primary" href={`${base}/new-line`} label="Add a line" />,
      ],
  ]
}

const linesCsv = (visit: OrganizationVisit, campaign: ShownCampaign) =>
  campaignCsv(visit, visit.organization.id, campaign, { archived: showsArchived(visit.url) })

export const campaignRoutes = [
  forMember("GET", CAMPAIGN, withCampaign(campaignPage)),
  forMember("GET", `${CAMPAIGN}/lines.csv`, withCampaign(linesCsv)),
]
