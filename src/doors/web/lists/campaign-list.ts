import { type CampaignSummary, summaryOf } from "../../../domain/campaign/campaign-summary.ts"
import type { ListedCampaign, ShownLine } from "../../../storage/port/store.ts"
import { showsArchived } from "../manage/archived-link.tsx"
import type { Row } from "../pages/campaigns.tsx"
import { inParts, offsetOf } from "../paging.ts"
import type { OrganizationVisit } from "../visit.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"

// As many as a laptop shows without scrolling.
export const PER_PAGE = 25
const CAMPAIGNS_AT_ONCE = 200
// A campaign may have thousands of lines.
const LINES_AT_ONCE = 1_000
// With more of them, states are only counted where the list is filtered or sorted by what has to be read for it anyway.
const COUNTED_MAX = 300

export const STATES = [
  { state: "all", label: "All" },
  { state: "running", label: "Running" },
  { state: "upcoming", label: "Upcoming" },
  { state: "ended", label: "Ended" },
] as const
export type State = (typeof STATES)[number]["state"]

const SORTS = ["name", "buyer", "end", "delivered", "value"] as const
export type SortKey = (typeof SORTS)[number]

export interface CampaignList {
  readonly rows: readonly Row[]
  /** How many there are before anything is searched or filtered. */
  readonly all: number
  readonly matching: number
  readonly counts: Readonly<Record<State, number>> | null
  readonly text: string
  readonly state: State
  readonly sort: SortKey
  readonly descending: boolean
}

/** The campaigns that the address asks for: searched, filtered, sorted, one page of them. */
export async function campaignList(visit: OrganizationVisit): Promise<CampaignList> {
  const { text, state, sort, descending } = asked(visit.url)
  const heads = await allCampaigns(visit)
  const found = heads.filter(({ name, buyer }) => `${name}\n${buyer.name}`.toLowerCase().includes(text.toLowerCase()))
  const offset = offsetOf(visit.url)
  const onPage = <Item>(items: readonly Item[]) => items.slice(offset, offset + PER_PAGE)
  const result = { all: heads.length, text, state, sort, descending }
  // Names and buyers are known already; everything else has to be read from the lines of every campaign.
  const needsLines = state !== "all" || (sort !== "name" && sort !== "buyer")
  if (!needsLines && found.length > COUNTED_MAX) {
    const ordered = inOrder(
      found.map((campaign) => ({ campaign, summary: null })),
      sort,
      descending,
    )
    const rows = await summarized(
      visit,
      onPage(ordered).map(({ campaign }) => campaign),
    )
    return { ...result, rows, matching: found.length, counts: null }
  }
  const rows = await summarized(visit, found)
  const matching = rows.filter(({ summary }) => state === "all" || stateOf(summary) === state)
  const shown = onPage(inOrder(matching, sort, descending))
  return { ...result, rows: shown, matching: matching.length, counts: countsOf(rows) }
}

function asked({ searchParams }: URL) {
  const text = (searchParams.get("q") ?? "").trim()
  const wanted = searchParams.get("sort") ?? ""
  const descending = wanted.startsWith("-")
  const sort = SORTS.find((key) => key === wanted.replace(/^-/, "")) ?? "name"
  const state = STATES.find((one) => one.state === searchParams.get("state"))?.state ?? "all"
  return { text, state, sort, descending }
}

async function allCampaigns(visit: OrganizationVisit): Promise<ListedCampaign[]> {
  const all: ListedCampaign[] = []
  for await (const part of campaignParts(visit)) all.push(...part)
  return all
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
export async function* summaries(visit: OrganizationVisit): AsyncGenerator<Row[]> {
  for await (const part of campaignParts(visit)) yield await summarized(visit, part)
}

async function summarized(visit: OrganizationVisit, campaigns: readonly ListedCampaign[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const campaign of campaigns) {
    rows.push({ campaign, summary: summaryOf(await linesOf(visit, campaign), visit.now) })
    // Other requests are served in between.
    if (rows.length % PER_PAGE === 0) await yieldToEventLoop()
  }
  return rows
}

async function linesOf({ context, organization }: OrganizationVisit, campaign: ListedCampaign): Promise<ShownLine[]> {
  const all: ShownLine[] = []
  const read = (after: ShownLine | null) =>
    context.store.campaigns.lines(organization.id, campaign, { after, limit: LINES_AT_ONCE })
  for await (const lines of inParts(LINES_AT_ONCE, read)) all.push(...lines)
  return all
}

/** Delivered campaigns are over, and those without lines have not begun. */
function stateOf({ status }: CampaignSummary): State {
  if (status === "running") return "running"
  return status === "upcoming" || status === "empty" ? "upcoming" : "ended"
}

function countsOf(rows: readonly Row[]): Record<State, number> {
  const counts = { all: rows.length, running: 0, upcoming: 0, ended: 0 }
  for (const { summary } of rows) counts[stateOf(summary)]++
  return counts
}

// "Week 2" comes before "Week 10".
const natural = new Intl.Collator("en", { numeric: true, sensitivity: "base" })

type Sortable = Readonly<{ campaign: ListedCampaign; summary: CampaignSummary | null }>

function inOrder<One extends Sortable>(rows: readonly One[], sort: SortKey, descending: boolean): One[] {
  const byName = (one: One, other: One) => natural.compare(one.campaign.name, other.campaign.name)
  const compare = COMPARE[sort]
  return rows.toSorted((one, other) => (descending ? -1 : 1) * compare(one, other) || byName(one, other))
}

const COMPARE: Readonly<Record<SortKey, (one: Sortable, other: Sortable) => number>> = {
  name: (one, other) => natural.compare(one.campaign.name, other.campaign.name),
  buyer: (one, other) => natural.compare(one.campaign.buyer.name, other.campaign.buyer.name),
  end: (one, other) => ((one.summary?.to ?? "9999") < (other.summary?.to ?? "9999") ? -1 : 1),
  delivered: (one, other) => (one.summary?.delivered ?? -1) - (other.summary?.delivered ?? -1),
  value: (one, other) => (one.summary?.worth?.delivered ?? -1) - (other.summary?.worth?.delivered ?? -1),
}
