import type { Command } from "commander"
import { formatMoment } from "../../../domain/time/moment.ts"
import type { LineWithTotal } from "../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { print, table } from "../io.ts"
import { findOrganization } from "../organization.ts"

export function linesCommand(program: Command, context: CliContext): void {
  withData(program.command("lines"))
    .description("list package lines with what is booked and delivered")
    .option("--org <SLUG>", "only lines that this organization sells")
    .action(async (options: CommonOptions & { org?: string }) => {
      const lines = await onStore(context, options, async ({ store }) => {
        const seller = options.org === undefined ? null : await findOrganization(store, options.org)
        return store.packageLines.listWithTotals(seller?.id ?? null)
      })
      print(context.io, options, lines.map(asJson), asText(lines))
    })
}

function delivered(line: LineWithTotal): number | boolean | null {
  if (line.pricingBasis === "flat_rate") return line.total !== null
  return line.total?.quantity ?? null
}

function asJson(line: LineWithTotal): unknown {
  return {
    package_id: line.packageId,
    campaign: line.campaign,
    seller: line.seller,
    name: line.name,
    pricing_basis: line.pricingBasis,
    flight_start: line.flightStart,
    flight_end: line.flightEnd,
    booked: line.booked,
    delivered: delivered(line),
    as_of: line.total === null ? null : formatMoment(line.total.asOf),
    external_id: line.externalId,
  }
}

function asText(lines: readonly LineWithTotal[]): string {
  const header = [
    "PACKAGE ID",
    "CAMPAIGN",
    "SELLER",
    "NAME",
    "BASIS",
    "FLIGHT",
    "BOOKED",
    "DELIVERED",
    "AS OF",
    "EXTERNAL ID",
  ]
  return table(
    header,
    lines.map((line) => [
      line.packageId,
      line.campaign,
      line.seller,
      line.name,
      line.pricingBasis,
      `${line.flightStart} - ${line.flightEnd ?? "open"}`,
      line.booked?.toLocaleString("en") ?? "-",
      inWords(delivered(line)),
      line.total === null ? "-" : formatMoment(line.total.asOf),
      line.externalId ?? "-",
    ]),
    'No package lines yet. Import some: "adbooth import FILE.json".',
  )
}

function inWords(value: number | boolean | null): string {
  if (value === null) return "-"
  return typeof value === "boolean" ? (value ? "yes" : "no") : value.toLocaleString("en")
}
