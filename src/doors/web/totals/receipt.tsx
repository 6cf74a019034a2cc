import type { TotalsOutcome } from "../../../actions/delivery/report-total.ts"
import { withdrawReceived } from "../../../actions/delivery/withdraw-report.ts"
import { mayWithdraw, readReceiptId, receiptIdOf } from "../../../domain/delivery/withdrawal.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import { timeInWords } from "../../../domain/time/time-zone.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { forMember, type PageAnswer, withFound } from "../guards.ts"
import { homeOf } from "../home/page.tsx"
import { Banner, ButtonLink, Card, Empty, Submit } from "../parts/blocks.tsx"
import { formatCount, formatNumber, listInWords } from "../parts/format.tsx"
import { campaignAndBuyer } from "../parts/line.tsx"
import { BareTable, offsetOf, Pages, ROWS_PER_PAGE } from "../parts/table.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import { type OrganizationVisit, param } from "../visit.ts"
import { nameOf, type TypedByLine, totalsOf } from "./entered.ts"
import { changeColumns, changeTotals, grownBy, isLate, KEPT_IN_HISTORY, totalText } from "./what-changed.tsx"
import { withdrawerOf, withdrawRoutes } from "./withdraw-routes.tsx"

// An address has only so much room.
const LEFT_OUT_NAMED = 20

/**
 * Where the receipt is; with it goes what was left out, so that nothing typed is lost. Null where everything was in the history already,
 * as after a second click.
 */
export async function receiptPath(
  visit: OrganizationVisit,
  lines: readonly FlyingLine[],
  outcome: TotalsOutcome & { readonly isSaved: true },
  typed: TypedByLine,
): Promise<string | null> {
  const saved = outcome.outcomes.flatMap((entry) => (entry.outcome === "saved" ? [entry.total.asOf] : []))
  const left = lines.filter((_, i) => outcome.outcomes[i]?.outcome !== "saved")
  const query = new URLSearchParams(
    left.slice(0, LEFT_OUT_NAMED).map(({ packageId }) => ["left", `${packageId} ${typed.get(packageId)?.total ?? ""}`]),
  )
  if (left.length > LEFT_OUT_NAMED) query.set("more", String(left.length - LEFT_OUT_NAMED))
  const form = { asOf: saved[0] ?? 0, receivedAt: outcome.receivedAt, userId: visit.person.userId }
  const reports = await visit.context.store.deliveryHistory.received(visit.organization.id, form)
  if (reports.length === 0) return null
  const path = `${totalsOf(visit)}/${receiptIdOf(form)}`
  return query.size === 0 ? path : `${path}?${query}`
}

type Receipt = NonNullable<Awaited<ReturnType<typeof findReceipt>>>

/** What one form reported, as far as it still counts. */
async function findReceipt(visit: OrganizationVisit) {
  const { campaigns, deliveryHistory } = visit.context.store
  const form = readReceiptId(param(visit, "receipt"))
  if (form === undefined) return null
  const reports = await deliveryHistory.received(visit.organization.id, form)
  const ids = reports.map(({ lineId }) => lineId)
  const lines = await campaigns.flyingLines(visit.organization.id, ids)
  const byId = new Map(lines.map((line) => [line.lineId, line]))
  const befores = await deliveryHistory.lastBefore(ids, form, visit.organization.timeZone)
  const rows = reports.flatMap((report) => {
    const { lineId: id } = report
    const line = byId.get(id)
    if (line === undefined) return []
    const before = befores.get(id) ?? null
    const { name, campaign } = line
    return [{ id, name, note: campaignAndBuyer(line), line, before, total: report, report, campaign: campaign.name }]
  })
  if (rows.length === 0) return null
  rows.sort((a, b) => compareNames(a.campaign, b.campaign) || compareNames(a.name, b.name))
  return { form, path: `${totalsOf(visit)}/${receiptIdOf(form)}`, rows }
}

/** The same for what was withdrawn and for what never was. */
const nothingLeft = (visit: OrganizationVisit) =>
  headedPage(visit, {
    title: "Report totals",
    status: 404,
    body: (
      <Empty
        title="These totals are no longer here"
        text="They may have been withdrawn. Each line keeps its whole history."
      >
        <ButtonLink href={totalsOf(visit)} label="Report totals" />
      </Empty>
    ),
  })

async function receiptPage(visit: OrganizationVisit, receipt: Receipt): Promise<Response> {
  const { rows, form, path } = receipt
  const { timeZone } = visit.organization
  const isFlat = rows.every(({ line }) => line.pricingBasis === "flat_rate")
  const title = isFlat
    ? formatCount(rows.length, "line marked as delivered", "lines marked as delivered")
    : formatCount(rows.length, "total reported", "totals reported")
  const offset = offsetOf(visit.url)
  const grown = grownBy(rows)
  const buyers = [...new Set(rows.map(({ line }) => line.campaign.buyer.name))]
  return headedPage(visit, {
    title,
    heading: isFlat ? "Mark as delivered" : "Report totals",
    trail: [{ href: totalsOf(visit), label: "Delivery" }],
    intro: `Measured on ${timeInWords(form.asOf, timeZone)}`,
    body: [
      <Banner tone="good" live>
        <h2>{title}</h2>
        <p>
          {rows.every(isLate)
            ? KEPT_IN_HISTORY
            : `${listInWords(buyers, 3)} ${buyers.length === 1 ? "sees" : "see"} ${rows.length === 1 ? "it" : "them"} now, with an account or a share link.`}
          {grown !== "" && ` Value delivered rose by ${grown}.`}
        </p>
        <div class="actions">
          <ButtonLink kind="primary" href={homeOf(visit)} label="Back to Today" />
          {rows.every(({ report }) => mayWithdraw(withdrawerOf(visit), report.source)) && (
            <ButtonLink href={`${path}/withdraw`} label={withdrawLabel(rows.length)} />
          )}
        </div>
      </Banner>,
      await leftOut(visit),
      <Card flush title="What changed" count={formatCount(rows.length, "line")}>
        <BareTable
          caption="The lines with a new total"
          columns={changeColumns(visit)}
          rows={rows.slice(offset, offset + ROWS_PER_PAGE)}
          totals={changeTotals(rows)}
        />
        <p class="card-foot">
          All other lines are unchanged. <a href={totalsOf(visit)}>Report more totals</a>
        </p>
      </Card>,
      <Pages url={visit.url} perPage={ROWS_PER_PAGE} count={rows.length} what="lines" />,
      <p class="hint">
        Doing this every day? With an{" "}
        {visit.role === "admin" ? <a href={`${homeOf(visit)}/keys`}>API key</a> : "API key"} your ad server sends the
        totals, and <a href={`${homeOf(visit)}/upload`}>a file</a> takes all lines at once.
      </p>,
    ],
  })
}

const withdrawLabel = (count: number) => (count === 1 ? "Withdraw it" : `Withdraw these ${formatNumber(count)}`)

/** What was left out, with what was typed still in its field. */
async function leftOut(visit: OrganizationVisit) {
  const more = offsetOf(visit.url, "more")
  const named = visit.url.searchParams.getAll("left").slice(0, LEFT_OUT_NAMED)
  const left = named.map((text) => text.split(" "))
  const ids = left.map(([packageId = ""]) => packageId)
  const sold = await visit.context.store.packageLines.findSold(visit.organization.id, ids)
  const lines = sold.flatMap((line, i) => (line ? [{ line, typed: left[i]?.slice(1).join(" ") ?? "" }] : []))
  if (lines.length === 0) return null
  return (
    <Banner tone="warn">
      <h2>{formatCount(lines.length + more, "total was left out", "totals were left out")}</h2>
      <p>Unusual totals are reported only after you confirm them.</p>
      {lines.map(({ line, typed }) => (
        <form class="actions" method="post" action={totalsOf(visit)}>
          <label for={nameOf.total(line.packageId)}>
            <b>{line.name}</b>, {line.total === null ? "no total yet" : `still ${totalText(line.total)}`}
          </label>
          <input
            id={nameOf.total(line.packageId)}
            class="auto"
            name={nameOf.total(line.packageId)}
            inputmode="decimal"
            autocomplete="off"
            value={typed}
          />
          <Submit label="Report it" />
        </form>
      ))}
      {more > 0 && <p>And {formatCount(more, "more line")}.</p>}
    </Banner>
  )
}

const withdrawQuestion = (_: OrganizationVisit, { rows, path }: Receipt) => ({
  title: `Withdraw ${formatCount(rows.length, "total")}?`,
  text: "Each line falls back on its other reports. The history keeps these totals as withdrawn.",
  submit: withdrawLabel(rows.length),
  cancel: path,
})

const withReceipt = (show: (visit: OrganizationVisit, receipt: Receipt) => PageAnswer) =>
  withFound(findReceipt, show, nothingLeft)

const RECEIPT = "/app/o/:org/totals/:receipt"

export const receiptRoutes = [
  forMember("GET", RECEIPT, withReceipt(receiptPage)),
  ...withdrawRoutes(`${RECEIPT}/withdraw`, withReceipt, withdrawQuestion, async (visit, { rows, form }, by) => {
    const [first] = rows
    if (first === undefined) return nothingLeft(visit)
    const lineIds = rows.map(({ line }) => line.lineId)
    const { asOf, receivedAt } = form
    const { source } = first.report
    const together = { receivedAt, source, lineIds, moments: [asOf], subject: receiptIdOf(form) }
    const withdrawn = await withdrawReceived(visit.context, visit.organization, together, by)
    if (withdrawn.outcome === "refused") return withdrawn
    if (withdrawn.outcome !== "done") return nothingLeft(visit)
    const text = `${formatCount(withdrawn.reports, "total was", "totals were")} withdrawn.`
    return goTo(visit, totalsOf(visit), done(text, homeOf(visit), "Back to Today"))
  }),
]
