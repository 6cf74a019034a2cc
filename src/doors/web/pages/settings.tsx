import { editOrganization } from "../../../actions/people/organizations.ts"
import { revisionOf } from "../../../domain/edit-conflict.ts"
import { type Organization, organizationFields } from "../../../domain/people/organization.ts"
import { type Errors, readForm } from "../form.ts"
import { conflictPage, labelled } from "../parts/form/conflict-page.tsx"
import { type Draft, startedFrom } from "../parts/form/draft.ts"
import { Field } from "../parts/form/field.tsx"
import { Form } from "../parts/form/form.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { done, goTo } from "../respond.ts"
import { forAdmin } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { pageNotFound } from "./error-pages.tsx"
import { LogoSection, logoRoutes, saveLogo } from "./logo.tsx"

type Typed = Readonly<{ name: string; timeZone: string }>

function startOf(organization: Organization): Draft<Typed> {
  // The form shows exactly what can be edited, so both digests are the same.
  const typed = organizationFields(organization)
  return { typed, started: { revision: revisionOf(typed), shown: revisionOf(typed) } }
}

async function settingsPage(visit: OrganizationVisit, draft: Draft<Typed>, logoErrors: Errors = {}): Promise<Response> {
  const logo = await visit.context.store.organizations.logo(visit.organization.id)
  const { slug } = visit.organization
  const base = `/app/o/${slug}/settings`
  return headedPage(visit, {
    title: "Organization",
    active: base,
    body: (
      <>
        <section class="card narrow">
          <Form action={base} submit="Save" draft={draft}>
            <Field name="name" label="Name" required />
            <TimeZoneField hint="A total reported for a date counts at the end of that day in this time zone." />
          </Form>
          <p class="hint">
            The short name <code>{slug}</code> cannot be changed: files and scripts use it.
          </p>
        </section>
        <LogoSection visit={visit} logo={logo} errors={logoErrors} />
      </>
    ),
  })
}

export function TimeZoneField({ hint }: { readonly hint: string }) {
  return <Field name="time_zone" label="Time zone" required list={Intl.supportedValuesOf("timeZone")} hint={hint} />
}

async function save(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { name: form.text("name"), timeZone: form.text("time_zone") }
  const started = startedFrom(form)
  const { slug } = visit.organization
  const { pathname } = visit.url
  const edited = await editOrganization(
    visit.context,
    { ...typed, slug },
    { actor: visit.actor, seen: started.revision },
  )
  if (edited.outcome === "refused") return settingsPage(visit, { typed, errors: edited.errors, started })
  if (edited.outcome === "done") return goTo(visit, `/app/o/${slug}/settings`, done("Saved."))
  const stored = edited.outcome === "not found" ? null : await visit.context.store.organizations.findBySlug(slug)
  if (stored === null) return pageNotFound(visit)
  const { typed: theirs, started: now } = startOf(stored)
  return conflictPage(visit, {
    title: "Organization",
    active: pathname,
    what: "this organization",
    changes: [["edit organization", slug]],
    action: pathname,
    theirsHref: pathname,
    shown: started.shown,
    mine: typed,
    theirs,
    started: now,
    labels: labelled({}),
  })
}

export const settingsRoutes = [
  forAdmin("GET", "/app/o/:org/settings", (visit) => settingsPage(visit, startOf(visit.organization))),
  forAdmin("POST", "/app/o/:org/settings", save),
  forAdmin("POST", "/app/o/:org/settings/logo", (visit) =>
    saveLogo(visit, (_, errors) => settingsPage(visit, startOf(visit.organization), errors)),
  ),
  ...logoRoutes,
]
