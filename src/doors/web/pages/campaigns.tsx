import {
  campaignPace,
  campaignStatus,
  type LineStatus,
  type Pace,
  paceOf,
  statusOf,
} from "../../../domain/campaign/pacing.ts"
import type { ListedCampaign, ListedLine } from "../../../storage/port/store.ts"
import { longCsv } from "../csv.ts"
import { offsetOf } from "../paging.ts"
import { dateInWords } from "../parts/format.tsx"
import { PaceBadge, StatusBadge } from "../parts/line-bits.tsx"
import { type Column, Pager, Table } from "../parts/table.tsx"
import { Badge, Empty, Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"

const PER_PAGE = 50

// Between so many lines others are served: a campaign may have thousands.
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
    // From the first start to the last end; null where there is no line, or one of them has no end.
    from: [...starts].sort()[0] ?? null,
    to: ends.has(null) ? null : ([...ends].sort().at(-1) ?? null),
  }
}

async function* linesOf({ context, organization }: OrganizationVisit, campaign: ListedCampaign) {
  let after: ListedLine | null = null
  do {
    const choice = { after, limit: LINES_AT_ONCE }
    const lines: ListedLine[] = await context.store.campaigns.listedLines(organization.id, campaign, choice)
    yield lines
    await yieldToEventLoop()
    after = lines.length < LINES_AT_ONCE ? null : (lines.at(-1) ?? null)
  } while (after !== null)
}

async function campaignsPage(visit: OrganizationVisit): Promise<Response> {
  const { organization, role, context, url } = visit
  const base = `/app/o/${organization.slug}/campaigns`
  const offset = offsetOf(url)
  const found = await context.store.campaigns.list(organization.id, { offset, limit: PER_PAGE + 1 })
  const rows: Summary[] = []
  for (const campaign of found.slice(0, PER_PAGE)) rows.push(await summaryOf(visit, campaign))
  const isAdmin = role === "admin"
  return page(visit, {
    title: "Campaigns",
    active: base,
    body: (
      <>
        <Heading
          title="Campaigns"
          actions={
            <>
              {rows.length > 0 && (
                <a class="button quiet" href={`${base}.csv`}>
                  Download CSV
                </a>
              )}
              {isAdmin && (
                <a class="button primary" href={`/app/o/${organization.slug}/new-campaign`}>
                  New campaign
                </a>
              )}
            </>
          }
        />
        {rows.length === 0 ? (
          <NoCampaigns isAdmin={isAdmin} make={`/app/o/${organization.slug}/new-campaign`} />
        ) : (
          <Table caption="Campaigns" columns={columnsFor(visit)} rows={rows} rowKey={({ campaign }) => campaign.slug} />
        )}
        <Pager
          previous={offset > 0 ? `${base}?from=${Math.max(0, offset - PER_PAGE)}` : null}
          next={found.length > PER_PAGE ? `${base}?from=${offset + PER_PAGE}` : null}
        />
      </>
    ),
  })
}

function NoCampaigns({ isAdmin, make }: { readonly isAdmin: boolean; readonly make: string }) {
  return (
    <Empty title="No campaigns yet">
      <p>A campaign is what a buyer booked with you. Its lines are what you deliver and report.</p>
      <p>
        {isAdmin ? (
          <a class="button primary" href={make}>
            Make the first one
          </a>
        ) : (
          "An admin of your organization can make the first one."
        )}
      </p>
    </Empty>
  )
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
    { title: "Lines", cell: ({ lines }) => lines, numeric: true },
    {
      title: "Flight",
      cell: ({ from, to }) =>
        from === null ? "" : `${dateInWords(from)} – ${to === null ? "open end" : dateInWords(to)}`,
    },
  ]
}

function campaignsCsv(visit: OrganizationVisit): Response {
  const { organization, context } = visit
  async function* parts() {
    let after: ListedCampaign | null = null
    do {
      const found: ListedCampaign[] = await context.store.campaigns.listAfter(organization.id, after, PER_PAGE)
      const rows = []
      for (const campaign of found) rows.push(csvRow(await summaryOf(visit, campaign)))
      yield rows
      after = found.length < PER_PAGE ? null : (found.at(-1) ?? null)
    } while (after !== null)
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
