import { changeLogo, editOrganization, removeLogo } from "../../../actions/people/organizations.ts"
import { revisionOf } from "../../../domain/edit-conflict.ts"
import { LOGO_BYTES_MAX, type Logo } from "../../../domain/people/logo.ts"
import { type Organization, organizationFields } from "../../../domain/people/organization.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { conflictPage, labelled } from "../parts/form/conflict.tsx"
import { Field, FileField } from "../parts/form/fields.tsx"
import { type Draft, Form, startedFrom } from "../parts/form/form.tsx"
import { headedPage } from "../parts/page.tsx"
import { done, goTo, logoResponse } from "../respond.ts"
import { type Answer, forAdmin, withFound } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"

const settingsOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/settings`

type LogoSectionProps = Readonly<{ visit: OrganizationVisit; logo: Logo | null; errors: Errors }>

/** The picture for shared reports: shown, replaced and removed. */
function LogoSection({ visit, logo, errors }: LogoSectionProps) {
  const base = settingsOf(visit)
  return (
    <section class="card narrow">
      <h2>Logo</h2>
      <p class="soft">Shown at the top of the reports you share and print.</p>
      {logo !== null && (
        <>
          <img class="logo" src={`${base}/logo`} alt={`Logo of ${visit.organization.name}`} />
          <form method="post" action={`${base}/logo/remove`}>
            <button type="submit" class="button quiet danger">
              Remove logo
            </button>
          </form>
        </>
      )}
      <Form action={`${base}/logo`} submit={logo === null ? "Save logo" : "Replace it"} errors={errors} multipart>
        <FileField
          name="logo"
          label="Picture"
          accept="image/png,image/jpeg,image/webp"
          hint={`PNG, JPEG or WebP, at most ${LOGO_BYTES_MAX / 1024} KB. A wide picture on white or transparent looks best.`}
        />
      </Form>
    </section>
  )
}

// The form around the picture.
const FORM_BYTES_MORE = 64 * 1024

/** Saves the picture of the form; `show` shows the settings with what is wrong. */
async function saveLogo(
  visit: OrganizationVisit,
  show: (visit: OrganizationVisit, errors: Errors) => Answer,
): Promise<Response> {
  const form = await readForm(visit.request, 4 * LOGO_BYTES_MAX + FORM_BYTES_MORE)
  const bytes = new Uint8Array((await form.file("logo")?.arrayBuffer()) ?? new ArrayBuffer(0))
  const error = await changeLogo(visit.context, visit.organization, bytes, visit.actor)
  return error === null
    ? goTo(visit, settingsOf(visit), done("The logo has been saved."))
    : show(visit, { logo: error })
}

async function remove(visit: OrganizationVisit): Promise<Response> {
  await removeLogo(visit.context, visit.organization, visit.actor)
  return goTo(visit, settingsOf(visit), done("The logo has been removed."))
}

const SETTINGS = "/app/o/:org/settings"
const findLogo = ({ context, organization }: OrganizationVisit) => context.store.organizations.logo(organization.id)

const logoRoutes = [
  forAdmin(
    "GET",
    `${SETTINGS}/logo`,
    withFound(findLogo, (_, logo) => logoResponse(logo)),
  ),
  forAdmin("POST", `${SETTINGS}/logo/remove`, remove),
]

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
            <TimeZoneField hint="A total for a date counts at the end of that day in this time zone." />
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
