import { createOrganization, removeOrganization } from "../../../actions/people/organizations.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import type { Organization, TypedOrganization as Typed } from "../../../domain/people/organization.ts"
import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import { slugOf } from "../../../domain/text/short-text.ts"
import type { OrganizationOverview } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { ORGANIZATIONS } from "../frame/navigation.ts"
import { askFirst, forOperator } from "../guards.ts"
import { inOrder, listing } from "../lists.tsx"
import { deleteQuestion } from "../organization/settings.tsx"
import { ButtonLink, Empty } from "../parts/blocks.tsx"
import { Field, Form, SlugField, TimeZoneField } from "../parts/form/form.tsx"
import { done, goTo, headedPage, problem } from "../respond.tsx"
import { type PersonVisit, param } from "../visit.ts"

const organizations = listing<PersonVisit, OrganizationOverview, Organization>({
  what: "organizations",
  searched: "names and short names",
  rules: {
    searched: ({ name, slug }) => `${name}\n${slug}`,
    states: {},
    sorts: { name: ({ name }) => name, slug: ({ slug }) => slug, zone: ({ timeZone }) => timeZone },
  },
  rows: ({ context }) => context.store.organizations.list(),
  whole: ({ context }, heads) => inOrder(heads, context.store.organizations.overview),
  columns: () => [
    { title: "Name", sortBy: "name", value: ({ name }) => name, href: ({ slug }) => settingsOf(slug) },
    { title: "Short name", sortBy: "slug", cell: ({ slug }) => <code>{slug}</code>, value: ({ slug }) => slug },
    { title: "Time zone", sortBy: "zone", value: ({ timeZone }) => timeZone },
    { title: "People", value: ({ members }) => members, numeric: true },
    { title: "Active keys", value: ({ activeKeys }) => activeKeys, numeric: true },
    { title: "Lines sold", value: ({ linesSold }) => linesSold, numeric: true },
    { title: "Campaigns bought", value: ({ campaignsBought }) => campaignsBought, numeric: true },
  ],
  empty: (
    <Empty
      title="No organizations yet"
      text="Start with the one that sells. Its people report totals, and its buyers see them."
    />
  ),
})

// More would make a page long, and nobody looks through them; what is typed finds all.
const SUGGESTED_MAX = 200

/** An organization by its name, with those suggested that there are. */
export async function organizationField({ context }: PersonVisit, name: string, label: string, hint?: string) {
  const suggested = (await context.store.organizations.list(SUGGESTED_MAX)).map((each) => each.name)
  const list = suggested.toSorted(compareNames)
  return <Field name={name} label={label} {...(hint && { hint })} list={list} autocomplete="off" />
}

/** What was typed into it: null where that is nothing, or why it is none. */
export async function organizationNamed({ context: { store } }: PersonVisit, typed: string) {
  if (typed === "") return null
  // The name of one may be the short name of another, so that neither goes first.
  const named = (await store.organizations.list()).filter(
    (each) => compareNames(each.name, typed) === 0 || each.slug === typed || withSlug(each) === typed,
  )
  if (named.length > 1) return `Several match. Type the short name as well: ${named.map(withSlug).join(", ")}.`
  return named[0] ?? "There is no such organization. Type its name or short name."
}

const withSlug = ({ name, slug }: Organization) => `${name} (${slug})`

const NEW: Typed = { slug: "", name: "", timeZone: TIME_ZONE_DEFAULT }

/** Everything else about an organization is on its own pages. */
const formPage = (visit: PersonVisit, typed = NEW, errors: Errors = {}): Response =>
  headedPage(visit, {
    title: "New organization",
    trail: [{ href: ORGANIZATIONS, label: "Organizations" }],
    body: (
      <section class="card narrow">
        <Form action={`${ORGANIZATIONS}/new`} submit="Create" cancel={ORGANIZATIONS} values={typed} errors={errors}>
          <Field name="name" label="Name" required maxlength={200} />
          <TimeZoneField hint="For the dates of flights and reports." />
          <SlugField errors={errors} />
        </Form>
      </section>
    ),
  })

async function create(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const name = form.text("name")
  const typed = { slug: form.text("slug") || slugOf(name), name, timeZone: form.text("time_zone") }
  const errors = await createOrganization(visit.context, typed, visit.actor)
  if (Object.keys(errors).length > 0) return formPage(visit, typed, errors)
  const next = `/app/o/${typed.slug}/members#invite`
  return goTo(visit, ORGANIZATIONS, done(`${typed.name} has been created.`, next, "Invite its people"))
}

async function remove(visit: PersonVisit, { slug, name }: Organization): Promise<Response> {
  const outcome = await removeOrganization(visit.context, slug, visit.actor)
  if (outcome === "not found") return pageNotFound(visit)
  const inUse = `${name} still has people, keys, campaigns, lines or affiliate codes, so it can’t be deleted.`
  if (outcome === "in use") return goTo(visit, settingsOf(slug), problem(inUse))
  return goTo(visit, ORGANIZATIONS, done(`${name} has been deleted.`))
}

const settingsOf = (slug: string) => `/app/o/${slug}/settings`

const find = (visit: PersonVisit) => visit.context.store.organizations.findBySlug(param(visit, "slug"))

export const organizationRoutes = [
  ...organizations.routes(forOperator, ORGANIZATIONS, {
    title: "Organizations",
    actions: <ButtonLink kind="primary" href={`${ORGANIZATIONS}/new`} label="New organization" />,
    intro: "Companies that sell or buy. Sellers report delivery; buyers see it.",
  }),
  forOperator("GET", `${ORGANIZATIONS}/new`, formPage),
  forOperator("POST", `${ORGANIZATIONS}/new`, create),
  ...askFirst(forOperator, `${ORGANIZATIONS}/:slug/delete`, find, remove, (_, stored) => deleteQuestion(stored)),
]
