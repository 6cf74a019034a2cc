import { Name, type Organization, organizationFields } from "../../../domain/people/organization.ts"
import { conflictOf, revisionOf } from "../../../domain/revision.ts"
import { checkFor } from "../../../domain/schema/check.ts"
import { isTimeZone } from "../../../domain/time/time-zone.ts"
import { type Errors, readForm } from "../form.ts"
import { Field } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { type StartedFrom, StartedFromFields, startedFrom } from "../parts/started-from.tsx"
import { Heading } from "../parts/widgets.tsx"
import { done, goTo, page } from "../respond.ts"
import { forAdmin } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { pageNotFound } from "./refusals.tsx"

const isName = checkFor(Name)

interface Typed {
  readonly name: string
  readonly timeZone: string
}

interface Draft {
  readonly typed: Typed
  readonly errors: Errors
  readonly started: StartedFrom
  readonly theirs?: string
}

function startOf(organization: Organization): Draft {
  // What the form shows is what can be edited, so that one digest serves both.
  const typed = organizationFields(organization)
  return { typed, errors: {}, started: { revision: revisionOf(typed), shown: revisionOf(typed) } }
}

function settingsPage(visit: OrganizationVisit, { typed, errors, started, theirs }: Draft): Response {
  const { slug } = visit.organization
  const base = `/app/o/${slug}/settings`
  return page(visit, {
    title: "Organization",
    active: base,
    status: Object.keys(errors).length > 0 ? 422 : 200,
    body: (
      <>
        <Heading title="Organization" />
        <section class="card narrow">
          <Form action={base} submit="Save" theirs={theirs} errors={errors}>
            <StartedFromFields {...started} />
            <Field name="name" label="Name" value={typed.name} required errors={errors} />
            <Field
              name="time_zone"
              label="Time zone"
              value={typed.timeZone}
              required
              list={Intl.supportedValuesOf("timeZone")}
              errors={errors}
              hint="Your day ends here: a total reported for a date counts at the end of that day in this zone."
            />
          </Form>
          <p class="hint">
            The short name <code>{slug}</code> stays: files and scripts name the organization by it.
          </p>
        </section>
      </>
    ),
  })
}

async function save(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { name: form.text("name"), timeZone: form.text("time_zone") }
  const errors = {
    ...(!isName(typed.name).ok && { name: "Give a name of at most 200 characters." }),
    ...(!isTimeZone(typed.timeZone) && { time_zone: "Give the name of a time zone, such as Europe/Berlin." }),
  }
  const started = startedFrom(form)
  if (Object.keys(errors).length > 0) return settingsPage(visit, { typed, errors, started })
  const { organization, context, actor, now } = visit
  const change = { actor, at: now, seen: started.revision }
  const edited = await context.store.organizations.edit(organization.slug, typed, change)
  if (edited === "changed") return conflictPage(visit, started, typed)
  return edited === null ? pageNotFound(visit) : goTo(visit, `/app/o/${organization.slug}/settings`, done("Saved."))
}

async function conflictPage(visit: OrganizationVisit, { shown }: StartedFrom, mine: Typed): Promise<Response> {
  const stored = await visit.context.store.organizations.findBySlug(visit.organization.slug)
  if (stored === null) return pageNotFound(visit)
  const { started, typed: theirs } = startOf(stored)
  const { texts, errors } = conflictOf(shown, mine, theirs)
  const { timeZone, ...rest } = errors
  const named = { ...rest, ...(timeZone !== undefined && { time_zone: timeZone }) }
  return settingsPage(visit, { typed: texts, errors: named, started, theirs: visit.url.pathname })
}

export const settingsRoutes = [
  forAdmin("GET", "/app/o/:org/settings", (visit) => settingsPage(visit, startOf(visit.organization))),
  forAdmin("POST", "/app/o/:org/settings", save),
]
