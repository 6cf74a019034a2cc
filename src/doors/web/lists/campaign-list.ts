import { type CampaignSummary, CampaignSums } from "../../../domain/campaign/campaign-summary.ts"
import { type ListPage, type ListRules, listPage } from "../../../domain/lists/list-query.ts"
import type { ListedCampaign, ListedLine } from "../../../storage/port/store.ts"
import { showsArchived } from "../manage/archived-link.tsx"
import { inParts, offsetOf } from "../paging.ts"
import type { OrganizationVisit } from "../visit.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"
import { askedList } from "./asked-list.ts"

const CAMPAIGNS_AT_ONCE = 200
// Their lines are read at once; others are served in between.
const SUMMED_AT_ONCE = 25
const LINES_AT_ONCE = 2_000
// With more of them, it is faster to read all lines that the organization sells in the order in which they are stored.
const SUMMED_ONE_BY_ONE_MAX = 200
// With more of them, states are only counted where the list is filtered or sorted by what has to be read for it anyway.
const COUNTED_MAX = 300

export const CAMPAIGN_STATES = { running: "Running", upcoming: "Upcoming", ended: "Ended" } as const

export interface CampaignRow {
  readonly campaign: ListedCampaign
  readonly summary: CampaignSummary
}

type Found = Readonly<{ campaign: ListedCampaign; summary: CampaignSummary | null }>

export const CAMPAIGN_RULES: ListRules<Found> = {
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
export async function campaignList(visit: OrganizationVisit): Promise<ListPage<CampaignRow>> {
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
    await yieldToEventLoop()
  }
}

/** Every campaign with its summary, some at a time. */
export async function* summaries(visit: OrganizationVisit): AsyncGenerator<CampaignRow[]> {
  for await (const part of campaignParts(visit)) yield await summarized(visit, part)
}

async function summarized(visit: OrganizationVisit, campaigns: readonly ListedCampaign[]): Promise<CampaignRow[]> {
  const sums = new Map(campaigns.map((campaign) => [campaign.id, { campaign, sums: new CampaignSums(visit.now) }]))
  for await (const lines of linesOf(visit, campaigns)) {
    for (const line of lines) sums.get(line.campaignId)?.sums.add(line)
    await yieldToEventLoop()
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
