import { createUser, editUser } from "../../../actions/people/users.ts"
import { revisionOf } from "../../../domain/edit-conflict.ts"
import type { MemberRole, Organization } from "../../../domain/people/organization.ts"
import { nameErrors, normalEmail, personErrors, type User, userFields } from "../../../domain/people/user.ts"
import { AskButton, type Question } from "../ask-first.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { type SentForm as Filled, readForm } from "../form.ts"
import { at, OPERATOR, USERS } from "../frame/navigation.ts"
import { showLink } from "../one-time-secret.tsx"
import { ROLES, ROLES_HINT } from "../organization/members.tsx"
import { Checkbox, choicesOf, Select } from "../parts/form/choices.tsx"
import { conflictPage, labelled } from "../parts/form/conflict.tsx"
import { Field } from "../parts/form/fields.tsx"
import { type Draft, Form, type StartedFrom, startedFrom } from "../parts/form/form.tsx"
import { headedPage } from "../parts/page.tsx"
import { done, goTo } from "../respond.ts"
import { forOperator, withFound } from "../route.ts"
import { idParam, type PersonVisit } from "../visit.ts"

interface Typed {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  /** The role in each organization of the form, by slug; "none" to remove the person from it. */
  readonly roles: ReadonlyMap<string, MemberRole | "none">
  /** The organization to add, and the role in it. */
  readonly organization: string
  readonly role: MemberRole
}

const NOBODY: Typed = { email: "", name: "", isOperator: false, roles: new Map(), organization: "", role: "member" }

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
    // Missing when the organization was added after the form was opened.
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

type FormPage = Draft<Typed> & Readonly<{ stored: User | null }>

/** The values of the form, by field name. */
function textsOf({ name, isOperator, roles }: Typed): Record<string, string> {
  const kept = [...roles].map(([slug, role]) => [`role:${slug}`, role])
  return { name, operator: isOperator ? "yes" : "", ...Object.fromEntries(kept) }
}

function startOf(stored: User): StartedFrom {
  return { revision: revisionOf(userFields(stored)), shown: revisionOf(textsOf(typedFrom(stored))) }
}

async function formPage(visit: PersonVisit, { stored, ...draft }: FormPage): Promise<Response> {
  const { typed, started = stored && startOf(stored) } = draft
  const isNew = stored === null
  const organizations = await visit.context.store.organizations.list()
  const others = organizations.filter(({ slug }) => !typed.roles.has(slug))
  return headedPage(visit, {
    title: isNew ? "New user" : stored.name,
    trail: [{ href: USERS, label: "All people" }],
    intro: stored?.email,
    body: (
      <>
        <section class="card narrow">
          <Form
            action={visit.url.pathname}
            submit={isNew ? "Create account" : "Save"}
            cancel={USERS}
            draft={{ ...draft, ...(started && { started }) }}
          >
            <Field name="name" label="Name" required maxlength={200} />
            {isNew && (
              <Field
                name="email"
                label="Email"
                type="email"
                required
                hint="Used to sign in. You get a link to send them yourself."
              />
            )}
            <RoleFields typed={typed} others={others} isNew={isNew} />
            <p class="hint">{ROLES_HINT}</p>
            <Checkbox
              name="operator"
              label="Operator of this installation"
              checked={typed.isOperator}
              hint="Can do everything, in every organization."
            />
          </Form>
        </section>
        {stored !== null && <AccountActions user={stored} />}
      </>
    ),
  })
}

interface RoleFieldsProps {
  readonly typed: Typed
  /** Organizations to which the person does not belong. */
  readonly others: readonly Organization[]
  readonly isNew: boolean
}

function RoleFields({ typed, others, isNew }: RoleFieldsProps) {
  const none = { value: "", label: isNew ? "None" : "No other" }
  const label = isNew ? "Organization" : "Add to an organization"
  return (
    <>
      {[...typed.roles].map(([slug, role]) => (
        <Select
          key={slug}
          name={`role:${slug}`}
          label={`Role in ${slug}`}
          value={role}
          choices={[...ROLES, { value: "none", label: "Remove from organization" }]}
        />
      ))}
      {others.length > 0 && (
        <div class="fields">
          <Select name="organization" label={label} choices={[none, ...choicesOf(others)]} />
          <Select name="role" label="Role" choices={ROLES} />
        </div>
      )}
    </>
  )
}

function AccountActions({ user }: { readonly user: User }) {
  return (
    <section class="card narrow">
      <h2>Account</h2>
      <p class="soft">
        {user.hasPassword
          ? "Forgotten password? Create a link to set a new one."
          : "No password yet. If the link was lost, create a new one."}
      </p>
      <div class="actions">
        <form method="post" action={at(USERS, user.id, "link")}>
          <button type="submit" class="button">
            Create password link
          </button>
        </form>
        {user.hasTotp && <AskButton label="Reset two-factor codes" question={resetQuestion(user)} quiet />}
        <AskButton label="Remove account" question={removalQuestion(user)} />
      </div>
    </section>
  )
}

export const removalQuestion = ({ id, name, email }: User): Question => ({
  question: `Remove ${name}?`,
  href: at(USERS, id, "remove"),
  submit: "Remove account",
  cancel: at(USERS, id),
  text: `${email} is signed out everywhere and can no longer sign in. Totals that they reported stay. This cannot be undone.`,
})

export const resetQuestion = ({ id, name, email }: User): Question => ({
  question: `Reset two-factor sign-in for ${name}?`,
  href: at(USERS, id, "reset-2fa"),
  submit: "Reset",
  cancel: at(USERS, id),
  text: `For someone who lost their phone and recovery codes. ${email} is signed out everywhere, and the password alone is enough to sign in. First make sure that it is really them who asks.`,
})

type Memberships = readonly { readonly organizationId: number; readonly role: MemberRole }[]

/** The memberships that were typed, or null if there is no such organization to add. */
async function membershipsOf({ context }: PersonVisit, typed: Typed): Promise<Memberships | null> {
  const { organizations } = context.store
  const wanted = new Map<number, MemberRole>()
  for (const [slug, as] of typed.roles) {
    const organization = as === "none" ? null : await organizations.findBySlug(slug)
    if (as !== "none" && organization !== null) wanted.set(organization.id, as)
  }
  if (typed.organization !== "") {
    const added = await organizations.findBySlug(typed.organization)
    if (added === null) return null
    wanted.set(added.id, typed.role)
  }
  return [...wanted].map(([organizationId, role]) => ({ organizationId, role }))
}

const NO_ORGANIZATION = { organization: "There is no such organization any more. Choose another one." }

async function create(visit: PersonVisit): Promise<Response> {
  const typed = read(await readForm(visit.request), null)
  const { email, name, isOperator } = typed
  const errors = personErrors(typed)
  if (Object.keys(errors).length > 0) return formPage(visit, { typed, stored: null, errors })
  const memberships = await membershipsOf(visit, typed)
  if (memberships === null) return formPage(visit, { typed, stored: null, errors: NO_ORGANIZATION })
  const [membership = null] = memberships
  const person = { email, name, isOperator, membership, passwordHash: null }
  const made = await createUser(visit.context, person, visit.actor)
  if (made !== null) return linkPage(visit, made.user, made.passwordLink ?? "")
  const taken = { email: `There is already an account for ${normalEmail(email)}.` }
  return formPage(visit, { typed, stored: null, errors: taken })
}

async function edit(visit: PersonVisit, stored: User): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = read(form, stored)
  const started = startedFrom(form)
  const { name, isOperator } = typed
  const errors = nameErrors(name)
  if (Object.keys(errors).length > 0) return formPage(visit, { typed, stored, errors, started })
  const memberships = await membershipsOf(visit, typed)
  if (memberships === null) return formPage(visit, { typed, stored, errors: NO_ORGANIZATION, started })
  const by = { actor: visit.actor, seen: started.revision }
  const outcome = await editUser(visit.context, stored.id, { name, isOperator, memberships }, by)
  if (outcome === "changed") return withFound(findUser, (_, now) => userConflict(visit, now, typed, started))(visit)
  if (outcome === "not found") return pageNotFound(visit)
  if (outcome === "done") return goTo(visit, USERS, done(`${name} has been saved.`))
  if (outcome !== "last operator") {
    const lastAdmin = { [`role:${outcome.lastAdminOf}`]: "This is the last admin. Make somebody else an admin first." }
    return formPage(visit, { typed, stored, errors: lastAdmin, started })
  }
  const last = { operator: LAST_OPERATOR }
  return formPage(visit, { typed: { ...typed, isOperator: true }, stored, errors: last, started })
}

function userConflict(visit: PersonVisit, stored: User, mine: Typed, { shown }: StartedFrom): Promise<Response> {
  const theirs = textsOf(typedFrom(stored))
  const nowhere = Object.fromEntries([...mine.roles.keys()].map((slug) => [`role:${slug}`, "none"]))
  return conflictPage(visit, {
    title: stored.name,
    trail: [{ href: USERS, label: "All people" }],
    what: "this user",
    changes: [
      ["edit user", stored.email],
      ["edit member", `user:${stored.id}`],
    ],
    action: at(USERS, stored.id),
    shown,
    mine: { ...textsOf(mine), organization: mine.organization, role: mine.role },
    theirs: { ...nowhere, ...theirs, organization: mine.organization, role: mine.role },
    started: startOf(stored),
    labels: (name) => (name.startsWith("role:") ? `Role in ${name.slice("role:".length)}` : labelled({})(name)),
  })
}

export async function findUser(visit: PersonVisit): Promise<User | null> {
  const id = idParam(visit, "user")
  return id === null ? null : visit.context.store.users.findById(id)
}

export const USER = `${USERS}/:user`

export const LAST_OPERATOR = "This is the last operator. Make someone else an operator first."

export const userFormRoutes = [
  forOperator("GET", `${USERS}/new`, (visit) => formPage(visit, { typed: NOBODY, stored: null })),
  forOperator("POST", `${USERS}/new`, create),
  forOperator(
    "GET",
    USER,
    withFound(findUser, (visit, stored) => formPage(visit, { typed: typedFrom(stored), stored })),
  ),
  forOperator("POST", USER, withFound(findUser, edit)),
]

/** The only page that shows the link. */
export function linkPage(visit: PersonVisit, { name }: Pick<User, "name">, path: string): Response {
  return showLink(visit, OPERATOR, {
    title: `Link for ${name}`,
    trail: [{ href: USERS, label: "All people" }],
    name,
    path,
    purpose: "to choose a password",
    done: { href: USERS, label: "Back to all people" },
  })
}
