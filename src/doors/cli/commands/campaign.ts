import { withdrawReport } from "../../../actions/delivery/withdraw-report.ts"
import { stateOf } from "../../../domain/campaign/line-state.ts"
import { reportStatusOf } from "../../../domain/delivery/delivery-result.ts"
import { readReportId, reportIdOf } from "../../../domain/delivery/withdrawal.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type {
  HistoryEntry,
  LineWithTotal,
  ListedCampaign,
  SoldLineWithTotal,
  StoreReads,
} from "../../../storage/port/store.ts"
import { UsageError, wholeNumber } from "../arguments.ts"
import { type Answer, group, lists, onData, says } from "../command.ts"
import { asJson, flagColumn, type List, printDetails, printTable, timeColumn } from "../output/table.ts"
import { findLine, organizationOf, unknown } from "../stored.ts"

const LIST_CAMPAIGNS = onData("list", "list campaigns with their buyers and sellers", {
  examples: [["campaign list --org acme-audio"]],
  options: {
    "--org <SLUG>": "only campaigns that this organization buys or sells lines of",
    "--archived": "list archived campaigns instead",
  },
  async run({ store, options }) {
    const isFiltered = options.org !== undefined || options.archived === true
    return lists(await campaignsOf(store, options), CAMPAIGNS, isFiltered ? "No campaigns match." : undefined)
  },
})

const SHOW_CAMPAIGN = onData("show <SLUG>", "show one campaign with its lines", {
  examples: [["campaign show autumn"]],
  async run({ store, clock }, slug: string) {
    const all = [...(await campaignsOf(store, {})), ...(await campaignsOf(store, { archived: true }))]
    const campaign = all.find((campaign) => campaign.slug === slug)
    if (campaign === undefined) throw unknown(`campaign "${slug}"`, "campaign")
    return describesCampaign(campaign, linesAt(clock()))
  },
})

interface Campaign extends Pick<ListedCampaign, "slug" | "name" | "buyer" | "archived"> {
  readonly lines: readonly LineWithTotal[]
}

const sellersOf = ({ lines }: Campaign) => [...new Set(lines.map(({ seller }) => seller))].sort()

const CAMPAIGNS: List<Campaign> = {
  columns: [
    { title: "SLUG", value: ({ slug }) => slug },
    { title: "NAME", value: ({ name }) => name, shrinks: true },
    { title: "BUYER", value: ({ buyer }) => buyer.slug, shrinks: true },
    { title: "SELLERS", value: sellersOf, shrinks: true, optional: 1 },
    { title: "LINES", value: ({ lines }) => lines.length, isFigure: true },
    { title: "FLIGHT", text: (campaign) => flightOf(campaign) ?? "-", optional: 2 },
    flagColumn("ARCHIVED", ({ archived }) => archived, ["yes", "-"], { optional: 3 }),
  ],
  empty: "No campaigns yet. Import some: adbooth import FILE.json",
}

/** From the first day of any line to the last. */
function flightOf({ lines }: Campaign): string | null {
  const [start] = lines.map(({ flightStart }) => flightStart).sort()
  if (start === undefined) return null
  const isEndless = lines.some(({ flightEnd }) => flightEnd === null)
  const ends = lines.map(({ flightEnd }) => flightEnd ?? "").sort()
  return `${start} - ${isEndless ? "open" : ends.at(-1)}`
}

/** By name of the campaign. Every campaign has one buyer, so the lists of all buyers have each of them once. */
async function campaignsOf(
  store: StoreReads,
  { org, archived = false }: { readonly org?: string; readonly archived?: boolean },
): Promise<Campaign[]> {
  const chosen = await organizationOf(store, org)
  const askers = chosen === null ? await store.organizations.list() : [chosen]
  const linesOf = Map.groupBy(await store.packageLines.listWithTotals(null), (line) => line.campaign)
  const campaigns: Campaign[] = []
  for (const { id } of askers) {
    const seen = await store.campaigns.list(id, archived)
    const listed = chosen !== null ? seen : seen.filter(({ buyer }) => buyer.id === id)
    campaigns.push(...listed.map((campaign) => ({ ...campaign, lines: linesOf.get(campaign.slug) ?? [] })))
  }
  return campaigns.toSorted((a, b) => a.slug.localeCompare(b.slug, "en"))
}

function describesCampaign(campaign: Campaign, list: List<LineWithTotal>): Answer {
  const { slug, name, buyer, lines, archived } = campaign
  return (io, options) => {
    const json = { ...asJson(CAMPAIGNS, campaign), lines: lines.map((line) => asJson(list, line)) }
    printDetails(io, options, json, [
      ["Slug", slug],
      ["Name", name],
      ["Buyer", `${buyer.name} (${buyer.slug})`],
      ["Sellers", sellersOf(campaign).join(", ") || "-"],
      ["Flight", flightOf(campaign)],
      ["Archived", archived ? "yes" : null],
    ])
    if (options.json || lines.length === 0) return
    io.out("\n")
    const columns = list.columns.filter(({ title }) => title !== "CAMPAIGN")
    printTable(io, lines, columns)
  }
}

export const campaignCommand = group("campaign", "show campaigns with their lines", {
  notes: ["Campaigns are added, changed and archived with adbooth import, or in the app."],
  below: [LIST_CAMPAIGNS, SHOW_CAMPAIGN],
})

const REPORTS_SHOWN = 25
const EXAMPLE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"

const LIST_LINES = onData("list", "list lines with what is booked, what is delivered and their state", {
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
  below: [LIST_LINES, HISTORY, WITHDRAW],
})
