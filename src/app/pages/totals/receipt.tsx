import { withdrawTogether } from "../../../actions/delivery/withdraw-report.ts"
import { deliveredValue } from "../../../domain/campaign/value.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { unitFor } from "../../../domain/text.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { timeOf } from "../../../domain/time/typed-day.ts"
import { linesSoldBy, type StoredLine } from "../../../storage/campaigns/lines.ts"
import { totalsBefore } from "../../../storage/delivery/days.ts"
import { type Receipt, receiptOf } from "../../../storage/delivery/reports.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { page } from "../../page.tsx"
import { Banner, ButtonLink, Card } from "../../parts/blocks.tsx"
import { formatChange, formatCount, formatMoney, formatNumber, formatTime, listInWords } from "../../parts/format.tsx"
import { LineBadge } from "../../parts/line.tsx"
import { lineCell } from "../../parts/line-columns.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { homeOf, type MemberVisit, NotFound } from "../../visit.ts"

/** A total that a form reported, and the one before it. */
interface ReceiptRow {
  readonly line: StoredLine
  readonly total: DeliveryTotal
  readonly before: DeliveryTotal | null
}

interface FoundReceipt extends Receipt {
  readonly address: string
  readonly rows: readonly ReceiptRow[]
}

/** What the form in the path reported, as far as it still counts. */
async function findReceipt(visit: MemberVisit): Promise<FoundReceipt> {
  const { read, organization, params, timeZone } = visit
  const reference = params["receipt"] ?? ""
  const receipt = await receiptOf(read, organization.id, reference)
  if (receipt?.source.kind !== "form") throw new NotFound()
  const reports = receipt.reports.filter(({ withdrawnAt }) => withdrawnAt === null)
  const before = await totalsBefore(read, reports, timeZone)
  const sold = await linesSoldBy(read, organization.id, { withArchived: true })
  const reported = new Map(reports.map((report) => [report.lineId, report]))
  const rows = sold.flatMap((line) => {
    const total = reported.get(line.id)
    return total === undefined ? [] : [{ line, total, before: before.get(line.id) ?? null }]
  })
  return { ...receipt, address: `${homeOf(visit)}/totals/${reference}`, rows }
}

export async function receiptPage(visit: MemberVisit): Promise<Response> {
  const receipt = await findReceipt(visit)
  const { rows } = receipt
  const [first] = rows
  if (first === undefined) return withdrawnPage(visit)
  const { asOf } = first.total
  return page(visit, {
    title: "Report totals",
    trail: [{ href: `${homeOf(visit)}/totals`, label: "Report totals" }],
    intro: `Measured ${formatTime(asOf, visit)}`,
    hasTimes: true,
    body: (
      <>
        {doneBanner(visit, receipt)}
        <Card title="What changed" count={formatCount(rows.length, "line")} isFlush>
          <Table caption="The lines with a new total" columns={changeColumns(visit)} rows={rows} />
          <p class="card-foot">All other lines are unchanged. {moreLink(visit, receipt, asOf)}</p>
        </Card>
        <p class="hint">
          Doing this every day? With an{" "}
          {visit.role === "admin" ? <a href={`${homeOf(visit)}/keys`}>API key</a> : "API key"}, your ad server sends the
          totals by itself. <a href={`${homeOf(visit)}/upload`}>A file</a> takes all lines at once.
        </p>
      </>
    ),
  })
}

/** What happened, who sees it, and how to take it back. It counts the totals that apply. */
function doneBanner(visit: MemberVisit, { address, rows, source }: FoundReceipt) {
  const applied = rows.filter((row) => !isPast(row))
  const keptCount = rows.length - applied.length
  const buyers = [...new Set(applied.map(({ line }) => line.campaign.buyer))]
  const see = `${listInWords(buyers, 3)} ${buyers.length === 1 ? "sees" : "see"} ${applied.length === 1 ? "it" : "them"} now.`
  const mayWithdraw = visit.role === "admin" || source.actor === visit.actor
  const done = applied.every(isFlat)
    ? formatCount(applied.length, "line marked as delivered", "lines marked as delivered")
    : formatCount(applied.length, "total reported", "totals reported")
  const kept = formatCount(keptCount, "total kept in the history", "totals kept in the history")
  return (
    <Banner tone={applied.length === 0 ? "info" : "good"}>
      <h2>{applied.length === 0 ? kept : done}</h2>
      {applied.length > 0 && <p>{see}</p>}
      {keptCount > 0 && <p>{applied.length > 0 && `${kept}. `}A newer total applies.</p>}
      <div class="actions">
        <ButtonLink kind="primary" href={homeOf(visit)} label="Back to Today" />
        {mayWithdraw && <ButtonLink href={`${address}/withdraw`} label={withdrawLabel(rows.length)} isAsked />}
      </div>
    </Banner>
  )
}

/** Leads to the grid with the time that was typed, to add forgotten totals. */
function moreLink(visit: MemberVisit, { source }: FoundReceipt, asOf: number) {
  const totals = `${homeOf(visit)}/totals`
  // A field for the time has no seconds, so a correction would be older than what it corrects.
  if (asOf === source.receivedAt) return <a href={totals}>Report more totals</a>
  const { timeZone } = visit
  const when = new URLSearchParams({ day: dayOf(asOf, timeZone), time: timeOf(asOf, timeZone) })
  return <a href={`${totals}?${when}`}>Report more totals for this time</a>
}

/** Whether the line has another total now: one that was measured later, or a correction. */
const isPast = ({ line, total }: ReceiptRow) =>
  line.total?.asOf !== total.asOf || line.total.quantity !== total.quantity

const keptInWords = (row: ReceiptRow): string =>
  `${isFlat(row) ? "This report" : formatNumber(row.total.quantity)} is kept in the history. A newer total applies.`

const isFlat = ({ line }: ReceiptRow) => line.pricingBasis === "flat_rate"

const changeColumns = (visit: MemberVisit): Column<ReceiptRow>[] => [
  { title: "Line", cell: ({ line }) => lineCell(visit, line) },
  { title: "State", onPhone: "corner", cell: ({ line }) => <LineBadge line={line} /> },
  {
    title: "Before",
    isNumber: true,
    cell: (row) => {
      // The newer total may have been there before, and then nothing changed.
      if (isPast(row)) return <span class="soft">–</span>
      const none = isFlat(row) ? "Not delivered" : "None yet"
      return <span class="soft">{row.before === null ? none : formatNumber(row.before.quantity)}</span>
    },
  },
  {
    title: "Now",
    isNumber: true,
    cell: (row) => {
      const { quantity } = row.line.total ?? row.total
      return (
        <>
          <b>{isFlat(row) ? "Delivered" : formatNumber(quantity)}</b>
          <small>{isPast(row) ? keptInWords(row) : unitFor(quantity, row.line.pricingBasis.replace("_", " "))}</small>
        </>
      )
    },
  },
  {
    title: "Change",
    isNumber: true,
    cell: (row) => !isFlat(row) && !isPast(row) && formatChange(row.total.quantity - (row.before?.quantity ?? 0)),
  },
  { title: "Value so far", isNumber: true, cell: ({ line }) => valueInWords(line) },
]

function valueInWords(line: StoredLine) {
  const value = deliveredValue(line)
  return value === null || line.currency === null ? <span class="soft">–</span> : formatMoney(value, line.currency)
}

const withdrawLabel = (count: number) => (count === 1 ? "Withdraw it" : `Withdraw these ${formatNumber(count)}`)

/** Shown after all reports of a form were withdrawn. */
const withdrawnPage = (visit: MemberVisit): Response =>
  page(visit, {
    title: "These totals were withdrawn",
    intro: "Each line keeps its whole history.",
    isCard: true,
    body: (
      <div class="actions">
        <ButtonLink kind="primary" href={`${homeOf(visit)}/totals`} label="Report totals" />
      </div>
    ),
  })

export const withdrawReceiptForm = askFirst({
  find: findReceipt,
  ask: (_, { rows, address }) => ({
    title: `Withdraw ${formatCount(rows.length, "total")}?`,
    text: "The history keeps these totals as withdrawn, and each line’s total goes back to the latest remaining report.",
    submit: withdrawLabel(rows.length),
    cancel: address,
    reason: "Buyers don’t see this.",
  }),
  async act(visit, { source: { reference } }, reason) {
    const { context, actor, role, organization } = visit
    const by = { actor, isAdmin: role === "admin" }
    const withdrawn = await withdrawTogether(context, by, { sellerId: organization.id, reference, reason })
    const totals = `${homeOf(visit)}/totals`
    if (withdrawn === "not allowed") return goTo(visit, totals, "Only admins can withdraw other people’s totals.")
    if (withdrawn === "not found") return goTo(visit, totals, "Someone else has already withdrawn these totals.")
    const { reports } = withdrawn
    return goTo(visit, totals, `${formatCount(reports, "total is", "totals are")} withdrawn.`)
  },
})
