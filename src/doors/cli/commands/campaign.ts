import { withdrawReport } from "../../../actions/delivery/withdraw-report.ts"
import { stateOf } from "../../../domain/campaign/line-state.ts"
import { readReportId } from "../../../domain/delivery/withdrawal.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { LineWithTotal, ListedCampaign, StoreReads } from "../../../storage/port/store.ts"
import { UsageError } from "../arguments.ts"
import { type Answer, group, lists, onData, says } from "../command.ts"
import { asJson, flagColumn, type List, printDetails, printTable, timeColumn } from "../output/table.ts"
import { findLine, organizationOf, unknown } from "../stored.ts"

const LIST_CAMPAIGNS = onData("list", "list campaigns with their buyers and sellers, archived ones too", {
  examples: [["campaign list"]],
  run: async ({ store }) => lists(await campaignsOf(store), CAMPAIGNS),
})

const SHOW_CAMPAIGN = onData("show <SLUG>", "show one campaign with its lines", {
  examples: [["campaign show autumn"]],
  async run({ store, clock }, slug: string) {
    const campaign = (await campaignsOf(store)).find((campaign) => campaign.slug === slug)
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
async function campaignsOf({ organizations, campaigns, packageLines }: StoreReads): Promise<Campaign[]> {
  const linesOf = Map.groupBy(await packageLines.listWithTotals(null), (line) => line.campaign)
  const all: Campaign[] = []
  for (const { id } of await organizations.list()) {
    const seen = [...(await campaigns.list(id, false)), ...(await campaigns.list(id, true))]
    const bought = seen.filter(({ buyer }) => buyer.id === id)
    all.push(...bought.map((campaign) => ({ ...campaign, lines: linesOf.get(campaign.slug) ?? [] })))
  }
  return all.toSorted((a, b) => a.slug.localeCompare(b.slug, "en"))
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

const ABOUT_WITHDRAW = "withdraw a report, as doctor advises: it stays in the history, and no longer counts"
const WITHDRAW = onData("withdraw <PACKAGE_ID> <REPORT_ID>", ABOUT_WITHDRAW, {
  examples: [[`line withdraw ${EXAMPLE} REPORT_ID --reason "counted twice"`]],
  needs: { "--reason <TEXT>": "why, for the history" },
  asks: (_, _line, reportId) => `Withdraw the report ${reportId}?`,
  async run({ options: { reason }, ...on }, typed: string, reportId: string) {
    const { seller, packageId } = await findLine(on.store, typed)
    const by = { userId: null, isAdmin: true, actor: "command", reason }
    const report = readReportId(reportId)
    const withdrawn = report && (await withdrawReport(on, seller, packageId, report, by))
    if (withdrawn?.outcome === "refused") throw new UsageError(`--reason: ${withdrawn.errors.reason}`)
    if (withdrawn?.outcome === "already withdrawn") throw new UserError("This report has already been withdrawn.")
    if (withdrawn?.outcome !== "done") throw new UserError(`The line has no report "${reportId}".`)
    const { total } = withdrawn
    const after =
      total === null ? "No reports are left." : `The current total is ${total.quantity.toLocaleString("en")}.`
    const left = { delivered: total?.quantity ?? null, as_of: total && formatMoment(total.asOf) }
    return says({ package_id: packageId, report_id: reportId, ...left }, `Withdrawn. ${after}`)
  },
})

export const lineCommand = group("line", "list lines, withdraw a wrong report", { below: [LIST_LINES, WITHDRAW] })
