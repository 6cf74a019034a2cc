import type { Command } from "commander"
import { UserError } from "../../../../domain/user-error.ts"
import type { LineWithTotal, ListedCampaign, StoreReads } from "../../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../../context.ts"
import { printJson } from "../../io.ts"
import { linesAt } from "../../line-list.ts"
import { findOrganization } from "../../organization.ts"
import { type List, printDetails, printList, printTable } from "../../output/print-list.ts"

const CAMPAIGNS_AT_ONCE = 1_000

interface Campaign extends Pick<ListedCampaign, "slug" | "name" | "buyer" | "archived"> {
  readonly lines: readonly LineWithTotal[]
}

const CAMPAIGNS: List<Campaign> = {
  columns: [
    { title: "SLUG", text: ({ slug }) => slug },
    { title: "NAME", text: ({ name }) => name, shrinks: true },
    { title: "BUYER", text: ({ buyer }) => buyer.slug, shrinks: true },
    { title: "SELLERS", text: (campaign) => sellersOf(campaign).join(", ") || "-", shrinks: true, optional: 1 },
    { title: "LINES", text: ({ lines }) => String(lines.length), isFigure: true },
    { title: "FLIGHT", text: (campaign) => flightOf(campaign) ?? "-", optional: 2 },
    { title: "ARCHIVED", text: ({ archived }) => (archived ? "yes" : "-"), optional: 3 },
  ],
  asJson: (campaign) => ({ ...headJson(campaign), lines: campaign.lines.length }),
  empty: "No campaigns yet. Import some: adbooth import FILE.json",
}

function headJson(campaign: Campaign) {
  const { slug, name, buyer, archived } = campaign
  return { slug, name, buyer: buyer.slug, sellers: sellersOf(campaign), archived }
}

const sellersOf = ({ lines }: Campaign) => [...new Set(lines.map(({ seller }) => seller))].sort()

/** From the first day of any line to the last. */
function flightOf({ lines }: Campaign): string | null {
  const [start] = lines.map(({ flightStart }) => flightStart).sort()
  if (start === undefined) return null
  const isOpen = lines.some(({ flightEnd }) => flightEnd === null)
  const end = lines
    .map(({ flightEnd }) => flightEnd ?? "")
    .sort()
    .at(-1)
  return `${start} - ${isOpen ? "open" : end}`
}

export function addList(campaign: Command, context: CliContext): void {
  withData(campaign.command("list"))
    .description("list campaigns with their buyers and sellers")
    .option("--org <SLUG>", "only campaigns that this organization buys or sells lines of")
    .option("--archived", "list archived campaigns instead")
    .action(async (options: CommonOptions & { org?: string; archived?: boolean }) => {
      const found = await onStore(context, options, ({ store }) => campaignsOf(store, options))
      const isFiltered = options.org !== undefined || options.archived === true
      const empty = isFiltered ? "No campaigns match." : CAMPAIGNS.empty
      printList(context.io, options, found, { ...CAMPAIGNS, empty })
    })
}

/** By name of the campaign. Every campaign has one buyer, so the lists of all buyers have each of them once. */
async function campaignsOf(
  store: StoreReads,
  { org, archived = false }: { readonly org?: string; readonly archived?: boolean },
): Promise<Campaign[]> {
  const chosen = org === undefined ? null : await findOrganization(store, org)
  const askers = chosen === null ? await store.organizations.list() : [chosen]
  const linesOf = Map.groupBy(await store.packageLines.listWithTotals(null), (line) => line.campaign)
  const found: Campaign[] = []
  for (const { id } of askers) {
    let last: ListedCampaign | undefined
    do {
      const part = await store.campaigns.listAfter(id, last ?? null, CAMPAIGNS_AT_ONCE, archived)
      for (const one of part)
        if (chosen !== null || one.buyer.id === id) found.push({ ...one, lines: linesOf.get(one.slug) ?? [] })
      last = part.length === CAMPAIGNS_AT_ONCE ? part.at(-1) : undefined
    } while (last !== undefined)
  }
  return found.toSorted((a, b) => a.slug.localeCompare(b.slug, "en"))
}

export function addShow(campaign: Command, context: CliContext): void {
  withData(campaign.command("show"))
    .description("show one campaign with its lines")
    .argument("<SLUG>", "as shown by campaign list")
    .action(async (slug: string, options: CommonOptions) => {
      const found = await onStore(context, options, async ({ store }) => {
        const all = [...(await campaignsOf(store, {})), ...(await campaignsOf(store, { archived: true }))]
        return all.find((one) => one.slug === slug)
      })
      if (found === undefined) throw noCampaign(slug)
      const { lines } = found
      const list = linesAt(context.clock())
      if (options.json) return printJson(context.io, { ...headJson(found), lines: lines.map(list.asJson) })
      printDetails(context.io, options, null, [
        ["Slug", found.slug],
        ["Name", found.name],
        ["Buyer", `${found.buyer.name} (${found.buyer.slug})`],
        ["Sellers", sellersOf(found).join(", ") || "-"],
        ["Flight", flightOf(found)],
        ["Archived", found.archived ? "yes" : null],
      ])
      if (lines.length === 0) return
      context.io.out("\n")
      printTable(
        context.io,
        lines,
        list.columns.filter(({ title }) => title !== "CAMPAIGN"),
      )
    })
}

export function noCampaign(slug: string): UserError {
  return new UserError(`There is no campaign "${slug}". "adbooth campaign list" shows them.`)
}
