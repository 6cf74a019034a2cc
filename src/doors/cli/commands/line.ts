import { withdrawReport } from "../../../actions/delivery/withdraw-report.ts"
import { stateOf } from "../../../domain/campaign/line-state.ts"
import { reportStatusOf } from "../../../domain/delivery/delivery-result.ts"
import { readReportId, reportIdOf } from "../../../domain/delivery/withdrawal.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { HistoryEntry, LineWithTotal, SoldLineWithTotal } from "../../../storage/port/store.ts"
import { UsageError, wholeNumber } from "../arguments.ts"
import { group, lists, onData, says } from "../command.ts"
import { type List, timeColumn } from "../output/table.ts"
import { findLine, organizationOf } from "../stored.ts"

const REPORTS_SHOWN = 25
const EXAMPLE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"

const LIST = onData("list", "list lines with what is booked, what is delivered and their state", {
  options: { "--org <SLUG>": "only lines that this organization sells" },
  examples: [
    ["line list --org acme-audio"],
    ["line list --json | jq '.[] | select(.state == \"behind\") | .package_id'", "lines that are behind"],
  ],
  async run({ store, clock, options: { org } }) {
    const seller = await organizationOf(store, org)
    const all = await store.packageLines.listWithTotals(seller?.id ?? null)
    return lists(all, linesAt(clock()), org === undefined ? undefined : `${org} sells no lines yet.`)
  },
})

/** Package lines as "line list" and "campaign show" list them. */
export const linesAt = (now: Moment): List<LineWithTotal> => ({
  columns: [
    { title: "NAME", value: ({ name }) => name, shrinks: true },
    { title: "STATE", value: (line) => stateAt(line, now), text: (line) => stateAt(line, now).replaceAll("_", " ") },
    { title: "DELIVERED", value: delivered, text: (line) => inWords(delivered(line)), isFigure: true },
    { title: "BOOKED", value: ({ booked }) => booked, isFigure: true },
    { title: "CAMPAIGN", value: ({ campaign }) => campaign, shrinks: true, optional: 1 },
    { title: "LINE ID", json: "package_id", value: ({ packageId }) => packageId, optional: 2 },
    { title: "FLIGHT", text: ({ flightStart, flightEnd }) => `${flightStart} - ${flightEnd ?? "open"}`, optional: 3 },
    { title: "SELLER", value: ({ seller }) => seller, shrinks: true, optional: 4 },
    { title: "BASIS", json: "pricing_basis", value: ({ pricingBasis }) => pricingBasis, optional: 5 },
    timeColumn("AS OF", ({ total }) => total?.asOf ?? null, { optional: 6 }),
    { title: "EXTERNAL ID", value: ({ externalId }) => externalId, shrinks: true, optional: 7 },
  ],
  more: ({ flightStart, flightEnd }) => ({ flight_start: flightStart, flight_end: flightEnd }),
  empty: "No lines yet. Import some: adbooth import FILE.json",
})

const stateAt = (line: LineWithTotal, now: Moment) => stateOf({ ...line, seller: line }, now)

function delivered(line: LineWithTotal): number | boolean | null {
  if (line.pricingBasis === "flat_rate") return line.total !== null
  return line.total?.quantity ?? null
}

function inWords(value: number | boolean | null): string {
  if (value === null) return "-"
  return typeof value === "boolean" ? (value ? "yes" : "no") : value.toLocaleString("en")
}

const HISTORY = onData("history <PACKAGE_ID>", "list the reports of a line, most recently received first", {
  examples: [[`line history ${EXAMPLE}`]],
  options: { "--limit <N>": ["how many to show", String(REPORTS_SHOWN)] },
  reads: ({ limit }) => wholeNumber("--limit", limit, 1, 10_000),
  async run({ store, read: limit }, packageId: string) {
    const line = await findLine(store, packageId)
    const { entries } = await store.deliveryHistory.page(line.lineId, "seller", null, limit)
    return lists(entries, historyOf(line))
  },
})

function historyOf({ total }: SoldLineWithTotal): List<HistoryEntry> {
  const statusOf = (entry: HistoryEntry) => reportStatusOf(entry, total)
  const colours = { current: "green", withdrawn: "dim" } as const
  return {
    columns: [
      { title: "REPORT ID", value: reportIdOf },
      { title: "TOTAL", json: "quantity", value: ({ quantity }) => quantity, isFigure: true },
      timeColumn("AS OF", ({ asOf }) => asOf),
      { title: "STATUS", value: statusOf, colour: (entry) => colours[statusOf(entry) as keyof typeof colours] },
      {
        title: "SOURCE",
        value: ({ source }) => source.kind,
        text: ({ source }) => source.sender ?? source.kind,
        shrinks: true,
        optional: 1,
      },
      timeColumn("RECEIVED", ({ receivedAt }) => receivedAt, { json: "received_at", optional: 2 }),
      { title: "REASON", text: ({ withdrawn }) => withdrawn?.reason ?? "", shrinks: true, optional: 3 },
    ],
    more: ({ source, withdrawn }) => ({
      sender: source.sender ?? null,
      withdrawn: withdrawn && { at: formatMoment(withdrawn.at), by: withdrawn.actor, reason: withdrawn.reason },
    }),
    empty: "No reports of this line yet.",
  }
}

const ABOUT_WITHDRAW = "withdraw a report: it stays in the history, and no longer counts"
const WITHDRAW = onData("withdraw <PACKAGE_ID> <REPORT_ID>", ABOUT_WITHDRAW, {
  examples: [[`line withdraw ${EXAMPLE} REPORT_ID --reason "counted twice"`]],
  needs: { "--reason <TEXT>": "why, for the history" },
  asks: (_, _line, reportId) => `Withdraw the report ${reportId}?`,
  async run({ options: { reason }, ...on }, typed: string, reportId: string) {
    const report = readReportId(reportId)
    const { seller, packageId } = await findLine(on.store, typed)
    const by = { userId: null, isAdmin: true, actor: "command", reason }
    const withdrawn = report
      ? await withdrawReport(on, seller, packageId, report, by)
      : ({ outcome: "not found" } as const)
    if (withdrawn.outcome === "refused") throw new UsageError(`--reason: ${withdrawn.errors.reason}`)
    if (withdrawn.outcome === "already withdrawn") throw new UserError("This report has already been withdrawn.")
    if (withdrawn.outcome !== "done")
      throw new UserError(`The line has no report "${reportId}". "adbooth line history ${typed}" shows them.`)
    const { total } = withdrawn
    const after =
      total === null ? "No reports are left." : `The current total is ${total.quantity.toLocaleString("en")}.`
    const left = { delivered: total?.quantity ?? null, as_of: total && formatMoment(total.asOf) }
    return says({ package_id: packageId, report_id: reportId, ...left }, `Withdrawn. ${after}`)
  },
})

export const lineCommand = group("line", "list lines and the reports of one, withdraw a wrong report", {
  summary: "list lines and their reports, withdraw a report",
  below: [LIST, HISTORY, WITHDRAW],
})
