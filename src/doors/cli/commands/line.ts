import { stateOf, stateToShow } from "../../../domain/campaign/line-state.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { LineWithTotal } from "../../../storage/port/store.ts"
import { group, lists, onData } from "../command.ts"
import { type List, timeColumn } from "../output/table.ts"
import { organizationOf } from "../stored.ts"

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

/** Package lines, each with its state at this moment. */
export const linesAt = (now: Moment): List<LineWithTotal> => ({
  columns: [
    { title: "LINE ID", json: "package_id", value: ({ packageId }) => packageId },
    { title: "NAME", value: ({ name }) => name, shrinks: true },
    { title: "STATE", value: (line) => stateAt(line, now), text: (line) => stateAt(line, now).replaceAll("_", " ") },
    { title: "DELIVERED", value: delivered, text: (line) => inWords(delivered(line)), isFigure: true },
    { title: "BOOKED", value: ({ booked }) => booked, isFigure: true, optional: 1 },
    { title: "CAMPAIGN", value: ({ campaign }) => campaign, shrinks: true, optional: 2 },
    { title: "FLIGHT", text: ({ flightStart, flightEnd }) => `${flightStart} - ${flightEnd ?? "open"}`, optional: 3 },
    { title: "SELLER", value: ({ seller }) => seller, shrinks: true, optional: 4 },
    { title: "BASIS", json: "pricing_basis", value: ({ pricingBasis }) => pricingBasis, optional: 5 },
    timeColumn("AS OF", ({ total }) => total?.asOf ?? null, { optional: 6 }),
    { title: "EXTERNAL ID", value: ({ externalId }) => externalId, shrinks: true, optional: 7 },
  ],
  more: ({ flightStart, flightEnd }) => ({ flight_start: flightStart, flight_end: flightEnd }),
  empty: "No lines yet. Import some: adbooth import FILE.json",
})

const stateAt = (line: LineWithTotal, now: Moment) =>
  stateToShow(stateOf({ ...line, seller: line }, now), line.total !== null)

function delivered(line: LineWithTotal): number | boolean | null {
  if (line.pricingBasis === "flat_rate") return line.total !== null
  return line.total?.quantity ?? null
}

function inWords(value: number | boolean | null): string {
  if (value === null) return "-"
  return typeof value === "boolean" ? (value ? "yes" : "no") : value.toLocaleString("en")
}

export const lineCommand = group("line", "list lines", { below: [LIST] })
