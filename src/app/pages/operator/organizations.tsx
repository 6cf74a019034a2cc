import { openOrganization } from "../../../actions/organizations.ts"
import { allOrganizations, type Organization, organizationCounts } from "../../../storage/organizations.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import type { List } from "../../list.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Empty } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { formatNumber } from "../../parts/format.tsx"
import { ListView } from "../../parts/list.tsx"
import { SlugField, ZoneField } from "../../parts/people.tsx"
import { Name } from "../../parts/table.tsx"
import type { SignedInVisit } from "../../visit.ts"

const ORGANIZATIONS = "/app/operator/organizations"

interface ListedOrganization extends Organization {
  readonly people: number
  readonly keys: number
  readonly sold: number
  readonly bought: number
}

/** Every organization, and a form that creates another one. */
export const organizationsForm: FormOf<SignedInVisit, readonly ListedOrganization[]> = {
  async find({ context }) {
    const { read } = context.database
    const counts = await organizationCounts(read)
    const none = { people: 0, keys: 0, sold: 0, bought: 0 }
    return (await allOrganizations(read)).map((each) => ({ ...none, ...counts.get(each.id), ...each }))
  },
  begin: () => ({ texts: { timeZone: "UTC" } }),
  view: (visit, organizations, form) =>
    page(visit, {
      title: "Organizations",
      intro: "Companies that sell or buy. Sellers report delivery, and buyers see it.",
      actions: <ButtonLink kind="primary" icon="plus" href="#new-organization" label="New organization" />,
      form,
      body: (
        <>
          <ListView list={ORGANIZATION_LIST} rows={organizations} url={visit.url} />
          <section class="card form-card" id="new-organization">
            <h2>New organization</h2>
            <Form action={ORGANIZATIONS} submit="Create organization">
              <Field name="name" label="Name" required maxlength={200} />
              <ZoneField hint="For flights and reports." />
              <SlugField />
            </Form>
          </section>
        </>
      ),
    }),
  async save(visit, _, { name = "", timeZone = "", slug = "" }) {
    const opened = await openOrganization(visit.context, visit.actor, { name, timeZone, slug, address: "" })
    if ("errors" in opened) return opened
    return goTo(visit, `/app/o/${opened.slug}/people`, `${name} is created. Invite its people.`)
  },
}

const count = (title: string, of: (organization: ListedOrganization) => number) => ({
  title,
  cell: (organization: ListedOrganization) => formatNumber(of(organization)),
  sort: of,
  isNumber: true,
})

const ORGANIZATION_LIST: List<ListedOrganization> = {
  name: "organizations",
  searched: "names and slugs",
  textsOf: ({ name, slug }) => [name, slug],
  states: {
    sellers: { label: "Sellers", has: ({ sold, keys }) => sold > 0 || keys > 0 },
    buyers: { label: "Buyers", has: ({ bought }) => bought > 0 },
  },
  columns: [
    {
      title: "Name",
      cell: ({ slug, name }) => <Name href={`/app/o/${slug}/settings`}>{name}</Name>,
      sort: ({ name }) => name,
    },
    { title: "Slug", cell: ({ slug }) => <code>{slug}</code>, sort: ({ slug }) => slug },
    { title: "Time zone", cell: ({ timeZone }) => timeZone, sort: ({ timeZone }) => timeZone },
    count("People", ({ people }) => people),
    count("Keys", ({ keys }) => keys),
    count("Lines sold", ({ sold }) => sold),
    count("Campaigns bought", ({ bought }) => bought),
  ],
  empty: <Empty title="No organizations yet" text="Create the organization that sells here." />,
}
