import { type CampaignSummary, CampaignSums } from "../../../domain/campaign/campaign-summary.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import { type ListPage, type ListRules, listPage } from "../../../domain/lists/list-query.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ListedCampaign, ListedLine } from "../../../storage/port/store.ts"
import { askedList, type ListColumn, ListView } from "../lists.tsx"
import { inParts, offsetOf } from "../paging.ts"
import { ButtonLink } from "../parts/buttons.tsx"
import { PaceBar } from "../parts/charts/bars.tsx"
import { Empty } from "../parts/feedback.tsx"
import { Ago, formatFlight, formatPercent, formatSum } from "../parts/format.tsx"
import { StateBadge } from "../parts/line.tsx"
import { headedPage } from "../parts/page.tsx"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"
import { ARCHIVED, ARCHIVED_QUERY, ArchivedLink, showsArchived } from "./archived-link.tsx"
import { campaignsOf } from "./campaign.tsx"

async function campaignsPage(visit: OrganizationVisit): Promise<Response> {
  const { organization, role, url, place } = visit
  const create = `/app/o/${organization.slug}/new-campaign`
  const list = await campaignList(visit)
  const mayCreate = role === "admin" && place?.onlyBuys !== true
  return headedPage(visit, {
    title: "Campaigns",
    active: campaignsOf(visit),
    actions: mayCreate && <ButtonLink kind="primary" icon="plus" href={create} label="New campaign" />,
    body:
      list.all === 0 ? (
        <>
          <NoCampaigns archived={showsArchived(url)} create={mayCreate ? create : null} />
          <ArchivedLink url={url} />
        </>
      ) : (
        <>
          <ListView
            url={url}
            list={list}
            rules={CAMPAIGN_RULES}
            what="campaigns"
            searched="campaigns and buyers"
            states={CAMPAIGN_STATES}
            columns={columnsFor(visit)}
            rowKey={({ campaign }) => campaign.slug}
            kept={[ARCHIVED]}
            start="from"
            csv={`${campaignsOf(visit)}.csv${showsArchived(url) ? ARCHIVED_QUERY : ""}`}
          />
          <ArchivedLink url={url} />
        </>
      ),
  })
}

function NoCampaigns({ archived, create }: { readonly archived: boolean; readonly create: string | null }) {
  if (archived) return <Empty title="No archived campaigns" text="Campaigns that are archived are listed here." />
  return (
    <Empty
      title="No campaigns yet"
      text="A campaign is what a buyer booked with you. Its lines are what you deliver and report."
    >
      {create !== null ? (
        <ButtonLink kind="primary" href={create} label="Create the first campaign" />
      ) : (
        <p>An admin of your organization can create the first one.</p>
      )}
    </Empty>
  )
}

function columnsFor({ organization, now }: OrganizationVisit): ListColumn<CampaignRow>[] {
  const year = dayOf(now, organization.timeZone).slice(0, 4)
  return [
    {
      title: "Campaign",
      sortBy: "name",
      cell: ({ campaign }) => (
        <a class="name" href={`/app/o/${organization.slug}/campaigns/${campaign.slug}`}>
          {campaign.name}
        </a>
      ),
    },
    {
      title: "Buyer",
      sortBy: "buyer",
      cell: ({ campaign: { buyer } }) => (buyer.id === organization.id ? <span class="soft">You</span> : buyer.name),
    },
    { title: "Lines", value: ({ summary }) => summary.lines, numeric: true, phone: "roomy" },
    {
      title: "Flight",
      sortBy: "end",
      nowrap: true,
      cell: ({ summary: { from, to } }) => (from === null ? "–" : formatFlight(from, to, year)),
    },
    { title: "Delivered", phone: "span", sortBy: "delivered", cell: ({ summary }) => <Meter summary={summary} /> },
    { title: "State", phone: "corner", cell: ({ summary }) => <StateBadge state={summary.state} /> },
    {
      title: "Value so far",
      numeric: true,
      sortBy: "value",
      cell: ({ summary: { worth } }) => (worth === null ? "–" : formatSum(worth.delivered, worth.currency)),
    },
    {
      title: "Booked",
      numeric: true,
      phone: "roomy",
      cell: ({ summary: { worth } }) => (
        <span class="soft">{worth?.booked == null ? "–" : formatSum(worth.booked, worth.currency)}</span>
      ),
    },
    {
      title: "Measured",
      phone: "desk",
      nowrap: true,
      cell: ({ summary: { measuredAt } }) => (
        <span class="soft">{measuredAt === null ? "Not yet" : <Ago at={measuredAt} />}</span>
      ),
    },
  ]
}

function Meter({ summary: { delivered, planned, state } }: { readonly summary: CampaignSummary }) {
  if (delivered === null) return <span class="soft">–</span>
  return (
    <span class="meter">
      <PaceBar delivered={delivered} planned={planned} isBehind={state === "behind"} />
      <span>{formatPercent(delivered)}</span>
    </span>
  )
}

function campaignsCsv(visit: OrganizationVisit): Response {
  async function* parts() {
    for await (const rows of summaries(visit)) yield rows.map(csvRow)
  }
  const header = "campaign,name,buyer,state,lines,from,to,value,booked_value,currency".split(",")
  return longCsv(`${visit.organization.slug}-campaigns.csv`, header, parts())
}

function csvRow({ campaign, summary: { state, lines, from, to, worth } }: CampaignRow) {
  const money = worth === null ? [null, null, null] : [cents(worth.delivered), cents(worth.booked), worth.currency]
  return [campaign.slug, campaign.name, campaign.buyer.slug, state, lines, from, to, ...money]
}

/** The same amount as on the page, not a tail of digits. */
const cents = (amount: number | null) => (amount === null ? null : Math.round(amount * 100) / 100)

export const campaignsRoutes = [
  forMember("GET", "/app/o/:org/campaigns", campaignsPage),
  forMember("GET", "/app/o/:org/campaigns.csv", campaignsCsv),
]

const CAMPAIGNS_AT_ONCE = 200
// Their lines are read at once; others are served in between.
const SUMMED_AT_ONCE = 25
const LINES_AT_ONCE = 2_000
// With more of them, it is faster to read all lines that the organization sells in the order in which they are stored.
const SUMMED_ONE_BY_ONE_MAX = 200
// With more of them, states are only counted where the list is filtered or sorted by what has to be read for it anyway.
const COUNTED_MAX = 300

const CAMPAIGN_STATES = { running: "Running", upcoming: "Upcoming", ended: "Ended" } as const

interface CampaignRow {
  readonly campaign: ListedCampaign
  readonly summary: CampaignSummary
}

type Found = Readonly<{ campaign: ListedCampaign; summary: CampaignSummary | null }>

const CAMPAIGN_RULES: ListRules<Found> = {
  searched: ({ campaign: { name, buyer } }) => `${name}\n${buyer.name}`,
  states: {
    running: ({ summary }) => summary?.phase === "running",
    upcoming: ({ summary }) => summary?.phase === "upcoming",
    ended: ({ summary }) => summary?.phase === "ended",
  },
  sorts: {
    name: ({ campaign }) => campaign.name,
    buyer: ({ campaign }) => `${campaign.buyer.name}\n${campaign.name}`,
    end: ({ summary }) => summary?.to ?? null,
    delivered: ({ summary }) => summary?.delivered ?? null,
    value: ({ summary }) => summary?.worth?.delivered ?? null,
  },
  largestFirst: ["delivered", "value"],
}

const UNSTATED: ListRules<Found> = { ...CAMPAIGN_RULES, states: {} }

/** The campaigns that the address asks for: searched, filtered, sorted, one page of them. */
async function campaignList(visit: OrganizationVisit): Promise<ListPage<CampaignRow>> {
  const query = askedList(visit.url, CAMPAIGN_RULES, offsetOf(visit.url))
  const heads: ListedCampaign[] = []
  for await (const part of campaignParts(visit)) heads.push(...part)
  // Names and buyers are known already; everything else has to be read from the lines of every campaign.
  const needsLines = query.state !== null || (query.sort !== "name" && query.sort !== "buyer")
  if (!needsLines && heads.length > COUNTED_MAX) {
    const rows = heads.map((campaign) => ({ campaign, summary: null }))
    const list = listPage(rows, UNSTATED, query)
    const shown = list.rows.map(({ campaign }) => campaign)
    return { ...list, rows: await summarized(visit, shown), counts: null }
  }
  // What the lines cannot change is left out before they are read.
  const found = listPage(
    heads.map((campaign) => ({ campaign, summary: null })),
    UNSTATED,
    { ...query, sort: "name", state: null, offset: 0, limit: heads.length },
  )
  const rows = await summarized(
    visit,
    found.rows.map(({ campaign }) => campaign),
  )
  return { ...listPage(rows, CAMPAIGN_RULES, query), all: heads.length }
}

async function* campaignParts({ context, organization, url }: OrganizationVisit) {
  const read = (after: ListedCampaign | null) =>
    context.store.campaigns.listAfter(organization.id, after, CAMPAIGNS_AT_ONCE, showsArchived(url))
  for await (const part of inParts(CAMPAIGNS_AT_ONCE, read)) {
    yield part
    await nextTurn()
  }
}

/** Every campaign with its summary, some at a time. */
async function* summaries(visit: OrganizationVisit): AsyncGenerator<CampaignRow[]> {
  for await (const part of campaignParts(visit)) yield await summarized(visit, part)
}

async function summarized(visit: OrganizationVisit, campaigns: readonly ListedCampaign[]): Promise<CampaignRow[]> {
  const sums = new Map(campaigns.map((campaign) => [campaign.id, { campaign, sums: new CampaignSums(visit.now) }]))
  for await (const lines of linesOf(visit, campaigns)) {
    for (const line of lines) sums.get(line.campaignId)?.sums.add(line)
    await nextTurn()
  }
  return [...sums.values()].map(({ campaign, sums }) => ({ campaign, summary: sums.summary() }))
}

async function* linesOf(
  { context: { store }, organization: { id } }: OrganizationVisit,
  campaigns: readonly ListedCampaign[],
): AsyncGenerator<ListedLine[]> {
  const bought = campaigns.filter(({ buyer }) => buyer.id === id)
  const sold = campaigns.filter(({ buyer }) => buyer.id !== id)
  const readsAllSold = sold.length > SUMMED_ONE_BY_ONE_MAX
  const read = (after: ListedLine | null) => store.campaigns.soldLines(id, after?.lineId ?? null, LINES_AT_ONCE)
  const skipped = new Set(bought.map((campaign) => campaign.id))
  if (readsAllSold)
    for await (const lines of inParts(LINES_AT_ONCE, read)) yield lines.filter((line) => !skipped.has(line.campaignId))
  const rest = readsAllSold ? bought : campaigns
  for (let from = 0; from < rest.length; from += SUMMED_AT_ONCE)
    yield await store.campaigns.listedLines(id, rest.slice(from, from + SUMMED_AT_ONCE))
}
