import {
  addFigures,
  byCampaign,
  type CampaignFigures,
  type Figures,
  NO_FIGURES,
} from "../../../domain/affiliate/affiliate-figures.ts"
import { MICROS_PER_DAY, parseDate } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { AffiliateScope, CodeFigures, Company } from "../../../storage/port/store.ts"
import { pageNotFound } from "../pages/refusals.tsx"
import { Field, Select } from "../parts/field.tsx"
import { CsvLink, FilterBar } from "../parts/list-bits.tsx"
import { listCsv } from "../parts/listing.ts"
import { Pager, Table } from "../parts/table.tsx"
import { Empty, Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import { forMember } from "../route.ts"
import { sliceOf } from "../slice.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { yieldToEventLoop } from "../yield-to-event-loop.ts"
import { amountInWords, countInWords, rateInWords } from "./amounts.ts"
import { DayCharts } from "./charts.tsx"
import { campaignColumns, codeColumns, codeCsvColumns, dayCsvColumns } from "./columns.tsx"

// Enough to see how things go; older days are shown to whoever asks for them.
const DAYS_SHOWN = 90
const CAMPAIGNS_SHOWN = 50
const CAMPAIGNS_OFFERED = 200

const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/affiliates`

/** The first day that is shown: the one that the address names, or else that of the last three months. */
function firstDay({ organization, now, url }: OrganizationVisit): string {
  return url.searchParams.get("from") ?? dayOf(now - DAYS_SHOWN * MICROS_PER_DAY, organization.timeZone)
}

/** What the organization sells or buys, within the days and the campaign that the address names. */
function scopeOf(visit: OrganizationVisit): AffiliateScope {
  const { organization, url } = visit
  const { searchParams } = url
  const campaign = searchParams.get("campaign") ?? ""
  const from = parseDate(firstDay(visit))
  const to = parseDate(searchParams.get("to") ?? "")
  return {
    organizationIds: [organization.id],
    ...(campaign !== "" && { campaign }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

function currencyOf(codes: readonly CodeFigures[]): string | null | "several" {
  const found = new Set(codes.filter(({ valueMicros }) => valueMicros !== null).map(({ currency }) => currency))
  return found.size > 1 ? "several" : ([...found][0] ?? null)
}

async function show(visit: OrganizationVisit): Promise<Response> {
  const { affiliateFigures } = visit.context.store
  const base = baseOf(visit)
  const scope = scopeOf(visit)
  const isFiltered = visit.url.search !== ""
  // One after the other: both at once would keep others waiting twice as long in each turn.
  const codes = await affiliateFigures.byCode(scope)
  const days = await affiliateFigures.byDay(scope)
  const all = await affiliateFigures.campaigns(scope)
  const totals = byCampaign(codes)
  await yieldToEventLoop()
  return page(visit, {
    title: "Affiliates",
    active: base,
    body: (
      <>
        <Heading title="Affiliates" actions={all.length > 0 && <CsvLink href={`${base}.csv${visit.url.search}`} />}>
          <p class="soft">Codes of your lines, with the clicks, conversions and value that were reported for them.</p>
        </Heading>
        {all.length === 0 ? (
          <NoCodes visit={visit} />
        ) : (
          <>
            <Filters visit={visit} all={all} isFiltered={isFiltered} />
            {days.length > 0 && <DayCharts days={days} currency={currencyOf(codes)} />}
            {days.length > 0 && (
              <p>
                <a href={`${base}/days.csv${visit.url.search}`}>Download the days as CSV</a>
              </p>
            )}
            <Campaigns visit={visit} totals={totals} />
            <Codes visit={visit} codes={codes} />
          </>
        )}
      </>
    ),
  })
}

function NoCodes({ visit }: { readonly visit: OrganizationVisit }) {
  return (
    <Empty title="No affiliate codes yet">
      <p>
        Codes and their daily figures come through the API, or from a file. Each code belongs to one line of a campaign.
      </p>
      <a class="button primary" href={`/app/o/${visit.organization.slug}/upload`}>
        Upload a file
      </a>
    </Empty>
  )
}

interface FiltersProps {
  readonly visit: OrganizationVisit
  readonly all: readonly Company[]
  readonly isFiltered: boolean
}

function Filters({ visit, all, isFiltered }: FiltersProps) {
  const { searchParams } = visit.url
  const chosen = searchParams.get("campaign") ?? ""
  // Nobody chooses from thousands; the others are reached from their totals, and from their own pages.
  const offered = all.filter(({ slug }, place) => place < CAMPAIGNS_OFFERED || slug === chosen)
  return (
    <FilterBar action={baseOf(visit)} isFiltered={isFiltered}>
      <Select
        name="campaign"
        label="Campaign"
        value={chosen}
        choices={[{ value: "", label: "All" }, ...offered.map(({ slug, name }) => ({ value: slug, label: name }))]}
      />
      <Field name="from" label="From" type="date" value={firstDay(visit)} />
      <Field name="to" label="To" type="date" value={searchParams.get("to") ?? ""} />
    </FilterBar>
  )
}

interface CampaignsProps {
  readonly visit: OrganizationVisit
  readonly totals: readonly CampaignFigures[]
}

function Campaigns({ visit, totals }: CampaignsProps) {
  const { shown, previous, next } = sliceOf(visit.url, totals, CAMPAIGNS_SHOWN, "campaigns")
  return (
    <>
      <h2>Totals of campaigns</h2>
      <Table
        caption="Totals of campaigns"
        columns={campaignColumns(baseOf(visit))}
        rows={shown}
        rowKey={({ campaign, currency }) => `${campaign} ${currency}`}
      />
      <Pager previous={previous} next={next} previousLabel="Previous campaigns" nextLabel="More campaigns" />
    </>
  )
}

function Codes({ visit, codes }: { readonly visit: OrganizationVisit; readonly codes: readonly CodeFigures[] }) {
  const { shown, previous, next } = sliceOf(visit.url, codes)
  return (
    <>
      <h2>Codes</h2>
      <Table
        caption="Codes"
        columns={codeColumns(baseOf(visit))}
        rows={shown}
        rowKey={({ codeId, packageId }) => `${codeId} ${packageId}`}
      />
      <Pager previous={previous} next={next} previousLabel="Previous codes" nextLabel="More codes" />
    </>
  )
}

interface FoundCode extends Figures {
  readonly codeId: number
  readonly code: string
  readonly currency: string | null | "several"
  /** Every line that it has figures of, and the one that it points to now. */
  readonly lines: readonly CodeFigures[]
}

/** The code that the path names, as far as this organization sells or buys its lines. */
async function findCode(visit: OrganizationVisit): Promise<FoundCode | undefined> {
  const id = param(visit, "code")
  if (!/^\d{1,15}$/.test(id)) return undefined
  const scope = { organizationIds: [visit.organization.id], codeId: Number(id) }
  const lines = await visit.context.store.affiliateFigures.byCode(scope)
  const [first] = lines
  if (first === undefined) return undefined
  const { codeId, code } = first
  return { codeId, code, currency: currencyOf(lines), lines, ...lines.reduce(addFigures, NO_FIGURES) }
}

async function showCode(visit: OrganizationVisit): Promise<Response> {
  const found = await findCode(visit)
  if (found === undefined) return pageNotFound(visit)
  const base = baseOf(visit)
  const scope = { organizationIds: [visit.organization.id], codeId: found.codeId }
  const days = await visit.context.store.affiliateFigures.byDay(scope)
  return page(visit, {
    title: found.code,
    active: base,
    body: (
      <>
        <Heading
          title={found.code}
          trail={[{ href: base, label: "Affiliates" }]}
          actions={days.length > 0 && <CsvLink href={`${base}/${found.codeId}/days.csv`} />}
        >
          {found.lines.map(({ line, campaignName, slug, packageId }) => (
            <p class="soft" key={packageId}>
              {line}, {campaignName}
              {slug !== null && `, ${slug}`}
            </p>
          ))}
        </Heading>
        <section class="card">
          <dl class="facts">
            <Fact term="Clicks">{countInWords(found.clicks)}</Fact>
            <Fact term="Conversions">{countInWords(found.conversions)}</Fact>
            <Fact term="Rate">{rateInWords(found.clicks, found.conversions)}</Fact>
            {found.currency !== "several" && (
              <Fact term="Value">{`${amountInWords(found.valueMicros)} ${found.currency ?? ""}`}</Fact>
            )}
          </dl>
        </section>
        {days.length === 0 ? (
          <Empty title="No figures yet">
            <p>Report clicks and conversions of a day for this code, by API or from a file.</p>
          </Empty>
        ) : (
          <DayCharts days={days} currency={found.currency} />
        )}
      </>
    ),
  })
}

function Fact({ term, children }: { readonly term: string; readonly children: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export const affiliateRoutes = [
  forMember("GET", "/app/o/:org/affiliates", show),
  forMember("GET", "/app/o/:org/affiliates.csv", async (visit) =>
    listCsv("affiliate-codes", codeCsvColumns, await visit.context.store.affiliateFigures.byCode(scopeOf(visit))),
  ),
  forMember("GET", "/app/o/:org/affiliates/days.csv", async (visit) => {
    const { affiliateFigures } = visit.context.store
    const currency = currencyOf(await affiliateFigures.byCode(scopeOf(visit)))
    return listCsv("affiliate-days", dayCsvColumns(currency), await affiliateFigures.byDay(scopeOf(visit)))
  }),
  forMember("GET", "/app/o/:org/affiliates/:code", showCode),
  forMember("GET", "/app/o/:org/affiliates/:code/days.csv", async (visit) => {
    const found = await findCode(visit)
    if (found === undefined) return pageNotFound(visit)
    const scope = { organizationIds: [visit.organization.id], codeId: found.codeId }
    return listCsv(
      `${found.code}-days`,
      dayCsvColumns(found.currency),
      await visit.context.store.affiliateFigures.byDay(scope),
    )
  }),
]
