import type { Command } from "commander"
import { archiveCampaign, removeCampaign } from "../../../actions/campaigns/campaigns.ts"
import type { Organization } from "../../../domain/people/organization.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { LineWithTotal, ListedCampaign, StoreReads } from "../../../storage/port/store.ts"
import {
  type AskingOptions,
  type CliContext,
  type CommonOptions,
  confirmed,
  onStore,
  withData,
  withDataAndQuestion,
} from "../context.ts"
import { explained } from "../help.ts"
import { print, printJson } from "../io.ts"
import { type List, printDetails, printList, printTable } from "../output/table.ts"
import { findOrganization } from "../stored.ts"
import { linesAt } from "./lines.ts"

export function campaignCommand(program: Command, context: CliContext): void {
  const campaign = program.command("campaign").description("show campaigns, archive or delete one")
  explained(campaign, {
    examples: [
      ["campaign list --org acme-audio"],
      ["campaign show autumn"],
      ["campaign archive autumn"],
      ["campaign unarchive autumn"],
      ["campaign delete autumn"],
    ],
  })
  addList(campaign, context)
  addShow(campaign, context)
  addArchive(campaign, context, "archive", true)
  addArchive(campaign, context, "unarchive", false)
  addDelete(campaign, context)
}

function addArchive(campaign: Command, context: CliContext, name: string, archived: boolean): void {
  withData(campaign.command(name))
    .description(
      archived ? "leave a campaign out of lists; nothing is lost" : "show an archived campaign in lists again",
    )
    .argument("<SLUG>", "as shown by campaign list")
    .action(async (slug: string, options: CommonOptions) => {
      const changed = await onStore(context, options, async (on) =>
        archiveCampaign(on, await sellerOf(on.store, slug), slug, archived, "command"),
      )
      const done = archived ? "Archived.\n" : "The campaign is in the lists again.\n"
      print(context.io, options, { campaign: slug, archived }, changed ? done : "Nothing to change.\n")
    })
}

function addDelete(campaign: Command, context: CliContext): void {
  withDataAndQuestion(campaign.command("delete"))
    .description("delete a campaign with its lines, if nothing has been reported")
    .argument("<SLUG>", "as shown by campaign list")
    .action(async (slug: string, options: AskingOptions) => {
      await confirmed(context, options, `Delete the campaign ${slug} with its lines?`)
      const outcome = await onStore(context, options, async (on) =>
        removeCampaign(on, await sellerOf(on.store, slug), slug, "command"),
      )
      if (outcome !== "done")
        throw new UserError(`"${slug}" has figures, so it cannot be deleted: "adbooth campaign archive ${slug}".`)
      print(context.io, options, { campaign: slug, deleted: true }, "Deleted.\n")
    })
}

/** Whoever sells every line of the campaign. */
async function sellerOf(store: StoreReads, slug: string): Promise<Organization> {
  const [seller, ...others] = await store.packageLines.sellersOf(slug)
  if (seller === undefined) throw noCampaign(slug)
  if (others.length > 0)
    throw new UserError(
      `Several organizations sell lines of "${slug}". Archive or delete single lines: "adbooth line".`,
    )
  return findOrganization(store, seller)
}

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
    const seen = await store.campaigns.list(id, archived)
    const listed = chosen !== null ? seen : seen.filter(({ buyer }) => buyer.id === id)
    found.push(...listed.map((one) => ({ ...one, lines: linesOf.get(one.slug) ?? [] })))
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
