import { createOrganization, editOrganization, removeOrganization } from "../../../actions/people/organizations.ts"
import { revisionOf } from "../../../domain/edit-conflict.ts"
import { type ListRules, listPage } from "../../../domain/lists/list-query.ts"
import {
  type Organization,
  organizationFields,
  TIME_ZONE_DEFAULT,
  type TypedOrganization as Typed,
} from "../../../domain/people/organization.ts"
import type { OrganizationOverview } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type SentForm as Filled, readForm } from "../form.ts"
import { at, ORGANIZATIONS } from "../frame/navigation.ts"
import { askedList, askedRows, type ListColumn, ListView, START } from "../lists.tsx"
import { TimeZoneField } from "../organization/settings.tsx"
import { offsetOf } from "../paging.ts"
import { ButtonLink } from "../parts/buttons.tsx"
import { Empty } from "../parts/feedback.tsx"
import { conflictPage, labelled } from "../parts/form/conflict.tsx"
import { Field } from "../parts/form/fields.tsx"
import { type Draft, Form, startedFrom } from "../parts/form/form.tsx"
import { formatNumber } from "../parts/format.tsx"
import { confirmPage, headedPage } from "../parts/page.tsx"
import { listCsv } from "../parts/table.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forOperator, withFound } from "../route.ts"
import { type PersonVisit, param } from "../visit.ts"

const find = (visit: PersonVisit) => visit.context.store.organizations.findBySlug(param(visit, "slug"))

async function remove(visit: PersonVisit, { slug, name }: { slug: string; name: string }): Promise<Response> {
  const outcome = await removeOrganization(visit.context, slug, visit.actor)
  if (outcome === "not found") return pageNotFound(visit)
  const inUse = `${name} still has members, keys, campaigns, lines or affiliate codes, so it cannot be deleted.`
  if (outcome === "in use") return goTo(visit, at(ORGANIZATIONS, slug), problem(inUse))
  return goTo(visit, ORGANIZATIONS, done(`${name} has been deleted.`))
}

const DELETE = `${ORGANIZATIONS}/:slug/delete`

const removeOrganizationRoutes = [
  forOperator(
    "GET",
    DELETE,
    withFound(find, (visit, { slug, name }) =>
      confirmPage(visit, {
        title: "Delete organization",
        active: ORGANIZATIONS,
        question: `Delete ${name}?`,
        text: "This works only if it has no campaigns, people or keys. It cannot be undone.",
        action: at(ORGANIZATIONS, slug, "delete"),
        submit: "Delete organization",
        cancel: at(ORGANIZATIONS, slug),
      }),
    ),
  ),
  forOperator("POST", DELETE, withFound(find, remove)),
]

const CSV_ROWS_AT_ONCE = 100

const RULES: ListRules<Organization> = {
  searched: ({ name, slug }) => `${name}\n${slug}`,
  states: {},
  sorts: { name: ({ name }) => name, slug: ({ slug }) => slug, zone: ({ timeZone }) => timeZone },
}

/** The same organizations, with what belongs to them. */
async function withCounts({ context: { store } }: PersonVisit, rows: readonly Organization[]) {
  const counted = await store.organizations.overview(rows.map(({ id }) => id))
  const byId = new Map(counted.map((one) => [one.id, one]))
  return rows.flatMap(({ id }) => byId.get(id) ?? [])
}

function countColumn(title: string, value: (row: OrganizationOverview) => number): ListColumn<OrganizationOverview> {
  return { title, cell: (row) => formatNumber(value(row)), value, numeric: true }
}

const COLUMNS: readonly ListColumn<OrganizationOverview>[] = [
  {
    title: "Name",
    sortBy: "name",
    cell: ({ slug, name }) => (
      <a class="name" href={at(ORGANIZATIONS, slug)}>
        {name}
      </a>
    ),
    value: ({ name }) => name,
  },
  { title: "Slug", sortBy: "slug", cell: ({ slug }) => <code>{slug}</code>, value: ({ slug }) => slug },
  { title: "Time zone", sortBy: "zone", value: ({ timeZone }) => timeZone },
  countColumn("Members", ({ members }) => members),
  countColumn("Active keys", ({ activeKeys }) => activeKeys),
  countColumn("Lines sold", ({ linesSold }) => linesSold),
  countColumn("Campaigns bought", ({ campaignsBought }) => campaignsBought),
]

async function list(visit: PersonVisit): Promise<Response> {
  const { url } = visit
  const all = await visit.context.store.organizations.list()
  const list = listPage(all, RULES, askedList(url, RULES, offsetOf(url, START)))
  const empty = (
    <Empty
      title="No organizations yet"
      text="Start with the one that sells. Its people report totals, and its buyers see them."
    />
  )
  return headedPage(visit, {
    title: "Organizations",
    active: ORGANIZATIONS,
    actions: <ButtonLink kind="primary" href={`${ORGANIZATIONS}/new`} label="New organization" />,
    intro: "Companies that sell or buy. Sellers report delivery; buyers see it.",
    body: (
      <ListView
        url={url}
        list={{ ...list, rows: await withCounts(visit, list.rows) }}
        rules={RULES}
        what="organizations"
        searched="names and slugs"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        csv={`${ORGANIZATIONS}.csv${url.search}`}
        empty={empty}
      />
    ),
  })
}

/** All that the list would show on all of its pages. */
async function* found(visit: PersonVisit) {
  const rows = askedRows(visit.url, RULES, await visit.context.store.organizations.list())
  for (let from = 0; from < rows.length; from += CSV_ROWS_AT_ONCE)
    yield await withCounts(visit, rows.slice(from, from + CSV_ROWS_AT_ONCE))
}

const NEW: Draft<Typed> = { typed: { slug: "", name: "", timeZone: TIME_ZONE_DEFAULT } }

function startOf(stored: Organization): Draft<Typed> {
  const { slug, name, timeZone } = stored
  const typed = { slug, name, timeZone }
  return { typed, started: { revision: revisionOf(organizationFields(stored)), shown: revisionOf(typed) } }
}

function formPage(visit: PersonVisit, stored: Organization | null, draft = stored ? startOf(stored) : NEW): Response {
  return headedPage(visit, {
    title: stored === null ? "New organization" : stored.name,
    active: ORGANIZATIONS,
    trail: [{ href: ORGANIZATIONS, label: "Organizations" }],
    actions: stored && (
      <>
        <ButtonLink href={`/app/o/${stored.slug}`} label="Open its pages" />
        <ButtonLink kind="danger" href={at(ORGANIZATIONS, stored.slug, "delete")} label="Delete" />
      </>
    ),
    body: (
      <section class="card narrow">
        <Form
          action={visit.url.pathname}
          submit={stored === null ? "Create" : "Save"}
          cancel={ORGANIZATIONS}
          draft={draft}
        >
          <Field name="name" label="Name" required maxlength={200} />
          {stored === null && (
            <Field
              name="slug"
              label="Slug"
              required
              maxlength={64}
              hint="For addresses, files and scripts, such as acme-audio. It can’t be changed later."
            />
          )}
          <TimeZoneField hint="For the dates of flights and reports." />
        </Form>
      </section>
    ),
  })
}

function read(form: Filled): Typed {
  return { slug: form.text("slug"), name: form.text("name"), timeZone: form.text("time_zone") }
}

async function create(visit: PersonVisit): Promise<Response> {
  const typed = read(await readForm(visit.request))
  const errors = await createOrganization(visit.context, typed, visit.actor)
  if (Object.keys(errors).length > 0) return formPage(visit, null, { typed, errors })
  return goTo(
    visit,
    ORGANIZATIONS,
    done(`${typed.name} has been created. Next, invite its people or create its first campaign.`),
  )
}

async function edit(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { ...read(form), slug: param(visit, "slug") }
  const started = startedFrom(form)
  const edited = await editOrganization(visit.context, typed, { actor: visit.actor, seen: started.revision })
  if (edited.outcome === "done") return goTo(visit, ORGANIZATIONS, done(`${typed.name} has been saved.`))
  const stored = edited.outcome === "not found" ? null : await findOrganization(visit)
  if (stored === null) return pageNotFound(visit)
  if (edited.outcome === "refused") return formPage(visit, stored, { typed, errors: edited.errors, started })
  const { typed: theirs, started: now } = startOf(stored)
  return conflictPage(visit, {
    title: stored.name,
    active: ORGANIZATIONS,
    trail: [{ href: ORGANIZATIONS, label: "Organizations" }],
    what: "this organization",
    changes: [["edit organization", stored.slug]],
    action: visit.url.pathname,
    theirsHref: visit.url.pathname,
    shown: started.shown,
    mine: typed,
    theirs,
    started: now,
    labels: labelled({}),
  })
}

const findOrganization = (visit: PersonVisit) => visit.context.store.organizations.findBySlug(param(visit, "slug"))

export const organizationRoutes = [
  forOperator("GET", ORGANIZATIONS, list),
  forOperator("GET", `${ORGANIZATIONS}.csv`, (visit) => listCsv("organizations", COLUMNS, found(visit))),
  forOperator("GET", `${ORGANIZATIONS}/new`, (visit) => formPage(visit, null)),
  forOperator("POST", `${ORGANIZATIONS}/new`, create),
  forOperator(
    "GET",
    `${ORGANIZATIONS}/:slug`,
    withFound(findOrganization, (visit, stored) => formPage(visit, stored)),
  ),
  forOperator("POST", `${ORGANIZATIONS}/:slug`, edit),
  ...removeOrganizationRoutes,
]
