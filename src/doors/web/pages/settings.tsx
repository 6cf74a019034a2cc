import { editOrganization } from "../../../actions/people/edit-organization.ts"
import { type Organization, organizationFields } from "../../../domain/people/organization.ts"
import { conflictOf, revisionOf } from "../../../domain/revision.ts"
import { type Errors, readForm } from "../form.ts"
import { Field } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { type StartedFrom, StartedFromFields, startedFrom } from "../parts/started-from.tsx"
import { Heading } from "../parts/widgets.tsx"
import { done, goTo, page } from "../respond.ts"
import { forAdmin } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { pageNotFound } from "./refusals.tsx"

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
  const started = startedFrom(form)
  const { slug } = visit.organization
  const by = { actor: visit.actor, seen: started.revision }
  const edited = await editOrganization(visit.context, { ...typed, slug }, by)
  switch (edited.outcome) {
    case "refused":
      return settingsPage(visit, { typed, errors: organizationFormErrors(edited.errors), started })
    case "not found":
      return pageNotFound(visit)
    case "done":
      return goTo(visit, `/app/o/${slug}/settings`, done("Saved."))
    case "changed":
      return conflictPage(visit, started, typed)
  }
}

/** What is wrong with an organization, under the names that the forms' fields have. */
export function organizationFormErrors({ timeZone, ...errors }: Errors): Errors {
  return { ...errors, ...(timeZone !== undefined && { time_zone: timeZone }) }
}

async function conflictPage(visit: OrganizationVisit, { shown }: StartedFrom, mine: Typed): Promise<Response> {
  const stored = await visit.context.store.organizations.findBySlug(visit.organization.slug)
  if (stored === null) return pageNotFound(visit)
  const { started, typed: theirs } = startOf(stored)
  const { texts, errors } = conflictOf(shown, mine, theirs)
  const named = organizationFormErrors(errors)
  return settingsPage(visit, { typed: texts, errors: named, started, theirs: visit.url.pathname })
}

export const settingsRoutes = [
  forAdmin("GET", "/app/o/:org/settings", (visit) => settingsPage(visit, startOf(visit.organization))),
  forAdmin("POST", "/app/o/:org/settings", save),
]
