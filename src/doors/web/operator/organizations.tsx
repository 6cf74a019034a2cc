import { Name, type Organization, Slug, TIME_ZONE_DEFAULT } from "../../../domain/organization.ts"
import { isTimeZone } from "../../../domain/time-zone.ts"
import type { OrganizationOverview } from "../../../storage/store.ts"
import { type Errors, readForm } from "../form.ts"
import { pageNotFound } from "../pages/refusals.tsx"
import { Empty, Heading } from "../parts/bits.tsx"
import { Field } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { inNumbers } from "../parts/format.tsx"
import { CsvLink } from "../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../parts/listing.ts"
import { Pager, Table } from "../parts/table.tsx"
import { done, goTo, page } from "../respond.ts"
import { forOperator } from "../route.ts"
import { sliceOf } from "../slice.ts"
import { type PersonVisit, param } from "../visit.ts"
import { at, ORGANIZATIONS } from "./navigation.ts"
import { hasErrors, wrongFields } from "./validate.ts"

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

interface Typed {
  readonly slug: string
  readonly name: string
  readonly timeZone: string
}

const NEW: Typed = { slug: "", name: "", timeZone: TIME_ZONE_DEFAULT }

function formPage(visit: PersonVisit, typed: Typed, stored: Organization | null, errors: Errors = {}): Response {
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
            errors={errors}
          >
            <Field name="name" label="Name" value={typed.name} required maxlength={200} errors={errors} />
            {stored === null && (
              <Field
                name="slug"
                label="Slug"
                value={typed.slug}
                required
                maxlength={64}
                errors={errors}
                hint="A short name for addresses, files and scripts, such as acme-audio. It stays as it is."
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

async function read(visit: PersonVisit): Promise<Typed> {
  const form = await readForm(visit.request)
  return { slug: form.text("slug"), name: form.text("name"), timeZone: form.text("time_zone") }
}

function zoneErrors({ timeZone }: Typed): Errors {
  return isTimeZone(timeZone) ? {} : { time_zone: "The IANA list of time zones has names such as Europe/Berlin." }
}

async function create(visit: PersonVisit): Promise<Response> {
  const typed = await read(visit)
  const { slug, name, timeZone } = typed
  const wrong = wrongFields({ name: [Name, "The name", name], slug: [Slug, "The slug", slug] })
  const errors = { ...wrong, ...zoneErrors(typed) }
  if (hasErrors(errors)) return formPage(visit, typed, null, errors)
  const change = { actor: visit.actor, at: visit.now }
  const made = await visit.context.store.organizations.create({ slug, name, timeZone }, change)
  if (made === null) return formPage(visit, typed, null, { slug: "There is an organization with this slug already." })
  return goTo(visit, ORGANIZATIONS, done(`${name} is there. Next: give it users, or make its first campaign.`))
}

async function edit(visit: PersonVisit): Promise<Response> {
  const slug = param(visit, "slug")
  const typed = await read(visit)
  const { name, timeZone } = typed
  const errors = { ...wrongFields({ name: [Name, "The name", name] }), ...zoneErrors(typed) }
  if (hasErrors(errors)) {
    const stored = await visit.context.store.organizations.findBySlug(slug)
    return stored === null ? pageNotFound(visit) : formPage(visit, typed, stored, errors)
  }
  const change = { actor: visit.actor, at: visit.now }
  const edited = await visit.context.store.organizations.edit(slug, { name, timeZone }, change)
  return edited === null ? pageNotFound(visit) : goTo(visit, ORGANIZATIONS, done(`${name} is saved.`))
}

export const organizationRoutes = [
  forOperator("GET", ORGANIZATIONS, list),
  forOperator("GET", `${ORGANIZATIONS}.csv`, async ({ context }) =>
    listCsv("organizations", COLUMNS, await context.store.organizations.overview()),
  ),
  forOperator("GET", `${ORGANIZATIONS}/new`, (visit) => formPage(visit, NEW, null)),
  forOperator("POST", `${ORGANIZATIONS}/new`, create),
  forOperator("GET", `${ORGANIZATIONS}/:slug`, async (visit) => {
    const stored = await visit.context.store.organizations.findBySlug(param(visit, "slug"))
    return stored === null ? pageNotFound(visit) : formPage(visit, stored, stored)
  }),
  forOperator("POST", `${ORGANIZATIONS}/:slug`, edit),
]
