import { changeLogo, currencyOf, editOrganization, removeLogo } from "../../../actions/people/organizations.ts"
import { seenOf } from "../../../domain/edit-conflict.ts"
import { LOGO_BYTES_MAX, type Logo } from "../../../domain/people/logo.ts"
import { type Organization, organizationFields } from "../../../domain/people/organization.ts"
import { type Errors, readForm } from "../form.ts"
import { itemAddress, ORGANIZATIONS } from "../frame/navigation.ts"
import { forAdmin, withFound } from "../guards.ts"
import { CURRENCIES } from "../home/first-run.tsx"
import { PostButton } from "../parts/blocks.tsx"
import { type Editing, editing, editingRoutes } from "../parts/form/editing.tsx"
import { type Draft, Field, FileField, Form, TimeZoneField } from "../parts/form/form.tsx"
import { AskButton, done, goTo, headedPage, logoResponse, type Question } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"

const settingsOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/settings`

const LOGO_HINT = `PNG, JPEG or WebP, at most ${LOGO_BYTES_MAX / 1024} KB. A wide picture on white or transparent looks best.`

function logoSection(visit: OrganizationVisit, logo: Logo | null, errors: Errors) {
  const base = settingsOf(visit)
  return (
    <section class="card narrow">
      <h2>Logo</h2>
      <p class="soft">Shown at the top of the reports you share and print.</p>
      {logo !== null && [
        <img class="logo" src={`${base}/logo`} alt={`Logo of ${visit.organization.name}`} />,
        <PostButton kind="quiet danger" action={`${base}/logo/remove`} label="Remove logo" />,
      ]}
      <Form action={`${base}/logo`} submit={logo === null ? "Save logo" : "Replace logo"} errors={errors} multipart>
        <FileField name="logo" label="Picture" accept="image/png,image/jpeg,image/webp" hint={LOGO_HINT} />
      </Form>
    </section>
  )
}

// The form around the picture.
const FORM_BYTES_MORE = 64 * 1024

async function saveLogo(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request, 4 * LOGO_BYTES_MAX + FORM_BYTES_MORE)
  const bytes = new Uint8Array((await form.file("logo")?.arrayBuffer()) ?? new ArrayBuffer(0))
  const error = await changeLogo(visit.context, visit.organization, bytes, visit.actor)
  if (error !== null) return logoRefused(visit, error)
  return goTo(visit, settingsOf(visit), done("The logo has been saved."))
}

async function remove(visit: OrganizationVisit): Promise<Response> {
  await removeLogo(visit.context, visit.organization, visit.actor)
  return goTo(visit, settingsOf(visit), done("The logo has been removed."))
}

const findLogo = ({ context, organization }: OrganizationVisit) => context.store.organizations.logo(organization.id)

const ZONE_HINT = "A total for a date counts at the end of that day in this time zone."
const CURRENCY_HINT = "New lines start with it. Each line can have its own."

async function settingsPage(visit: OrganizationVisit, draft: Draft<Typed>, logoErrors: Errors = {}): Promise<Response> {
  const onlyBuys = visit.place?.onlyBuys === true
  return headedPage(visit, {
    title: "Organization",
    ...((await mayDelete(visit)) && {
      actions: <AskButton label="Delete" question={deleteQuestion(visit.organization)} />,
    }),
    body: [
      <section class="card narrow">
        <Form action={settingsOf(visit)} submit="Save" draft={draft}>
          <Field name="name" label="Name" required />
          <TimeZoneField hint={onlyBuys ? "Times are shown in it." : ZONE_HINT} />
          {!onlyBuys && <Field name="currency" label="Currency" maxlength={3} list={CURRENCIES} hint={CURRENCY_HINT} />}
        </Form>
        <details class="more">
          <summary>Short name</summary>
          <p class="hint">
            <code>{visit.organization.slug}</code> cannot be changed, because files and scripts use it.
          </p>
        </details>
      </section>,
      !onlyBuys && logoSection(visit, await findLogo(visit), logoErrors),
    ],
  })
}

/** Only an operator deletes one; its people would lock themselves out. Not offered where it would be refused. */
const mayDelete = async ({ person, context, organization }: OrganizationVisit) =>
  person.isOperator && !(await context.store.organizations.isInUse(organization.id))

export const deleteQuestion = ({ slug, name }: Pick<Organization, "slug" | "name">): Question => ({
  title: `Delete ${name}?`,
  text: "This works only if it has no campaigns, people or keys. It cannot be undone.",
  href: itemAddress(ORGANIZATIONS, slug, "delete"),
  submit: "Delete organization",
  cancel: `/app/o/${slug}/settings`,
})

/** An organization that only buys has no currency to choose: it stays. */
type Typed = Omit<ReturnType<typeof organizationFields>, "currency"> & { readonly currency?: string }

const edit: Editing<OrganizationVisit, Organization, Typed> = {
  find: ({ context, organization }) => context.store.organizations.findBySlug(organization.slug),
  async start(organization, { context, place }) {
    const { currency, ...others } = organizationFields(organization, await currencyOf(context.store, organization))
    const typed = place?.onlyBuys === true ? others : { ...others, currency }
    return { typed, seen: seenOf({ ...others, currency }) }
  },
  page: (visit, _, draft) => settingsPage(visit, draft),
  read(form) {
    const { name, time_zone: timeZone, currency } = form.texts("name", "time_zone", "currency")
    return { name, timeZone, ...(form.has("currency") && { currency: currency.toUpperCase() }) }
  },
  async save(visit, { slug }, typed, by) {
    const edited = await editOrganization(visit.context, { ...typed, slug }, by)
    if (edited.outcome !== "done") return edited
    const said = visit.place?.onlyBuys ? done("Saved.") : done("Saved.", `/app/o/${slug}`, "Back to Today")
    return goTo(visit, settingsOf(visit), said)
  },
  conflict: ({ slug }) => ({
    title: "Organization",
    what: "this organization",
    changes: [["edit organization", slug]],
  }),
}

/** The form beside it is as it was. */
const logoRefused = (visit: OrganizationVisit, logo: string) =>
  editing({ ...edit, page: (_, __, draft) => settingsPage(visit, draft, { logo }) }).show(visit, visit.organization)

const SETTINGS = "/app/o/:org/settings"

export const settingsRoutes = [
  ...editingRoutes(forAdmin, SETTINGS, edit),
  forAdmin("GET", `${SETTINGS}/logo`, withFound(findLogo, logoResponse)),
  forAdmin("POST", `${SETTINGS}/logo`, saveLogo),
  forAdmin("POST", `${SETTINGS}/logo/remove`, remove),
]
