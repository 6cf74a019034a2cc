import { compareNames } from "../../../domain/lists/list-query.ts"
import { compare } from "../../../domain/sale/money.ts"
import { monthOf, notSettled, partsOf, settledParts } from "../../../domain/sale/settled.ts"
import { type SettledPart, type Sum, statementsInForce, sumsOf, totalsOf } from "../../../domain/sale/statement.ts"
import { type CalendarDate, dayAfter, daysBefore, daysBetween } from "../../../domain/time/moment.ts"
import { dayOf, startOfDay } from "../../../domain/time/time-zone.ts"
import { nextTurn } from "../../../next-turn.ts"
import type { ListedCampaign, ListedLine, Statement } from "../../../storage/port/store.ts"
import { campaignsOf } from "../campaigns/with-line.ts"
import { pageNotFound } from "../error-pages.tsx"
import { forMember } from "../guards.ts"
import { ButtonLink, CsvAndPrint, Empty, type Look, LookBadge, Stats } from "../parts/blocks.tsx"
import { formatFlight } from "../parts/format.tsx"
import { type Column, Pager, Table } from "../parts/table.tsx"
import { SumLines, sumsInWords } from "../parts/terms.tsx"
import { headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { csv } from "../write-csv.ts"

// What each buyer's campaigns delivered in a month, and which of them are settled.

/** A campaign with what it came to in the month, what of it is settled, and what is not yet of all its months. */
type SoldInMonth = ListedCampaign &
  Readonly<{
    delivered: readonly Sum[]
    settled: readonly Sum[]
    /** Days of this and other months that were reported together: they belong to none of them. */
    across: readonly Across[]
    notSettled: readonly Sum[]
    /** Newest first, without cancelled ones. */
    statements: readonly Statement[]
    hasEnded: boolean
  }>
type Across = Readonly<{ from: CalendarDate; to: CalendarDate; delivered: readonly Sum[]; settled: readonly Sum[] }>

const LAST_DAY = "9999-12-31"

/** The month of the address, by its first day; this one where it names none. */
function monthAsked({ url, now, organization }: OrganizationVisit) {
  const current = monthOf(dayOf(now, organization.timeZone))
  const [asked] = /^\d{4}-(?:0[1-9]|1[0-2])$/.exec(url.searchParams.get("month") ?? "") ?? []
  return asked === undefined || `${asked}-01` > current.from ? current : monthOf(`${asked}-01`)
}

type Month = ReturnType<typeof monthAsked>

async function soldIn(visit: OrganizationVisit, month: Month): Promise<SoldInMonth[]> {
  const { organization, now, zone } = visit
  const { store } = visit.context
  const inMonth = { ...month, measuredSince: startOfDay(month.from, zone), withArchived: true }
  const lines = await store.campaigns.listedInFlight(organization.id, inMonth)
  // And one before: a day is what came since then.
  const today = dayOf(now, organization.timeZone)
  const ids = lines.map(({ lineId }) => lineId)
  const totals = await store.deliveryHistory.days(ids, daysBetween(month.from, today) + 2)
  const delivered = new Map<number, SettledPart[]>()
  for (const line of lines) {
    await nextTurn()
    const parts = partsOf({ ...line, packageId: "" }, totals.get(line.lineId) ?? [], organization.timeZone)
    const own = parts.filter(({ from, to }) => from <= month.to && to >= month.from)
    const isFlown = line.flightStart <= month.to && (line.flightEnd ?? month.to) >= month.from
    if (!isFlown && own.length === 0) continue
    delivered.set(line.campaignId, [...(delivered.get(line.campaignId) ?? []), ...pricedAtNothing(line, month), ...own])
  }
  // Not only lines of this month: another one of the campaign may come later.
  const ahead = await store.campaigns.listedInFlight(organization.id, { from: today, to: LAST_DAY })
  const running = new Set(ahead.map(({ campaignId }) => campaignId))
  const campaignIds = [...delivered.keys()]
  const statements = Map.groupBy(await store.statements.list(campaignIds, organization.id), (each) => each.campaignId)
  const all = Map.groupBy(await store.statements.lines(campaignIds, organization.id), (each) => each.campaignId)
  const listed = await Promise.all([false, true].map((archived) => store.campaigns.list(organization.id, archived)))
  const campaigns = listed.flat().filter(({ id }) => delivered.has(id))
  const sorted = campaigns.toSorted((a, b) => compareNames(a.buyer.name, b.buyer.name) || compareNames(a.name, b.name))
  return sorted.map((campaign): SoldInMonth => {
    const stated = statements.get(campaign.id) ?? []
    return {
      ...campaign,
      ...byDays(delivered.get(campaign.id) ?? [], settledParts(stated), month),
      notSettled: notSettled(stated, all.get(campaign.id) ?? []),
      statements: stated.filter(({ state }) => state !== "cancelled"),
      hasEnded: !running.has(campaign.id),
    }
  })
}

/** A line with a price that delivered nothing came to 0.00; one without a price came to no sum. */
const pricedAtNothing = ({ rate, currency }: ListedLine, month: Month): SettledPart[] =>
  rate === null || currency === null ? [] : [{ packageId: "", ...month, currency, amount: "0.00" }]

/** What is of the month alone, and what is of days that reach into others. */
function byDays(delivered: readonly SettledPart[], settled: readonly SettledPart[], month: Month) {
  const isIn = ({ from, to }: SettledPart) => from >= month.from && to <= month.to
  const isAcross = (part: SettledPart) => part.from <= month.to && part.to >= month.from && !isIn(part)
  const days = new Map([...delivered, ...settled].filter(isAcross).map((part) => [part.from + part.to, part]))
  const across = [...days.values()].map(({ from, to }) => {
    const isOfThese = (part: SettledPart) => part.from === from && part.to === to
    return { from, to, delivered: sumsOf(delivered.filter(isOfThese)), settled: sumsOf(settled.filter(isOfThese)) }
  })
  return { delivered: sumsOf(delivered.filter(isIn)), settled: sumsOf(settled.filter(isIn)), across }
}

async function monthPage(visit: OrganizationVisit): Promise<Response> {
  if (visit.place?.onlyBuys === true) return pageNotFound(visit)
  const month = monthAsked(visit)
  const rows = await soldIn(visit, month)
  const name = month.from.slice(0, 7)
  if (visit.url.searchParams.has("csv")) return monthCsv(month, rows)
  const byBuyer = Map.groupBy(rows, ({ buyer }) => buyer.slug)
  const across = sumsOf(rows.flatMap((row) => row.across.flatMap((days) => days.delivered)))
  const facts = [
    {
      term: "Delivered",
      value: <SumLines sums={sumsIn(rows, "delivered")} />,
      note: across.length > 0 && `and ${sumsInWords(across)} over days that reach into other months`,
    },
    {
      term: "Settled",
      value: <SumLines sums={sumsIn(rows, "settled")} />,
      note: "of this month, by frozen statements",
    },
    {
      term: "Not settled yet",
      value: <SumLines sums={sumsIn(rows, "notSettled")} />,
      note: "of these campaigns, in all months",
    },
  ]
  return headedPage(visit, {
    title: `Month’s end, ${nameOf(name)}`,
    active: `/app/o/${visit.organization.slug}/month`,
    intro: "What each buyer’s campaigns delivered in this month, and what statements have settled.",
    actions: <CsvAndPrint href={`?month=${name}&csv`} />,
    body: [
      await otherMonths(visit, month),
      rows.length === 0 ? (
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

const sumsIn = (rows: readonly SoldInMonth[], which: "delivered" | "settled" | "notSettled") =>
  sumsOf(rows.flatMap((row) => row[which]))

const nameOf = (month: string) =>
  new Date(month).toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" })

async function otherMonths({ context: { store }, organization, now, url }: OrganizationVisit, month: Month) {
  const before = daysBefore(month.from, 1)
  const earlier = await store.campaigns.listedInFlight(organization.id, {
    from: "",
    to: before,
    limit: 1,
    withArchived: true,
  })
  const isOver = month.to < dayOf(now, organization.timeZone)
  const href = (day: CalendarDate) => `${url.pathname}?month=${day.slice(0, 7)}`
  return (
    <Pager
      previous={earlier.length > 0 ? href(before) : null}
      previousLabel="Earlier month"
      next={isOver ? href(dayAfter(month.to)) : null}
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
    return `${sumsInWords(sumsIn([first, ...others], "delivered")) || "–"} in ${others.length + 1} campaigns`
  }
  return [
    { title: "Campaign", value: ({ name }) => name, href: hrefOf },
    { title: "Buyer", value: ({ buyer }) => buyer.name, note: noteOf },
    {
      title: "Delivered",
      numeric: true,
      cell: ({ delivered }) => <SumLines sums={delivered} />,
      note: ({ across }) => acrossText(across, "delivered"),
    },
    {
      title: "Settled",
      numeric: true,
      cell: ({ settled }) => <SumLines sums={settled} />,
      note: ({ across }) => acrossText(across, "settled"),
    },
    { title: "Not settled yet", numeric: true, cell: (row) => <SumLines sums={row.notSettled} /> },
    { title: "State", narrow: "corner", cell: (row) => <LookBadge look={LOOKS[stateOf(row)]} /> },
    {
      title: "Statements",
      cell: (row) => {
        const base = `${hrefOf(row)}/statements`
        return [
          row.statements.map(({ id, number, state, body }) => (
            <div>
              <a href={`${base}/${id}`}>{number ?? "Draft"}</a>
              {body !== null && ` ${sumsInWords(totalsOf(body))}`}
              {state === "paid" && ", paid"}
            </div>
          )),
          isToSettle(row) && visit.role === "admin" && <ButtonLink small href={`${base}/new`} label="Settle" />,
        ]
      },
    },
  ]
}

/** and €816.00 over 55 days, 7 Sep – 31 Oct. */
const acrossText = (across: readonly Across[], which: "delivered" | "settled") =>
  across
    .filter((days) => days[which].length > 0)
    .map(({ from, to, [which]: sums }) => (
      <div>
        and {sumsInWords(sums)} over {daysBetween(from, to) + 1} days, {formatFlight(from, to, to.slice(0, 4))}
      </div>
    ))

const isToSettle = ({ statements, hasEnded, ...row }: SoldInMonth) =>
  hasEnded && !statements.some(({ state }) => state === "draft") && (statements.length === 0 || isOpen(row.notSettled))

const isOpen = (sums: readonly Sum[]) => sums.some(({ amount }) => compare(amount, 0) !== 0)

/** In one word; a campaign is settled when nothing of it is left to be stated. */
function stateOf({ statements, notSettled: open, hasEnded }: SoldInMonth): keyof typeof LOOKS {
  const inForce = statementsInForce(statements)
  if (inForce.length === 0 || isOpen(open)) return hasEnded ? "not settled" : "running"
  return inForce.every(({ state }) => state === "paid") ? "paid" : "settled"
}

const LOOKS: Readonly<Record<"running" | "not settled" | "settled" | "paid", Look>> = {
  running: ["off", "word", "Running"],
  "not settled": ["warn", "ring", "Not settled"],
  settled: ["good", "done", "Settled"],
  paid: ["good", "done", "Paid"],
}

const HEADER = "from,to,buyer,campaign,currency,delivered,settled,not_settled,state,statements".split(",")

/** A row for each currency; days that reach into other months have rows of their own. What is not settled yet is of all months. */
const monthCsv = (month: Month, rows: readonly SoldInMonth[]) =>
  csv(
    `month-${month.from.slice(0, 7)}.csv`,
    HEADER,
    rows.flatMap((row) => {
      const numbers = row.statements.flatMap(({ number }) => number ?? []).join(" ")
      const rowsOf = (days: Omit<Across, "settled"> & Pick<SoldInMonth, "settled">, open: readonly Sum[]) => {
        const amountIn = (sums: readonly Sum[], currency: string) =>
          sums.find((sum) => sum.currency === currency)?.amount ?? null
        return sumsOf([...days.delivered, ...days.settled, ...open]).map(({ currency }) => [
          ...[days.from, days.to, row.buyer.name, row.name, currency],
          ...[days.delivered, days.settled, open].map((sums) => amountIn(sums, currency)),
          ...[stateOf(row), numbers],
        ])
      }
      return [...rowsOf({ ...month, ...row }, row.notSettled), ...row.across.flatMap((days) => rowsOf(days, []))]
    }),
  )

export const monthRoutes = [forMember("GET", "/app/o/:org/month", monthPage)]
