import {
  campaignPace,
  campaignStatus,
  type LineStatus,
  type Pace,
  paceOf,
  statusOf,
} from "../../../domain/campaign/pacing.ts"
import type { ListedCampaign, ListedLine } from "../../../storage/port/store.ts"
import { ARCHIVED_QUERY, ArchivedLink, showsArchived } from "../manage/archived-link.tsx"
import { inParts, offsetOf, pagesAround } from "../paging.ts"
import { Badge } from "../parts/badge.tsx"
import { ButtonLink } from "../parts/button-link.tsx"
import { Empty } from "../parts/empty.tsx"
import { formatDate } from "../parts/format.tsx"
import { PaceBadge, StatusBadge } from "../parts/line-widgets.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { Pager } from "../parts/table/pages.tsx"
import { type Column, Table } from "../parts/table/table.tsx"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { longCsv } from "../write-csv.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"
import { campaignsOf } from "./campaign.tsx"

const PER_PAGE = 50

// A campaign may have thousands of lines.
const LINES_AT_ONCE = 1_000

interface Summary {
  readonly campaign: ListedCampaign
  readonly status: ReturnType<typeof campaignStatus>
  readonly pace: ReturnType<typeof campaignPace>
  readonly lines: number
  readonly from: string | null
  readonly to: string | null
}

async function summaryOf(visit: OrganizationVisit, campaign: ListedCampaign): Promise<Summary> {
  const { now } = visit
  const statuses = new Set<LineStatus>()
  const paces = new Set<Pace | null>()
  const starts = new Set<string>()
  const ends = new Set<string | null>()
  let count = 0
  for await (const lines of linesOf(visit, campaign)) {
    count += lines.length
    for (const line of lines) {
      const status = statusOf(line, now, line.timeZone)
      statuses.add(status)
      starts.add(line.flightStart)
      ends.add(line.flightEnd)
      if (status === "running") paces.add(paceOf(line, line.timeZone))
    }
  }
  return {
    campaign,
    status: campaignStatus([...statuses]),
    pace: campaignPace([...paces]),
    lines: count,
    // From the first start to the last end; null without lines, or where a line has no end.
    from: [...starts].sort()[0] ?? null,
    to: ends.has(null) ? null : ([...ends].sort().at(-1) ?? null),
  }
}

/** All lines of a campaign; other requests are served between the parts. */
async function* linesOf({ context, organization }: OrganizationVisit, campaign: ListedCampaign) {
  const read = (after: ListedLine | null) =>
    context.store.campaigns.listedLines(organization.id, campaign, { after, limit: LINES_AT_ONCE })
  for await (const lines of inParts(LINES_AT_ONCE, read)) {
    yield lines
    await yieldToEventLoop()
  }
}

async function campaignsPage(visit: OrganizationVisit): Promise<Response> {
  const { organization, role, context, url } = visit
  const base = campaignsOf(visit)
  const create = `/app/o/${organization.slug}/new-campaign`
  const offset = offsetOf(url)
  const archived = showsArchived(url)
  const found = await context.store.campaigns.list(organization.id, { offset, limit: PER_PAGE + 1, archived })
  const rows: Summary[] = []
  for (const campaign of found.slice(0, PER_PAGE)) rows.push(await summaryOf(visit, campaign))
  const isAdmin = role === "admin"
  return headedPage(visit, {
    title: "Campaigns",
    active: base,
    csv: rows.length > 0 && `${base}.csv${archived ? ARCHIVED_QUERY : ""}`,
    actions: isAdmin && <ButtonLink kind="primary" href={create} label="New campaign" />,
    body: (
      <>
        <ArchivedLink url={url} />
        {rows.length === 0 && archived && <p class="soft">No archived campaigns.</p>}
        {rows.length === 0 && !archived && (
          <Empty
            title="No campaigns yet"
            text="A campaign is what a buyer booked with you. Its lines are what you deliver and report."
          >
            <p>
              {isAdmin ? (
                <ButtonLink kind="primary" href={create} label="Create the first campaign" />
              ) : (
                "An admin of your organization can create the first one."
              )}
            </p>
          </Empty>
        )}
        {rows.length > 0 && (
          <Table caption="Campaigns" columns={columnsFor(visit)} rows={rows} rowKey={({ campaign }) => campaign.slug} />
        )}
        <Pager {...pagesAround(url, PER_PAGE, offset + found.length)} />
      </>
    ),
  })
}

function columnsFor({ organization }: OrganizationVisit): Column<Summary>[] {
  return [
    {
      title: "Campaign",
      cell: ({ campaign }) => (
        <>
          <a href={`/app/o/${organization.slug}/campaigns/${campaign.slug}`}>{campaign.name}</a>
          <div class="soft">
            {campaign.buyer.id === organization.id ? <Badge>You buy</Badge> : `for ${campaign.buyer.name}`}
          </div>
        </>
      ),
    },
    { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
    { title: "Pace", cell: ({ pace }) => <PaceBadge pace={pace} /> },
    { title: "Lines", value: ({ lines }) => lines, numeric: true },
    {
      title: "Flight",
      cell: ({ from, to }) =>
        from === null ? "" : `${formatDate(from)} – ${to === null ? "open end" : formatDate(to)}`,
    },
  ]
}

function campaignsCsv(visit: OrganizationVisit): Response {
  const { organization, context } = visit
  async function* parts() {
    const archived = showsArchived(visit.url)
    const read = (after: ListedCampaign | null) =>
      context.store.campaigns.listAfter(organization.id, after, PER_PAGE, archived)
    for await (const found of inParts(PER_PAGE, read)) {
      const rows = []
      for (const campaign of found) rows.push(csvRow(await summaryOf(visit, campaign)))
      yield rows
    }
  }
  const header = ["campaign", "name", "buyer", "status", "pace", "lines", "from", "to"]
  return longCsv(`${organization.slug}-campaigns.csv`, header, parts())
}

function csvRow({ campaign, status, pace, lines, from, to }: Summary) {
  return [campaign.slug, campaign.name, campaign.buyer.slug, status, pace, lines, from, to]
}

export const campaignsRoutes = [
  forMember("GET", "/app/o/:org/campaigns", campaignsPage),
  forMember("GET", "/app/o/:org/campaigns.csv", campaignsCsv),
]
