import { type CampaignSummary, summariesOf } from "../../../domain/campaign/campaign-summary.ts"
import { stateToShow, withoutNoise } from "../../../domain/campaign/line-state.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ListedCampaign } from "../../../storage/port/store.ts"
import { forMember } from "../guards.ts"
import { askedPage, ListView } from "../lists.tsx"
import { ButtonLink, Empty } from "../parts/blocks.tsx"
import { PaceBar } from "../parts/charts/bars.tsx"
import { Ago, formatFlight, formatPercent, formatSum, listInWords } from "../parts/format.tsx"
import { StateBadge } from "../parts/line.tsx"
import type { Column } from "../parts/table.tsx"
import { headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { csv } from "../write-csv.ts"
import { ARCHIVED, ArchivedLink, showsArchived } from "./archive.tsx"
import { campaignsOf } from "./with-line.ts"

async function campaignsPage(visit: OrganizationVisit): Promise<Response> {
  const { organization, role, url, place } = visit
  const create = `/app/o/${organization.slug}/new-campaign`
  const list = askedPage(url, CAMPAIGN_RULES, await summaries(visit))
  const bought = list.rows.filter(({ buyer }) => buyer.id === organization.id)
  const sellers = await visit.context.store.campaigns.sellersIn(bought.map(({ id }) => id))
  const archived = await visit.context.store.campaigns.list(organization.id, true)
  const onlyBuys = place?.onlyBuys === true
  const mayCreate = role === "admin" && !onlyBuys
  return headedPage(visit, {
    title: "Campaigns",
    actions: mayCreate && <ButtonLink kind="primary" icon="plus" href={create} label="New campaign" />,
    body: [
      <ListView
        url={url}
        list={list}
        rules={CAMPAIGN_RULES}
        what="campaigns"
        searched="campaigns and buyers"
        states={CAMPAIGN_STATES}
        columns={columnsFor(visit, sellers)}
        carried={[ARCHIVED]}
        csv={`${campaignsOf(visit)}.csv${showsArchived(url) ? `?${ARCHIVED}=yes` : ""}`}
        empty={noCampaigns(showsArchived(url), onlyBuys, mayCreate ? create : null)}
      />,
      <ArchivedLink url={url} count={archived.length} />,
    ],
  })
}

function noCampaigns(archived: boolean, onlyBuys: boolean, create: string | null) {
  if (archived) return <Empty title="No archived campaigns" text="Archived campaigns are listed here." />
  if (onlyBuys) return <Empty title="No campaigns yet" text="Campaigns appear here once a seller adds them." />
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

type Sellers = ReadonlyMap<number, readonly string[]>

function columnsFor({ organization, now, place }: OrganizationVisit, sellers: Sellers): Column<CampaignRow>[] {
  const base = `/app/o/${organization.slug}/campaigns`
  const year = dayOf(now, organization.timeZone).slice(0, 4)
  return [
    { title: "Campaign", sortBy: "name", value: ({ name }) => name, href: ({ slug }) => `${base}/${slug}` },
    place?.onlyBuys
      ? { title: "Seller", cell: ({ id }) => listInWords(sellers.get(id) ?? [], 3) }
      : {
          title: "Buyer",
          sortBy: "buyer",
          cell: ({ id, buyer }) =>
            buyer.id === organization.id ? `You, from ${listInWords(sellers.get(id) ?? [], 2)}` : buyer.name,
        },
    { title: "Lines", value: ({ lines }) => lines, numeric: true, narrow: "roomy" },
    { title: "Flight", sortBy: "end", cell: ({ from, to }) => (from === null ? "–" : formatFlight(from, to, year)) },
    { title: "Delivered", narrow: "span", sortBy: "delivered", cell: Meter },
    {
      title: "State",
      narrow: "corner",
      cell: ({ state, measuredAt }) => <StateBadge state={state} isReported={measuredAt !== null} />,
    },
    {
      title: "Value so far",
      numeric: true,
      sortBy: "value",
      cell: ({ worths }) =>
        worths.length === 0 ? "–" : worths.map((worth) => <div>{formatSum(worth.delivered, worth.currency)}</div>),
    },
    {
      title: "Booked",
      numeric: true,
      narrow: "roomy",
      cell: ({ worths }) =>
        worths.map(({ booked, currency }) => (
          <div class="soft">{booked === null ? "–" : formatSum(booked, currency)}</div>
        )),
    },
    {
      title: "Measured",
      narrow: "desk",
      nowrap: true,
      cell: ({ measuredAt: at }) => <span class="soft">{at === null ? "Never" : <Ago at={at} />}</span>,
    },
  ]
}

function Meter({ delivered, planned, state }: CampaignSummary) {
  if (delivered === null) return <span class="soft">–</span>
  return (
    <span class="meter">
      <PaceBar delivered={delivered} planned={planned} isBehind={state === "behind"} />
      <span>{formatPercent(delivered)}</span>
    </span>
  )
}

async function campaignsCsv(visit: OrganizationVisit): Promise<Response> {
  const header = "campaign,name,buyer,state,lines,from,to,value,booked_value,currency".split(",")
  return csv(`${visit.organization.slug}-campaigns.csv`, header, (await summaries(visit)).map(csvRow))
}

function csvRow({ slug, name, buyer, lines, from, to, worth, ...row }: CampaignRow) {
  const state = stateToShow(row.state, row.measuredAt !== null)
  const { delivered = null, booked = null, currency = null } = worth ?? {}
  const amounts = [delivered, booked].map((amount) => amount && withoutNoise(amount))
  return [slug, name, buyer.slug, state, lines, from, to, ...amounts, currency]
}

export const campaignsRoutes = [
  forMember("GET", "/app/o/:org/campaigns", campaignsPage),
  forMember("GET", "/app/o/:org/campaigns.csv", campaignsCsv),
]

const CAMPAIGN_STATES = { running: "Running", upcoming: "Upcoming", ended: "Ended" } as const

type CampaignRow = ListedCampaign & CampaignSummary

const CAMPAIGN_RULES: ListRules<CampaignRow> = {
  searched: ({ name, buyer }) => `${name}\n${buyer.name}`,
  states: {
    running: ({ phase }) => phase === "running",
    upcoming: ({ phase }) => phase === "upcoming",
    ended: ({ phase }) => phase === "ended",
  },
  sorts: {
    name: ({ name }) => name,
    buyer: ({ name, buyer }) => `${buyer.name}\n${name}`,
    end: ({ to }) => to,
    delivered: ({ delivered }) => delivered,
    value: ({ worth }) => worth?.delivered ?? null,
  },
  largestFirst: ["delivered", "value"],
}

async function summaries({ context, organization, url, now }: OrganizationVisit): Promise<CampaignRow[]> {
  const { campaigns } = context.store
  const listed = await campaigns.list(organization.id, showsArchived(url))
  const summaryOf = summariesOf(await campaigns.listedLines(organization.id, showsArchived(url)), now)
  return listed.map((campaign) => ({ ...campaign, ...summaryOf(campaign.id) }))
}
