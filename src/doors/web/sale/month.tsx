import { deliveredInAll } from "../../../domain/adcp/delivery/line-delivery.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import { type Sum, sumsOf, totalsOf } from "../../../domain/sale/statement.ts"
import { type CalendarDate, dayAfter, daysBefore, daysBetween } from "../../../domain/time/moment.ts"
import { dayOf, startOfDay } from "../../../domain/time/time-zone.ts"
import { nextTurn } from "../../../next-turn.ts"
import type { ListedCampaign, Statement } from "../../../storage/port/store.ts"
import { campaignsOf } from "../campaigns/with-line.ts"
import { pageNotFound } from "../error-pages.tsx"
import { ButtonLink, CsvAndPrint, Empty, LookBadge, Stats } from "../parts/blocks.tsx"
import { type Column, Pager, Table } from "../parts/table.tsx"
import { SumLines, sumsInWords } from "../parts/terms.tsx"
import { addingUp, totalsOfDays } from "../parts/value-card.tsx"
import { headedPage } from "../respond.tsx"
import { forMember, type OrganizationVisit } from "../visit.ts"
import { csv } from "../write-csv.ts"
import { STATEMENT_LOOKS } from "./sheet.tsx"

// What each buyer's campaigns delivered in a month, and which of them are settled.

/** A campaign with what the month came to, its last statement that was not cancelled, and whether no line of it runs on. */
type SoldInMonth = ListedCampaign &
  Readonly<{ delivered: readonly Sum[]; statement: Statement | null; hasEnded: boolean }>

const LAST_DAY = "9999-12-31"

/** Such as 2026-11. */
const monthOf = (day: CalendarDate) => day.slice(0, 7)

function daysIn(month: string) {
  const first = `${month}-01`
  return { first, last: daysBefore(`${monthOf(daysBefore(first, -31))}-01`, 1) }
}

/** The month of the address; this one where it names none. */
function monthAsked({ url, now, organization }: OrganizationVisit): string {
  const current = monthOf(dayOf(now, organization.timeZone))
  const [asked] = /^\d{4}-(?:0[1-9]|1[0-2])$/.exec(url.searchParams.get("month") ?? "") ?? []
  return asked === undefined || asked > current ? current : asked
}

/** Days that were measured together count in the month of the last one, so that all months add up to what a line is worth. */
async function soldIn(visit: OrganizationVisit, month: string): Promise<SoldInMonth[] | string> {
  const { first, last } = daysIn(month)
  const { organization, now, zone } = visit
  const { store } = visit.context
  const measuredSince = startOfDay(first, zone)
  const inMonth = { from: first, to: last, measuredSince, withArchived: true }
  const lines = await store.campaigns.listedInFlight(organization.id, inMonth)
  // And one before: a day is what came since then.
  const today = dayOf(now, organization.timeZone)
  const days = daysBetween(first, today) + 2
  const ids = lines.map(({ lineId }) => lineId)
  const totals = await totalsOfDays(visit, ids, days)
  if (totals === null) return addingUp(ids.length)
  const amounts = new Map<number, Map<string, number>>()
  // Not only lines of this month: another one of the campaign may come later.
  const ahead = await store.campaigns.listedInFlight(organization.id, { from: today, to: LAST_DAY })
  const running = new Set(ahead.map(({ campaignId }) => campaignId))
  for (const line of lines) {
    await nextTurn()
    const { days: all } = deliveredInAll(line, totals.get(line.lineId) ?? [])
    const measured = all.filter(({ date }) => date >= first && date <= last)
    const isFlown = line.flightStart <= last && (line.flightEnd ?? last) >= first
    if (!isFlown && measured.length === 0) continue
    const amount = measured.reduce((sum, { spend }) => sum + spend, 0)
    const sums = amounts.get(line.campaignId) ?? new Map<string, number>()
    amounts.set(line.campaignId, sums)
    if (line.rate !== null) sums.set(line.currency ?? "", (sums.get(line.currency ?? "") ?? 0) + amount)
  }
  const statements = await store.statements.list([...amounts.keys()], organization.id)
  const listed = await Promise.all([false, true].map((archived) => store.campaigns.list(organization.id, archived)))
  const campaigns = listed.flat().filter(({ id }) => amounts.has(id))
  const sorted = campaigns.toSorted((a, b) => compareNames(a.buyer.name, b.buyer.name) || compareNames(a.name, b.name))
  const byCampaign = Map.groupBy(statements, ({ campaignId, state }) => (state === "cancelled" ? 0 : campaignId))
  return sorted.map((campaign): SoldInMonth => {
    const sums = [...(amounts.get(campaign.id) ?? [])]
    // Each day is in whole coins; only their sum as a number may be a trace off.
    const delivered = sumsOf(sums.map(([currency, amount]) => ({ currency, amount: amount.toFixed(4) })))
    const statement = byCampaign.get(campaign.id)?.[0] ?? null
    return { ...campaign, delivered, statement, hasEnded: !running.has(campaign.id) }
  })
}

const isSettled = ({ statement }: SoldInMonth) => statement !== null && statement.state !== "draft"
const sumsIn = (rows: readonly SoldInMonth[]) => sumsOf(rows.flatMap(({ delivered }) => delivered))

async function monthPage(visit: OrganizationVisit): Promise<Response> {
  if (visit.place?.onlyBuys === true) return pageNotFound(visit)
  const month = monthAsked(visit)
  const sold = await soldIn(visit, month)
  const rows = typeof sold === "string" ? [] : sold
  if (visit.url.searchParams.has("csv")) return monthCsv(month, rows)
  const byBuyer = Map.groupBy(rows, ({ buyer }) => buyer.slug)
  const facts = [
    { term: "Delivered", value: <SumLines sums={sumsIn(rows)} /> },
    { term: "Settled", value: <SumLines sums={sumsIn(rows.filter(isSettled))} /> },
    { term: "Not settled", value: <SumLines sums={sumsIn(rows.filter((row) => !isSettled(row)))} /> },
  ]
  return headedPage(visit, {
    title: `Month’s end, ${nameOf(month)}`,
    active: `/app/o/${visit.organization.slug}/month`,
    intro: "What each buyer’s campaigns delivered in this month, and whether they are settled.",
    actions: <CsvAndPrint href={`?month=${month}&csv`} />,
    body: [
      await otherMonths(visit, month),
      typeof sold === "string" ? (
        <p>{sold}</p>
      ) : rows.length === 0 ? (
        <Empty title="Nothing ran in this month" text="No line of yours was in flight." />
      ) : (
        [
          <Stats facts={facts} />,
          <Table
            caption="Campaigns by buyer"
            columns={columnsFor(visit, byBuyer)}
            rows={[...byBuyer.values()].flat()}
          />,
        ]
      ),
    ],
  })
}

const nameOf = (month: string) =>
  new Date(month).toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" })

async function otherMonths({ context: { store }, organization, now, url }: OrganizationVisit, month: string) {
  const { first, last } = daysIn(month)
  const before = daysBefore(first, 1)
  const earlier = await store.campaigns.listedInFlight(organization.id, {
    from: "",
    to: before,
    limit: 1,
    withArchived: true,
  })
  const isOver = last < dayOf(now, organization.timeZone)
  const href = (day: CalendarDate) => `${url.pathname}?month=${monthOf(day)}`
  return (
    <Pager
      previous={earlier.length > 0 ? href(before) : null}
      previousLabel="Earlier month"
      next={isOver ? href(dayAfter(last)) : null}
      nextLabel="Later month"
    />
  )
}

function columnsFor(visit: OrganizationVisit, byBuyer: ReadonlyMap<string, SoldInMonth[]>): Column<SoldInMonth>[] {
  const hrefOf = ({ slug }: SoldInMonth) => `${campaignsOf(visit)}/${slug}`
  // Said once, beside the first of them.
  const noteOf = (row: SoldInMonth) => {
    const [first, ...others] = byBuyer.get(row.buyer.slug) ?? []
    if (first !== row || others.length === 0) return null
    return `${sumsInWords(sumsIn([first, ...others])) || "–"} in ${others.length + 1} campaigns`
  }
  return [
    { title: "Campaign", value: ({ name }) => name, href: hrefOf },
    { title: "Buyer", value: ({ buyer }) => buyer.name, note: noteOf },
    { title: "Delivered", numeric: true, cell: ({ delivered }) => <SumLines sums={delivered} /> },
    {
      title: "State",
      narrow: "corner",
      cell: ({ statement, hasEnded }) => (
        <LookBadge look={statement ? STATEMENT_LOOKS[statement.state] : hasEnded ? NOT_SETTLED : RUNNING} />
      ),
    },
    {
      title: "Statement",
      cell: (row) => {
        const { statement, hasEnded } = row
        const base = `${hrefOf(row)}/statements`
        if (statement !== null) return <a href={`${base}/${statement.id}`}>{statement.number ?? "Draft"}</a>
        return hasEnded && visit.role === "admin" && <ButtonLink small href={`${base}/new`} label="Settle" />
      },
      note: ({ statement }) => statement?.body && sumsInWords(totalsOf(statement.body)),
    },
  ]
}

const NOT_SETTLED = ["warn", "ring", "Not settled"] as const
const RUNNING = ["off", "word", "Running"] as const

const monthCsv = (month: string, rows: readonly SoldInMonth[]) =>
  csv(
    `month-${month}.csv`,
    "month,buyer,campaign,delivered,currency,state,statement".split(","),
    rows.flatMap(({ name, buyer, delivered, statement }) =>
      delivered.map(({ amount, currency }) => [
        ...[month, buyer.name, name, amount, currency],
        ...[statement?.state ?? "not settled", statement?.number ?? null],
      ]),
    ),
  )

export const monthRoutes = [forMember("GET", "/app/o/:org/month", monthPage)]
