import type { Command } from "commander"
import { isDelivered, stateOf } from "../../domain/campaign/line-state.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { linesSoldBy } from "../../storage/campaigns/lines.ts"
import type { ReadTx } from "../../storage/database.ts"
import { allOrganizations } from "../../storage/organizations.ts"
import { examples, onData, organizationId, type Program, withData } from "../context.ts"
import { type Column, printList, timeColumn } from "../print.ts"

type ListedLine = Awaited<ReturnType<typeof listedLines>>[number]

interface ListOptions {
  readonly org?: string
  readonly json?: true
}

/** Adds `adbooth line list`. */
export function registerLine(root: Command, program: Program): void {
  const line = root.command("line").description("list lines")
  onData(line.command("list"))
    .description("list lines with their booked and delivered quantities")
    .option("--org <slug>", "list only lines that this organization sells")
    .addHelpText("after", examples("line list --org acme-audio", "line list --json"))
    .action(async (options: ListOptions) => {
      const { lines, now } = await withData(program, { ...options }, async (context) => {
        const sellerId = await organizationId(context, options.org)
        return { lines: await listedLines(context.database.read, sellerId), now: context.clock() }
      })
      const empty = options.org === undefined ? NO_LINES : `${options.org} sells no lines yet.`
      await printList(lines, columnsAt(now), { json: options.json, empty })
    })
}

/** The lines of one seller or of all, with the slugs of campaign and seller. Archived ones are left out. */
async function listedLines(read: ReadTx, sellerId: number | null) {
  const sellers = (await allOrganizations(read)).filter(({ id }) => sellerId === null || sellerId === id)
  const lists = sellers.map(async ({ id, slug }) => {
    const lines = await linesSoldBy(read, id)
    return lines.map((line) => ({ ...line, campaign: line.campaign.slug, seller: slug }))
  })
  return (await Promise.all(lists)).flat()
}

const NO_LINES = "No lines yet. Import some: adbooth import FILE.json"

const columnsAt = (now: Moment): readonly Column<ListedLine>[] => [
  { title: "PACKAGE ID", value: "packageId" },
  { title: "NAME", value: "name", isCut: true },
  { title: "DELIVERED", value: delivered, text: deliveredInWords },
  { title: "BOOKED", value: "booked", isOptional: true },
  {
    title: "STATE",
    value: (line) => stateOf(line, now),
    text: (line) => stateOf(line, now).replaceAll("_", " "),
    isOptional: true,
  },
  { title: "CAMPAIGN", value: "campaign", isOptional: true },
  { title: "SELLER", value: "seller", isOptional: true },
  { title: "FLIGHT START", value: "flightStart", isOptional: true },
  { title: "FLIGHT END", value: "flightEnd", isOptional: true },
  { title: "PRICING BASIS", value: "pricingBasis", isOptional: true },
  { ...timeColumn("AS OF", ({ total }: ListedLine) => total?.asOf ?? null), isOptional: true },
  { title: "EXTERNAL ID", value: "externalId", isOptional: true },
]

/** The current total. For a flat rate, whether the line was delivered. */
function delivered(line: ListedLine): number | boolean | null {
  return line.pricingBasis === "flat_rate" ? isDelivered(line) : (line.total?.quantity ?? null)
}

function deliveredInWords(line: ListedLine): string {
  const value = delivered(line)
  if (typeof value === "boolean") return value ? "yes" : "no"
  return value === null ? "-" : value.toLocaleString("en")
}
