import { createUser } from "../../../actions/people/create-user.ts"
import { editUser } from "../../../actions/people/edit-user.ts"
import type { MemberRole, Organization } from "../../../domain/people/organization.ts"
import { nameErrors, normalEmail, personErrors, type User, userFields } from "../../../domain/people/user.ts"
import { conflictOf, revisionOf } from "../../../domain/revision.ts"
import { type Errors, type Form as Filled, readForm } from "../form.ts"
import { pageNotFound } from "../pages/refusals.tsx"
import { Checkbox, Field, Select } from "../parts/field.tsx"
import { Form } from "../parts/form.tsx"
import { type StartedFrom, StartedFromFields, startedFrom } from "../parts/started-from.tsx"
import { Heading } from "../parts/widgets.tsx"
import { done, goTo, page } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { hasErrors } from "./catalogue/validate.ts"
import { findUser } from "./find-user.ts"
import { at, USERS } from "./navigation.ts"
import { linkPage } from "./user-link.tsx"

interface Typed {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  /** The role in each organization that the form shows, by slug; "none" for one that the person is to leave. */
  readonly roles: ReadonlyMap<string, MemberRole | "none">
  /** The organization to add, and as what. */
  readonly organization: string
  readonly role: MemberRole
}

const ROLES = [
  { value: "member", label: "Member" },
  { value: "admin", label: "Admin" },
]
const NOBODY: Typed = {
  email: "",
  name: "",
  isOperator: false,
  roles: new Map(),
  organization: "",
  role: "member",
}

const typedFrom = ({ email, name, isOperator, memberships }: User): Typed => ({
  ...NOBODY,
  email,
  name,
  isOperator,
  roles: new Map(memberships.map(({ organization, role }) => [organization, role])),
})

const asRole = (text: string): MemberRole => (text === "admin" ? "admin" : "member")

function read(form: Filled, stored: User | null): Typed {
  const kept = (stored?.memberships ?? []).flatMap(({ organization }): [string, MemberRole | "none"][] => {
    const role = form.text(`role:${organization}`)
    // Somebody may have added it after the form was drawn: then the form did not speak of it.
    return role === "" ? [] : [[organization, role === "none" ? role : asRole(role)]]
  })
  return {
    email: form.text("email"),
    name: form.text("name"),
    isOperator: form.text("operator") === "yes",
    roles: new Map(kept),
    organization: form.text("organization"),
    role: asRole(form.text("role")),
  }
}

interface FormPage {
  readonly typed: Typed
  readonly stored: User | null
  readonly organizations: readonly Organization[]
  readonly errors?: Errors
  readonly started?: StartedFrom
  readonly theirs?: string
}

/** What the form shows of an account, by the names of its fields. */
function textsOf({ name, isOperator, roles }: Typed): Record<string, string> {
  const kept = [...roles].map(([slug, role]) => [`role:${slug}`, role === "none" ? "" : role])
  return { name, operator: isOperator ? "yes" : "", ...Object.fromEntries(kept) }
}

function startOf(stored: User): StartedFrom {
  return { revision: revisionOf(userFields(stored)), shown: revisionOf(textsOf(typedFrom(stored))) }
}

function formPage(visit: PersonVisit, drawn: FormPage): Response {
  const { typed, stored, organizations, errors = {}, started = drawn.stored && startOf(drawn.stored), theirs } = drawn
  const title = stored === null ? "New user" : stored.name
  const others = organizations.filter(({ slug }) => !typed.roles.has(slug))
  const none = { value: "", label: stored === null ? "None" : "No other" }
  return page(visit, {
    title,
    active: USERS,
    status: hasErrors(errors) ? 422 : 200,
    body: (
      <>
        <Heading title={title} trail={[{ href: USERS, label: "Users" }]}>
          {stored !== null && <p class="soft">{stored.email}</p>}
        </Heading>
        <section class="card narrow">
          <Form
            action={visit.url.pathname}
            submit={stored === null ? "Create the account" : "Save"}
            cancel={USERS}
            theirs={theirs}
            errors={errors}
          >
            {started && <StartedFromFields {...started} />}
            <Field name="name" label="Name" value={typed.name} required maxlength={200} errors={errors} />
            {stored === null && (
              <Field
                name="email"
                label="E-mail"
                type="email"
                value={typed.email}
                required
                errors={errors}
                hint="To sign in with. Nothing is sent to it: you get a link to hand over."
              />
            )}
            {[...typed.roles].map(([slug, role]) => (
              <Select
                key={slug}
                name={`role:${slug}`}
                label={`Role in ${slug}`}
                value={role}
                choices={[...ROLES, { value: "none", label: "Remove from organization" }]}
                errors={errors}
              />
            ))}
            {others.length > 0 && (
              <div class="side-by-side">
                <Select
                  name="organization"
                  label={stored === null ? "Organization" : "Add to an organization"}
                  value={typed.organization}
                  choices={[none, ...others.map(({ slug, name }) => ({ value: slug, label: name }))]}
                />
                <Select name="role" label="Role there" value={typed.role} choices={ROLES} />
              </div>
            )}
            <p class="hint">Members see and report delivery. Admins also have keys, members and campaigns.</p>
            <Checkbox
              name="operator"
              label="Operator of this installation"
              checked={typed.isOperator}
              errors={errors}
              hint="May do everything, in every organization."
            />
          </Form>
        </section>
        {stored !== null && <AccountActions user={stored} />}
      </>
    ),
  })
}

function AccountActions({ user }: { readonly user: User }) {
  return (
    <section class="card narrow">
      <h2>Account</h2>
      <p class="soft">
        {user.hasPassword
          ? "Forgotten password? Make a link with which a new one can be set."
          : "No password yet: the link that was made may have been lost."}
      </p>
      <div class="actions">
        <form method="post" action={at(USERS, user.id, "link")}>
          <button type="submit">Make a password link</button>
        </form>
        {user.hasTotp && (
          <a class="button" href={at(USERS, user.id, "reset-2fa")}>
            Reset two-factor codes
          </a>
        )}
        <a class="button danger" href={at(USERS, user.id, "remove")}>
          Remove the account
        </a>
      </div>
    </section>
  )
}

function membershipsOf({ roles, organization, role }: Typed, organizations: readonly Organization[]) {
  const wanted = new Map([...roles, ...(organization === "" ? [] : ([[organization, role]] as const))])
  return organizations.flatMap(({ id, slug }) => {
    const as = wanted.get(slug)
    return as === undefined || as === "none" ? [] : [{ organizationId: id, role: as }]
  })
}

async function create(visit: PersonVisit): Promise<Response> {
  const { store } = visit.context
  const organizations = await store.organizations.list()
  const typed = read(await readForm(visit.request), null)
  const { email, name, isOperator } = typed
  const errors = personErrors(typed)
  if (hasErrors(errors)) return formPage(visit, { typed, stored: null, organizations, errors })
  const [membership = null] = membershipsOf(typed, organizations)
  const person = { email, name, isOperator, membership, passwordHash: null }
  const made = await createUser(visit.context, person, visit.actor)
  if (made !== null) return linkPage(visit, made.user, made.passwordLink ?? "")
  const taken = { email: `There is an account for ${normalEmail(email)} already.` }
  return formPage(visit, { typed, stored: null, organizations, errors: taken })
}

async function edit(visit: PersonVisit): Promise<Response> {
  const { store } = visit.context
  const stored = await findUser(visit)
  if (stored === null) return pageNotFound(visit)
  const organizations = await store.organizations.list()
  const form = await readForm(visit.request)
  const typed = read(form, stored)
  const started = startedFrom(form)
  const { name, isOperator } = typed
  const errors = nameErrors(name)
  if (hasErrors(errors)) return formPage(visit, { typed, stored, organizations, errors, started })
  const edited = { name, isOperator, memberships: membershipsOf(typed, organizations) }
  const outcome = await editUser(visit.context, stored.id, edited, { actor: visit.actor, seen: started.revision })
  if (outcome === "changed") return conflictPage(visit, typed, started)
  if (outcome === "not found") return pageNotFound(visit)
  if (outcome === "done") return goTo(visit, USERS, done(`${name} is saved.`))
  if (outcome !== "last operator") {
    const lastAdmin = { [`role:${outcome.lastAdminOf}`]: "This is the last admin. Make somebody else an admin first." }
    return formPage(visit, { typed, stored, organizations, errors: lastAdmin, started })
  }
  const last = { operator: "This is the last operator. Make somebody else one first." }
  return formPage(visit, { typed: { ...typed, isOperator: true }, stored, organizations, errors: last, started })
}

async function conflictPage(visit: PersonVisit, mine: Typed, { shown }: StartedFrom): Promise<Response> {
  const stored = await findUser(visit)
  if (stored === null) return pageNotFound(visit)
  const organizations = await visit.context.store.organizations.list()
  const theirs = textsOf(typedFrom(stored))
  const nowhere = Object.fromEntries([...mine.roles.keys()].map((slug) => [`role:${slug}`, ""]))
  const { texts, errors } = conflictOf(shown, { ...blank(theirs), ...textsOf(mine) }, { ...nowhere, ...theirs })
  const roles = Object.entries(texts).flatMap(([field, role]): [string, MemberRole | "none"][] =>
    field.startsWith("role:") ? [[field.slice("role:".length), role === "" ? "none" : asRole(role)]] : [],
  )
  const typed = { ...mine, name: texts["name"] ?? "", isOperator: texts["operator"] === "yes", roles: new Map(roles) }
  return formPage(visit, { typed, stored, organizations, errors, theirs: visit.url.pathname })
}

const blank = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.keys(texts).map((field) => [field, ""]))

export const userFormRoutes = [
  forOperator("GET", `${USERS}/new`, async (visit) =>
    formPage(visit, { typed: NOBODY, stored: null, organizations: await visit.context.store.organizations.list() }),
  ),
  forOperator("POST", `${USERS}/new`, create),
  forOperator("GET", `${USERS}/:user`, async (visit) => {
    const stored = await findUser(visit)
    if (stored === null) return pageNotFound(visit)
    const organizations = await visit.context.store.organizations.list()
    return formPage(visit, { typed: typedFrom(stored), stored, organizations })
  }),
  forOperator("POST", `${USERS}/:user`, edit),
]
