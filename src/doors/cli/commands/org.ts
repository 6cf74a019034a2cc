import type { OrganizationOverview } from "../../../storage/port/store.ts"
import { describes, group, lists, onData } from "../command.ts"
import { asJson, type List } from "../output/table.ts"
import { findOrganization } from "../stored.ts"

const LIST = onData("list", "list organizations with what each has", {
  examples: [["org list"]],
  async run({ store }) {
    const all = await store.organizations.list()
    return lists(await store.organizations.overview(all.map(({ id }) => id)), ORGANIZATIONS)
  },
})

const SHOW = onData("show <SLUG>", "show one organization and the people in it", {
  examples: [["org show acme-audio"]],
  async run({ store }, slug: string) {
    const { id } = await findOrganization(store, slug)
    const [organization] = await store.organizations.overview([id])
    if (organization === undefined) return
    const members = (await store.members.list(id)).map(({ email, name, role }) => ({ email, name, role }))
    return describes({ ...asJson(ORGANIZATIONS, organization), members }, [
      ["Slug", organization.slug],
      ["Name", organization.name],
      ["Time zone", organization.timeZone],
      ["Lines sold", String(organization.linesSold)],
      ["Campaigns bought", String(organization.campaignsBought)],
      ["Active keys", String(organization.activeKeys)],
      ["Members", members.length === 0 ? "nobody" : null],
      ...members.map(({ email, name, role }) => ["Member", `${name} <${email}>, ${role}`] as const),
    ])
  },
})

const ORGANIZATIONS: List<OrganizationOverview> = {
  columns: [
    { title: "SLUG", value: ({ slug }) => slug },
    { title: "NAME", value: ({ name }) => name, shrinks: true },
    { title: "TIME ZONE", value: ({ timeZone }) => timeZone, optional: 1 },
    { title: "MEMBERS", value: ({ members }) => members, isFigure: true, optional: 2 },
    { title: "ACTIVE KEYS", value: ({ activeKeys }) => activeKeys, isFigure: true, optional: 3 },
    { title: "LINES SOLD", value: ({ linesSold }) => linesSold, isFigure: true },
    { title: "CAMPAIGNS BOUGHT", value: ({ campaignsBought }) => campaignsBought, isFigure: true, optional: 4 },
  ],
  empty: "No organizations yet. Import some: adbooth import FILE.json",
}

export const orgCommand = group("org", "show the organizations that sell and buy", { below: [LIST, SHOW] })
