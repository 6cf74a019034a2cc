import { createOrganization } from "../../../actions/people/create-organization.ts"
import { editOrganization } from "../../../actions/people/edit-organization.ts"
import {
  type Organization,
  organizationFields,
  TIME_ZONE_DEFAULT,
  type TypedOrganization as Typed,
} from "../../../domain/people/organization.ts"
import { conflictOf, revisionOf } from "../../../domain/revision.ts"
import type { OrganizationOverview } from "../../../storage/port/store.ts"
import { type Errors, type Form as Filled, readForm } from "../form.ts"
import { pageNotFound } from "../pages/refusals.tsx"
import { organizationFormErrors } from "../pages/settings.tsx"
import { Field } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { inNumbers } from "../parts/format.tsx"
import { CsvLink } from "../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../parts/listing.ts"
import { type StartedFrom, StartedFromFields, startedFrom } from "../parts/started-from.tsx"
import { Pager, Table } from "../parts/table.tsx"
import { Empty, Heading } from "../parts/widgets.tsx"
import { done, goTo, page } from "../respond.ts"
import { forOperator } from "../route.ts"
import { sliceOf } from "../slice.ts"
import { type PersonVisit, param } from "../visit.ts"
import { hasErrors } from "./catalogue/validate.ts"
import { at, ORGANIZATIONS } from "./navigation.ts"

const COLUMNS: readonly ListColumn<OrganizationOverview>[] = [
  {
    title: "Name",
    cell: ({ slug, name }) => <a href={at(ORGANIZATIONS, slug)}>{name}</a>,
    value: ({ name }) => name,
  },
  { title: "Slug", cell: ({ slug }) => <code>{slug}</code>, value: ({ slug }) => slug },
  { title: "Time zone", cell: ({ timeZone }) => timeZone, value: ({ timeZone }) => timeZone },
  { title: "Members", cell: ({ members }) => inNumbers(members), value: ({ members }) => members, numeric: true },
  {
    title: "Active keys",
    cell: ({ activeKeys }) => inNumbers(activeKeys),
    value: ({ activeKeys }) => activeKeys,
    numeric: true,
  },
  {
    title: "Lines sold",
    cell: ({ linesSold }) => inNumbers(linesSold),
    value: ({ linesSold }) => linesSold,
    numeric: true,
  },
  {
    title: "Campaigns bought",
    cell: ({ campaignsBought }) => inNumbers(campaignsBought),
    value: ({ campaignsBought }) => campaignsBought,
    numeric: true,
  },
]

async function list(visit: PersonVisit): Promise<Response> {
  const organizations = await visit.context.store.organizations.overview()
  const { shown, previous, next } = sliceOf(visit.url, organizations)
  return page(visit, {
    title: "Organizations",
    active: ORGANIZATIONS,
    body: (
      <>
        <Heading
          title="Organizations"
          actions={
            <>
              <CsvLink href={`${ORGANIZATIONS}.csv`} />
              <a class="button primary" href={`${ORGANIZATIONS}/new`}>
                New organization
              </a>
            </>
          }
        >
          <p class="soft">Companies that sell or buy here. Whoever sells reports delivery; whoever buys sees it.</p>
        </Heading>
        {organizations.length === 0 ? (
          <Empty title="No organization yet">
            <p>Start with the one that sells. Its people report delivery, and its buyers see the figures.</p>
          </Empty>
        ) : (
          <Table caption="Organizations" columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
        )}
        <Pager previous={previous} next={next} previousLabel="Previous" nextLabel="More" />
      </>
    ),
  })
}

const NEW: Typed = { slug: "", name: "", timeZone: TIME_ZONE_DEFAULT }

const shownOf = ({ slug, name, timeZone }: Typed): Typed => ({ slug, name, timeZone })

interface Draft {
  readonly typed: Typed
  readonly errors?: Errors
  readonly started?: StartedFrom
  readonly theirs?: string
}

function startOf(stored: Organization): StartedFrom {
  return { revision: revisionOf(organizationFields(stored)), shown: revisionOf(shownOf(stored)) }
}

function formPage(visit: PersonVisit, stored: Organization | null, draft: Draft): Response {
  const { typed, errors = {}, started = stored && startOf(stored), theirs } = draft
  const title = stored === null ? "New organization" : stored.name
  return page(visit, {
    title,
    active: ORGANIZATIONS,
    status: hasErrors(errors) ? 422 : 200,
    body: (
      <>
        <Heading
          title={title}
          trail={[{ href: ORGANIZATIONS, label: "Organizations" }]}
          actions={
            stored && (
              <a class="button" href={`/app/o/${stored.slug}`}>
                Open its pages
              </a>
            )
          }
        />
        <section class="card narrow">
          <Form
            action={visit.url.pathname}
            submit={stored === null ? "Create" : "Save"}
            cancel={ORGANIZATIONS}
            theirs={theirs}
            errors={errors}
          >
            {started && <StartedFromFields {...started} />}
            <Field name="name" label="Name" value={typed.name} required maxlength={200} errors={errors} />
            {stored === null && (
              <Field
                name="slug"
                label="Slug"
                value={typed.slug}
                required
                maxlength={64}
                errors={errors}
                hint="A short name for addresses, files and scripts, such as acme-audio. It can't be changed later."
              />
            )}
            <Field
              name="time_zone"
              label="Time zone"
              value={typed.timeZone}
              required
              list={Intl.supportedValuesOf("timeZone")}
              errors={errors}
              hint="Days begin and end here for this organization: flights, dates in reports."
            />
          </Form>
        </section>
      </>
    ),
  })
}

function read(form: Filled): Typed {
  return { slug: form.text("slug"), name: form.text("name"), timeZone: form.text("time_zone") }
}

async function create(visit: PersonVisit): Promise<Response> {
  const typed = read(await readForm(visit.request))
  const errors = organizationFormErrors(await createOrganization(visit.context, typed, visit.actor))
  if (hasErrors(errors)) return formPage(visit, null, { typed, errors })
  return goTo(visit, ORGANIZATIONS, done(`${typed.name} is there. Next: give it users, or make its first campaign.`))
}

async function edit(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { ...read(form), slug: param(visit, "slug") }
  const started = startedFrom(form)
  const edited = await editOrganization(visit.context, typed, { actor: visit.actor, seen: started.revision })
  switch (edited.outcome) {
    case "refused": {
      const errors = organizationFormErrors(edited.errors)
      return onStored(visit, (stored) => formPage(visit, stored, { typed, errors, started }))
    }
    case "not found":
      return pageNotFound(visit)
    case "done":
      return goTo(visit, ORGANIZATIONS, done(`${typed.name} is saved.`))
    case "changed":
      return onStored(visit, (stored) => conflictPage(visit, stored, started, typed))
  }
}

function conflictPage(visit: PersonVisit, stored: Organization, { shown }: StartedFrom, mine: Typed): Response {
  const { texts: typed, errors } = conflictOf(shown, mine, shownOf(stored))
  const named = organizationFormErrors(errors)
  return formPage(visit, stored, { typed, errors: named, theirs: visit.url.pathname })
}

async function onStored(visit: PersonVisit, answer: (stored: Organization) => Response): Promise<Response> {
  const stored = await visit.context.store.organizations.findBySlug(param(visit, "slug"))
  return stored === null ? pageNotFound(visit) : answer(stored)
}

export const organizationRoutes = [
  forOperator("GET", ORGANIZATIONS, list),
  forOperator("GET", `${ORGANIZATIONS}.csv`, async ({ context }) =>
    listCsv("organizations", COLUMNS, await context.store.organizations.overview()),
  ),
  forOperator("GET", `${ORGANIZATIONS}/new`, (visit) => formPage(visit, null, { typed: NEW })),
  forOperator("POST", `${ORGANIZATIONS}/new`, create),
  forOperator("GET", `${ORGANIZATIONS}/:slug`, (visit) =>
    onStored(visit, (stored) => formPage(visit, stored, { typed: stored })),
  ),
  forOperator("POST", `${ORGANIZATIONS}/:slug`, edit),
]
