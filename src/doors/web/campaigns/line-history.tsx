import { withdrawReport } from "../../../actions/delivery/withdraw-report.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { type ReportStatus, reportStatusOf } from "../../../domain/delivery/delivery-result.ts"
import { mayWithdraw, readReportId, reportIdOf, type Withdrawal } from "../../../domain/delivery/withdrawal.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { dayOf, timeInWords } from "../../../domain/time/time-zone.ts"
import type { HistoryCursor, HistoryEntry } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type PageAnswer, withFound } from "../guards.ts"
import { Badge, ButtonLink, Card, CsvLink, type Tone } from "../parts/blocks.tsx"
import { formatChange } from "../parts/charts/total-chart.tsx"
import { formatNumber, Time } from "../parts/format.tsx"
import { BareTable, type Column, everyPart, Pager, timeColumn } from "../parts/table.tsx"
import { done, goTo, problem } from "../respond.tsx"
import { totalOf } from "../totals/entered.ts"
import { withdrawerOf, withdrawRoutes } from "../totals/withdraw-routes.tsx"
import { type OrganizationVisit, param } from "../visit.ts"
import { longCsv } from "../write-csv.ts"
import { findOwnLine, LINE, type LineVisit } from "./with-line.ts"

// On a phone each report is a card.
const PER_PAGE = 10
const PER_DOWNLOAD_PART = 200

const reportsFrom = ({ visit, line, viewer }: LineVisit, from: HistoryCursor | null, limit: number) =>
  visit.context.store.deliveryHistory.page(line.lineId, viewer, from, limit)

const CURSOR = /^(-?\d{1,16})_(-?\d{1,16})_(\d[\d.e+-]{0,30})_(\d{1,16})$/

function placeIn({ searchParams }: URL): HistoryCursor | null {
  const found = CURSOR.exec(searchParams.get("before") ?? "")
  const [asOf = 0, receivedAt = 0, quantity = 0, id = 0] = found?.slice(1).map(Number) ?? []
  return found === null ? null : { asOf, receivedAt, quantity, id }
}

const textOf = ({ asOf, receivedAt, quantity, id }: HistoryCursor) => `${asOf}_${receivedAt}_${quantity}_${id}`

/** Every report of a line, with what became of it. */
export async function historySection(place: LineVisit) {
  const { visit, line, href } = place
  const from = placeIn(visit.url)
  const { entries, next } = await reportsFrom(place, from, PER_PAGE)
  const isEmpty = entries.length === 0 && next === null
  return [
    <Card title="History" id="history" flush actions={!isEmpty && <CsvLink href={`${href}/history.csv`} />}>
      {isEmpty ? (
        <p class="card-foot">No reports yet.</p>
      ) : (
        <BareTable
          caption="Every report of this line, the last measured first"
          columns={columnsFor(place)}
          rows={entries}
          isCurrent={(entry) => reportStatusOf(entry, line.total) === "current"}
        />
      )}
    </Card>,
    <Pager
      previous={from === null ? null : `${href}#history`}
      previousLabel="Newest"
      next={next === null ? null : `${href}?before=${encodeURIComponent(textOf(next))}#history`}
    />,
  ]
}

type ShownReport = HistoryEntry & { readonly before: DeliveryTotal | null }

/** What came since the total before: +4,424. */
const changeText = ({ quantity, before }: ShownReport): string =>
  before === null ? "–" : formatChange(quantity - before.quantity)

// An older report needs no word: there is a newer one.
const STATUS: Readonly<Partial<Record<ReportStatus, readonly [Tone, string]>>> = {
  current: ["good", "Current"],
  corrected: ["off", "Corrected"],
  withdrawn: ["bad", "Withdrawn"],
}

function columnsFor(place: LineVisit): Column<ShownReport>[] {
  const { line } = place
  const isFlat = line.pricingBasis === "flat_rate"
  return [
    { title: "Total", cell: ({ quantity }) => (isFlat ? "Delivered" : formatNumber(quantity)), numeric: !isFlat },
    ...(isFlat ? [] : [{ title: "Change", value: changeText, numeric: true }]),
    timeColumn("Measured", ({ asOf }) => asOf),
    { title: "Received", narrow: "desk", cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    { title: "Source", value: sourceText },
    {
      title: "Status",
      narrow: "corner",
      cell: (entry) => {
        const status = STATUS[reportStatusOf(entry, line.total)]
        return [
          status && <Badge tone={status[0]}>{status[1]}</Badge>,
          entry.withdrawn !== null && (
            <div class="soft">
              <Time at={entry.withdrawn.at} /> {withdrawalText(entry.withdrawn)}
            </div>
          ),
        ]
      },
    },
    { title: "Actions", narrow: "actions", cell: (entry) => withdrawLink(place, entry) },
  ]
}

/** Who and why, where the viewer may know it. */
function withdrawalText({ actor, name, reason }: Withdrawal): string {
  if (actor === undefined) return ""
  const who = actor === "command" ? "on the command line" : `by ${name ?? "a former user"}`
  return `${who}: ${reason}`
}

function sourceText({ source: { kind, reference, detail, sender } }: Pick<HistoryEntry, "source">): string {
  // Some viewers may only know the kind of source.
  if (sender === undefined || kind === "command" || kind === "unknown") return KIND_LABELS[kind]
  if (kind === "key") return `API key “${sender ?? reference}”`
  return `${kind === "file" ? `File ${detail}` : "Form"}, ${sender ?? "a former user"}`
}

const KIND_LABELS = { key: "API", form: "Form", file: "File", command: "Command line", unknown: "Not known" } as const

export function historyCsv(place: LineVisit): Response {
  const { line } = place
  const header = ["package_id", "total", "as_of", "received_at", "source", "current", "day", "status", "withdrawn"]
  async function* parts() {
    const read = (from: HistoryCursor | null) => reportsFrom(place, from, PER_DOWNLOAD_PART)
    for await (const { entries } of everyPart("next", read)) {
      yield entries.map((entry) => [
        line.packageId,
        entry.quantity,
        formatMoment(entry.asOf),
        formatMoment(entry.receivedAt),
        sourceText(entry),
        reportStatusOf(entry, line.total) === "current" ? "yes" : "no",
        dayOf(entry.asOf, line.seller.timeZone),
        reportStatusOf(entry, line.total),
        entry.withdrawn && `${formatMoment(entry.withdrawn.at)} ${withdrawalText(entry.withdrawn)}`.trim(),
      ])
    }
  }
  return longCsv(`${line.packageId}-history.csv`, header, parts())
}

/** Only for a report that the visitor may withdraw; otherwise nothing. */
function withdrawLink({ line, visit, href }: LineVisit, entry: HistoryEntry) {
  const isSeller = line.seller.id === visit.organization.id
  if (!isSeller || entry.withdrawn !== null || !mayWithdraw(withdrawerOf(visit), entry.source)) return null
  const about = `Withdraw the report of ${formatNumber(entry.quantity)}`
  const address = `${href}/reports/${reportIdOf(entry)}/withdraw`
  return <ButtonLink small kind="quiet" href={address} label="Withdraw" about={about} />
}

type ReportVisit = LineVisit & { readonly report: HistoryEntry }

/** Answers with the report in the path, if the visitor may withdraw it. */
const withReport = (answer: (visit: OrganizationVisit, target: ReportVisit) => PageAnswer) =>
  withFound(findOwnLine, async (visit, place) => {
    const id = readReportId(param(visit, "report"))
    const report = id ? await visit.context.store.deliveryHistory.find(place.line.lineId, id) : null
    if (report === null || !mayWithdraw(withdrawerOf(visit), report.source)) return pageNotFound(visit)
    return report.withdrawn === null ? answer(visit, { ...place, report }) : alreadyWithdrawn(place)
  })

const alreadyWithdrawn = ({ visit, href }: LineVisit) =>
  goTo(visit, href, problem("Someone has already withdrawn this report."))

function withdrawQuestion({ zone }: OrganizationVisit, { line, href, report }: ReportVisit) {
  const total =
    line.pricingBasis === "flat_rate" ? "Delivered" : `${formatNumber(report.quantity)} ${line.pricingBasis}`
  const [measured, received] = [report.asOf, report.receivedAt].map((at) => timeInWords(at, zone))
  return {
    title: `Withdraw this report of ${line.name}?`,
    text: `${total}, measured ${measured}, received ${received} (${zone}). The history keeps it as withdrawn, and the line falls back on its other reports.`,
    submit: "Withdraw",
    cancel: `${href}#history`,
  }
}

function totalText({ line }: LineVisit, quantity: number | undefined): string {
  if (quantity === undefined) return "No reports are left."
  return line.pricingBasis === "flat_rate"
    ? "The line is still delivered."
    : `The current total is ${formatNumber(quantity)}.`
}

export const withdrawReportRoutes = withdrawRoutes(
  `${LINE}/reports/:report/withdraw`,
  withReport,
  withdrawQuestion,
  async (visit, place, by) => {
    const { line, report, href } = place
    const withdrawn = await withdrawReport(visit.context, visit.organization, line.packageId, report, by)
    if (withdrawn.outcome === "refused") return withdrawn
    if (withdrawn.outcome === "already withdrawn") return alreadyWithdrawn(place)
    if (withdrawn.outcome !== "done") return pageNotFound(visit)
    const text = `Withdrawn. ${totalText(place, withdrawn.total?.quantity)}`
    return goTo(visit, href, done(text, totalOf(line), "Report the right total"))
  },
)
