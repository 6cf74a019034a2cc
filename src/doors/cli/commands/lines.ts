import type { Command } from "commander"
import { stateOf } from "../../../domain/campaign/line-state.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import type { LineWithTotal } from "../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { explained } from "../help.ts"
import { stamp } from "../keys.ts"
import { type List, printList } from "../output/table.ts"
import { findOrganization } from "../stored.ts"

export function addList(line: Command, context: CliContext): void {
  const lines = withData(line.command("list"))
    .description("list package lines: what is booked, what is delivered, how they stand")
    .option("--org <SLUG>", "only lines that this organization sells")
    .action(async (options: CommonOptions & { org?: string }) => {
      const found = await onStore(context, options, async ({ store }) => {
        const seller = options.org === undefined ? null : await findOrganization(store, options.org)
        return store.packageLines.listWithTotals(seller?.id ?? null)
      })
      const list = linesAt(context.clock())
      const empty = options.org === undefined ? list.empty : `${options.org} sells no lines yet.`
      printList(context.io, options, found, { ...list, empty })
    })
  explained(lines, {
    examples: [
      ["line list --org acme-audio"],
      ["line list --json | jq '.[] | select(.state == \"behind\") | .package_id'", "lines that are behind"],
    ],
  })
}

/** Package lines as "lines" and "campaign show" list them. */
export const linesAt = (now: Moment): List<LineWithTotal> => ({
  columns: [
    { title: "NAME", text: ({ name }) => name, shrinks: true },
    { title: "STATE", text: (line) => stateAt(line, now).replaceAll("_", " ") },
    { title: "DELIVERED", text: (line) => inWords(delivered(line)), isFigure: true },
    { title: "BOOKED", text: ({ booked }) => booked?.toLocaleString("en") ?? "-", isFigure: true },
    { title: "CAMPAIGN", text: ({ campaign }) => campaign, shrinks: true, optional: 1 },
    { title: "PACKAGE ID", text: ({ packageId }) => packageId, optional: 2 },
    { title: "FLIGHT", text: flightOf, optional: 3 },
    { title: "SELLER", text: ({ seller }) => seller, shrinks: true, optional: 4 },
    { title: "BASIS", text: ({ pricingBasis }) => pricingBasis, optional: 5 },
    { title: "AS OF", text: ({ total }) => (total === null ? "-" : stamp(total.asOf)), optional: 6 },
    { title: "EXTERNAL ID", text: ({ externalId }) => externalId ?? "-", shrinks: true, optional: 7 },
  ],
  asJson: (line) => ({
    package_id: line.packageId,
    campaign: line.campaign,
    seller: line.seller,
    name: line.name,
    pricing_basis: line.pricingBasis,
    flight_start: line.flightStart,
    flight_end: line.flightEnd,
    booked: line.booked,
    delivered: delivered(line),
    state: stateAt(line, now),
    as_of: line.total === null ? null : formatMoment(line.total.asOf),
    external_id: line.externalId,
  }),
  empty: "No package lines yet. Import some: adbooth import FILE.json",
})

const stateAt = (line: LineWithTotal, now: Moment) => stateOf({ ...line, seller: line }, now)

export function flightOf({ flightStart, flightEnd }: Pick<LineWithTotal, "flightStart" | "flightEnd">): string {
  return `${flightStart} - ${flightEnd ?? "open"}`
}

function delivered(line: LineWithTotal): number | boolean | null {
  if (line.pricingBasis === "flat_rate") return line.total !== null
  return line.total?.quantity ?? null
}

function inWords(value: number | boolean | null): string {
  if (value === null) return "-"
  return typeof value === "boolean" ? (value ? "yes" : "no") : value.toLocaleString("en")
}
