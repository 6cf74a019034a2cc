import { campaignPace, campaignStatus, paceOf, statusOf } from "../../../domain/pacing.ts"
import type { ListedCampaign } from "../../../storage/store.ts"
import { longCsv } from "../csv.ts"
import { letOthersIn } from "../let-others-in.ts"
import { offsetOf } from "../paging.ts"
import { Badge, Empty, Heading } from "../parts/bits.tsx"
import { dateInWords } from "../parts/format.tsx"
import { PaceBadge, StatusBadge } from "../parts/line-bits.tsx"
import { type Column, Pager, Table } from "../parts/table.tsx"
import { page } from "../respond.ts"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"

const PER_PAGE = 50

interface Summary {
  readonly campaign: ListedCampaign
  readonly status: ReturnType<typeof campaignStatus>
  readonly pace: ReturnType<typeof campaignPace>
  readonly from: string | null
  readonly to: string | null
}

function summaryOf({ now }: OrganizationVisit, campaign: ListedCampaign): Summary {
  const { lines } = campaign
  const statuses = lines.map((line) => statusOf(line, now, line.timeZone))
  const running = lines.filter((_, i) => statuses[i] === "running")
  return {
    campaign,
    status: campaignStatus(statuses),
    pace: campaignPace(running.map((line) => paceOf(line, line.timeZone))),
    ...flightOf(lines),
  }
}

/** From the first start to the last end; null where there is none, or no line, or one line has no end. */
function flightOf(lines: ListedCampaign["lines"]): Pick<Summary, "from" | "to"> {
  const starts = new Set(lines.map(({ flightStart }) => flightStart))
  const ends = new Set(lines.map(({ flightEnd }) => flightEnd))
  return { from: [...starts].sort()[0] ?? null, to: ends.has(null) ? null : ([...ends].sort().at(-1) ?? null) }
}

async function campaignsPage(visit: OrganizationVisit): Promise<Response> {
  const { organization, role, context, url } = visit
  const base = `/app/o/${organization.slug}/campaigns`
  const offset = offsetOf(url)
  const found = await context.store.campaigns.list(organization.id, { offset, limit: PER_PAGE + 1 })
  await letOthersIn()
  const rows = found.slice(0, PER_PAGE).map((campaign) => summaryOf(visit, campaign))
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
    { title: "Lines", cell: ({ campaign }) => campaign.lines.length, numeric: true },
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
    for (let offset = 0; ; offset += PER_PAGE) {
      const found = await context.store.campaigns.list(organization.id, { offset, limit: PER_PAGE })
      yield found.map((campaign) => csvRow(summaryOf(visit, campaign)))
      if (found.length < PER_PAGE) return
    }
  }
  const header = ["campaign", "name", "buyer", "status", "pace", "lines", "from", "to"]
  return longCsv(`${organization.slug}-campaigns.csv`, header, parts())
}

function csvRow({ campaign, status, pace, from, to }: Summary) {
  return [campaign.slug, campaign.name, campaign.buyer.slug, status, pace, campaign.lines.length, from, to]
}

export const campaignsRoutes = [
  forMember("GET", "/app/o/:org/campaigns", campaignsPage),
  forMember("GET", "/app/o/:org/campaigns.csv", campaignsCsv),
]
