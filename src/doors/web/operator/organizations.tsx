import { createOrganization, removeOrganization } from "../../../actions/people/organizations.ts"
import type { ListRules } from "../../../domain/lists/list-query.ts"
import {
  type Organization,
  TIME_ZONE_DEFAULT,
  type TypedOrganization as Typed,
} from "../../../domain/people/organization.ts"
import type { OrganizationOverview } from "../../../storage/port/store.ts"
import { askFirst } from "../ask-first.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { ORGANIZATIONS } from "../frame/navigation.ts"
import { askedPage, askedRows, inWholeParts, type ListColumn, ListView, nameColumn, wholeRows } from "../lists.tsx"
import { deleteQuestion, TimeZoneField } from "../organization/settings.tsx"
import { ButtonLink } from "../parts/buttons.tsx"
import { Empty } from "../parts/feedback.tsx"
import { Field } from "../parts/form/fields.tsx"
import { Form } from "../parts/form/form.tsx"
import { formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { listCsv } from "../parts/table.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forOperator } from "../route.ts"
import { type PersonVisit, param } from "../visit.ts"

const RULES: ListRules<Organization> = {
  searched: ({ name, slug }) => `${name}\n${slug}`,
  states: {},
  sorts: { name: ({ name }) => name, slug: ({ slug }) => slug, zone: ({ timeZone }) => timeZone },
}

function countColumn(title: string, value: (row: OrganizationOverview) => number): ListColumn<OrganizationOverview> {
  return { title, cell: (row) => formatNumber(value(row)), value, numeric: true }
}

const COLUMNS: readonly ListColumn<OrganizationOverview>[] = [
  nameColumn({ title: "Name", nameOf: ({ name }) => name, href: ({ slug }) => settingsOf(slug) }),
  { title: "Short name", sortBy: "slug", cell: ({ slug }) => <code>{slug}</code>, value: ({ slug }) => slug },
  { title: "Time zone", sortBy: "zone", value: ({ timeZone }) => timeZone },
  countColumn("Members", ({ members }) => members),
  countColumn("Active keys", ({ activeKeys }) => activeKeys),
  countColumn("Lines sold", ({ linesSold }) => linesSold),
  countColumn("Campaigns bought", ({ campaignsBought }) => campaignsBought),
]

async function list(visit: PersonVisit): Promise<Response> {
  const { url } = visit
  const { organizations } = visit.context.store
  const page = askedPage(url, RULES, await organizations.list())
  const empty = (
    <Empty
      title="No organizations yet"
      text="Start with the one that sells. Its people report totals, and its buyers see them."
    />
  )
  return headedPage(visit, {
    title: "Organizations",
    actions: <ButtonLink kind="primary" href={`${ORGANIZATIONS}/new`} label="New organization" />,
    intro: "Companies that sell or buy. Sellers report delivery; buyers see it.",
    body: (
      <ListView
        url={url}
        list={{ ...page, rows: await wholeRows(page.rows, organizations.overview) }}
        rules={RULES}
        what="organizations"
        searched="names and short names"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={empty}
      />
    ),
  })
}

async function listFile({ url, context: { store } }: PersonVisit): Promise<Response> {
  const heads = askedRows(url, RULES, await store.organizations.list())
  return listCsv("organizations", COLUMNS, inWholeParts(heads, store.organizations.overview))
}

const NEW: Typed = { slug: "", name: "", timeZone: TIME_ZONE_DEFAULT }

/** Everything else about an organization is on its own pages. */
function formPage(visit: PersonVisit, typed = NEW, errors: Errors = {}): Response {
  return headedPage(visit, {
    title: "New organization",
    trail: [{ href: ORGANIZATIONS, label: "Organizations" }],
    body: (
      <section class="card narrow">
        <Form action={`${ORGANIZATIONS}/new`} submit="Create" cancel={ORGANIZATIONS} values={typed} errors={errors}>
          <Field name="name" label="Name" required maxlength={200} />
          <Field
            name="slug"
            label="Short name"
            required
            maxlength={64}
            hint="For addresses, files and scripts, such as acme-audio. It can’t be changed later."
          />
          <TimeZoneField hint="For the dates of flights and reports." />
        </Form>
      </section>
    ),
  })
}

async function create(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { slug: form.text("slug"), name: form.text("name"), timeZone: form.text("time_zone") }
  const errors = await createOrganization(visit.context, typed, visit.actor)
  if (Object.keys(errors).length > 0) return formPage(visit, typed, errors)
  const next = `/app/o/${typed.slug}/members#invite`
  return goTo(visit, ORGANIZATIONS, done(`${typed.name} has been created.`, next, "Invite its people"))
}

async function remove(visit: PersonVisit, { slug, name }: Organization): Promise<Response> {
  const outcome = await removeOrganization(visit.context, slug, visit.actor)
  if (outcome === "not found") return pageNotFound(visit)
  const inUse = `${name} still has members, keys, campaigns, lines or affiliate codes, so it can’t be deleted.`
  if (outcome === "in use") return goTo(visit, settingsOf(slug), problem(inUse))
  return goTo(visit, ORGANIZATIONS, done(`${name} has been deleted.`))
}

const settingsOf = (slug: string) => `/app/o/${slug}/settings`

const find = (visit: PersonVisit) => visit.context.store.organizations.findBySlug(param(visit, "slug"))

export const organizationRoutes = [
  forOperator("GET", ORGANIZATIONS, list),
  forOperator("GET", `${ORGANIZATIONS}.csv`, listFile),
  forOperator("GET", `${ORGANIZATIONS}/new`, formPage),
  forOperator("POST", `${ORGANIZATIONS}/new`, create),
  ...askFirst(forOperator, `${ORGANIZATIONS}/:slug/delete`, find, remove, (_, stored) => deleteQuestion(stored)),
]
