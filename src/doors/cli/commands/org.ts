import type { Command } from "commander"
import type { OrganizationOverview } from "../../../storage/port/store.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { explained } from "../help.ts"
import { type List, printDetails, printList } from "../output/table.ts"
import { findOrganization } from "../stored.ts"

export function orgCommand(program: Command, context: CliContext): void {
  const org = program.command("org").description("show the organizations that sell and buy")
  explained(org, { examples: [["org list"], ["org show acme-audio"]] })
  addList(org, context)
  addShow(org, context)
}

const ORGANIZATIONS: List<OrganizationOverview> = {
  columns: [
    { title: "SLUG", text: ({ slug }) => slug },
    { title: "NAME", text: ({ name }) => name, shrinks: true },
    { title: "TIME ZONE", text: ({ timeZone }) => timeZone, optional: 1 },
    { title: "MEMBERS", text: ({ members }) => String(members), isFigure: true, optional: 2 },
    { title: "ACTIVE KEYS", text: ({ activeKeys }) => String(activeKeys), isFigure: true, optional: 3 },
    { title: "LINES SOLD", text: ({ linesSold }) => String(linesSold), isFigure: true },
    { title: "CAMPAIGNS BOUGHT", text: ({ campaignsBought }) => String(campaignsBought), isFigure: true, optional: 4 },
  ],
  asJson: asJson,
  empty: "No organizations yet. Import some: adbooth import FILE.json",
}

function asJson({ slug, name, timeZone, members, activeKeys, linesSold, campaignsBought }: OrganizationOverview) {
  return {
    slug,
    name,
    time_zone: timeZone,
    members,
    active_keys: activeKeys,
    lines_sold: linesSold,
    campaigns_bought: campaignsBought,
  }
}

function addList(org: Command, context: CliContext): void {
  withData(org.command("list"))
    .description("list organizations with what each has")
    .action(async (options: CommonOptions) => {
      const found = await onStore(context, options, async ({ store }) => {
        const all = await store.organizations.list()
        return store.organizations.overview(all.map(({ id }) => id))
      })
      printList(context.io, options, found, ORGANIZATIONS)
    })
}

function addShow(org: Command, context: CliContext): void {
  withData(org.command("show"))
    .description("show one organization and the people in it")
    .argument("<SLUG>", "as shown by org list")
    .action(async (slug: string, options: CommonOptions) => {
      const { found, people } = await onStore(context, options, async ({ store }) => {
        const { id } = await findOrganization(store, slug)
        const [found] = await store.organizations.overview([id])
        return { found, people: await store.members.list(id) }
      })
      if (found === undefined) return
      const members = people.map(({ email, name, role }) => ({ email, name, role }))
      printDetails(context.io, options, { ...asJson(found), members }, [
        ["Slug", found.slug],
        ["Name", found.name],
        ["Time zone", found.timeZone],
        ["Lines sold", String(found.linesSold)],
        ["Campaigns bought", String(found.campaignsBought)],
        ["Active keys", String(found.activeKeys)],
        ["Members", members.length === 0 ? "nobody" : null],
        ...members.map(({ email, name, role }) => ["Member", `${name} <${email}>, ${role}`] as const),
      ])
    })
}
