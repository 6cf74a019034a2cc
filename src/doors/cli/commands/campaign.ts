import { UserError } from "../../../domain/user-error.ts"
import type { LineWithTotal, ListedCampaign, StoreReads } from "../../../storage/port/store.ts"
import { type Answer, group, lists, onData } from "../command.ts"
import { asJson, flagColumn, type List, printDetails, printTable } from "../output/table.ts"
import { organizationOf } from "../stored.ts"
import { linesAt } from "./line.ts"

const LIST = onData("list", "list campaigns with their buyers and sellers", {
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

const SHOW = onData("show <SLUG>", "show one campaign with its lines", {
  examples: [["campaign show autumn"]],
  async run({ store, clock }, slug: string) {
    const all = [...(await campaignsOf(store, {})), ...(await campaignsOf(store, { archived: true }))]
    const campaign = all.find((campaign) => campaign.slug === slug)
    if (campaign === undefined) throw noCampaign(slug)
    return describesCampaign(campaign, linesAt(clock()))
  },
})

interface Campaign extends Pick<ListedCampaign, "slug" | "name" | "buyer" | "archived"> {
  readonly lines: readonly LineWithTotal[]
}

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

function sellersOf({ lines }: Campaign): string[] {
  return [...new Set(lines.map(({ seller }) => seller))].sort()
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

const noCampaign = (slug: string): UserError =>
  new UserError(`There is no campaign "${slug}". "adbooth campaign list" shows them.`)

export const campaignCommand = group("campaign", "show campaigns with their lines", {
  notes: ["Campaigns are added, changed and archived with adbooth import, or in the app."],
  below: [LIST, SHOW],
})
