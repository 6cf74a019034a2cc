import { issuePasswordLink } from "../../../actions/people/one-time-links.ts"
import { resetTwoFactor } from "../../../actions/people/two-factor.ts"
import { createUser, editUser, removeUser } from "../../../actions/people/users.ts"
import { revisionOf } from "../../../domain/edit-conflict.ts"
import type { MemberRole } from "../../../domain/people/organization.ts"
import { nameErrors, normalEmail, personErrors, type User, userFields } from "../../../domain/people/user.ts"
import type { UserHead } from "../../../storage/port/store.ts"
import { AskButton, askFirst, type Question } from "../ask-first.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm, type SentForm } from "../form.ts"
import { at, OPERATOR, USERS } from "../frame/navigation.ts"
import { inOrder, listing } from "../lists.tsx"
import { showLink } from "../one-time-secret.tsx"
import { ROLES, ROLES_HINT } from "../organization/members.tsx"
import { Badge, ButtonLink, PostButton } from "../parts/blocks.tsx"
import { Checkbox, Select } from "../parts/form/choices.tsx"
import { labelled } from "../parts/form/conflict.tsx"
import { type Editing, editingRoutes } from "../parts/form/editing.tsx"
import { Field } from "../parts/form/fields.tsx"
import { type Draft, Form } from "../parts/form/form.tsx"
import { headedPage } from "../parts/page.tsx"
import { agoColumn } from "../parts/table.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forOperator, withFound } from "../route.ts"
import { idParam, type PersonVisit } from "../visit.ts"
import { organizationField, organizationNamed } from "./organizations.tsx"

function rolesOf({ isOperator, memberships }: User): string {
  const roles = memberships.map(({ organizationName, role }) => `${role} of ${organizationName}`)
  return [...(isOperator ? ["operator"] : []), ...roles].join(", ")
}

const people = listing<PersonVisit, User, UserHead>({
  what: "people",
  searched: "names and email addresses",
  states: { operators: "Operators", invited: "Without a password" },
  rules: {
    searched: ({ name, email }) => `${name}\n${email}`,
    states: { operators: ({ isOperator }) => isOperator, invited: ({ hasPassword }) => !hasPassword },
    sorts: { name: ({ name }) => name, email: ({ email }) => email, since: ({ createdAt }) => createdAt },
    largestFirst: ["since"],
  },
  rows: ({ context }) => context.store.users.heads(null, Number.MAX_SAFE_INTEGER),
  whole: ({ context }, heads) => inOrder(heads, context.store.users.findByIds),
  columns: () => [
    { title: "Name", sortBy: "name", value: ({ name }) => name, href: ({ id }) => at(USERS, id) },
    { title: "Email", sortBy: "email", phone: "wide", value: ({ email }) => email },
    {
      title: "Roles",
      cell: (user) => (
        <>
          {rolesOf(user) || <Badge>none</Badge>} {!user.hasPassword && <Badge tone="warn">No password yet</Badge>}
        </>
      ),
      value: rolesOf,
    },
    { ...agoColumn("Since", ({ createdAt }) => createdAt), sortBy: "since" },
  ],
  key: ({ id }) => id,
  file: () => "users",
  inFile: [{ title: "Password", value: ({ hasPassword }) => (hasPassword ? "set" : "not set yet") }],
})

/** What the form holds, by the names of its fields: the role in each organization as role:slug, "none" to remove the person from it. */
type Typed = Readonly<Record<string, string>>

const ROLE = "role:"
const NOBODY: Typed = { name: "", email: "", organization: "", role: "member" }

const textsOf = ({ name, isOperator, memberships }: User): Typed => ({
  name,
  operator: isOperator ? "yes" : "",
  ...Object.fromEntries(memberships.map(({ organization, role }) => [ROLE + organization, role])),
})

function read(form: SentForm, stored: User | null): Typed {
  // A role is missing when the organization was added after the form was opened.
  const roles = (stored?.memberships ?? []).map(({ organization }) => ROLE + organization).filter(form.has)
  return form.texts("name", "email", "operator", "organization", "role", ...roles)
}

async function formPage(visit: PersonVisit, stored: User | null, draft: Draft<Typed>): Promise<Response> {
  const { typed } = draft
  const isNew = stored === null
  return headedPage(visit, {
    title: isNew ? "New person" : stored.name,
    trail: [{ href: USERS, label: "All people" }],
    intro: stored?.email,
    body: (
      <>
        <section class="card narrow">
          <Form action={visit.url.pathname} submit={isNew ? "Create account" : "Save"} cancel={USERS} draft={draft}>
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
            {await roleFields(visit, typed, stored)}
            <p class="hint">{ROLES_HINT}</p>
            <Checkbox
              name="operator"
              label="Operator of this installation"
              checked={typed["operator"] === "yes"}
              hint="Can do everything, in every organization."
            />
          </Form>
        </section>
        {stored !== null && <AccountActions user={stored} isLastOperator={await isLastOperator(visit, stored)} />}
      </>
    ),
  })
}

/** What the organization of a role field is called. */
const nameIn = (user: User | null, field: string) =>
  user?.memberships.find(({ organization }) => ROLE + organization === field)?.organizationName ??
  field.slice(ROLE.length)

async function roleFields(visit: PersonVisit, typed: Typed, stored: User | null) {
  return (
    <>
      {Object.keys(typed)
        .filter((name) => name.startsWith(ROLE))
        .map((name) => (
          <Select
            key={name}
            name={name}
            label={`Role in ${nameIn(stored, name)}`}
            choices={[...ROLES, { value: "none", label: "Remove from organization" }]}
          />
        ))}
      <div class="fields">
        {
          await organizationField(visit, {
            name: "organization",
            label: stored === null ? "Organization" : "Add to an organization",
          })
        }
        <Select name="role" label="Role" choices={ROLES} />
      </div>
    </>
  )
}

const isLastOperator = async ({ context }: PersonVisit, { id, isOperator }: User) =>
  isOperator && !(await context.store.users.hasOperator(id))

function AccountActions({ user, isLastOperator }: { readonly user: User; readonly isLastOperator: boolean }) {
  return (
    <section class="card narrow">
      <h2>Account</h2>
      <p class="soft">
        {user.hasPassword
          ? "Forgot the password? Create a link to set a new one."
          : "No password yet. If the link was lost, create a new one."}
      </p>
      <div class="actions">
        <PostButton action={at(USERS, user.id, "link")} label="Create password link" />
        {user.hasTotp && <AskButton label="Reset two-factor codes" question={resetQuestion(user)} quiet />}
        {!isLastOperator && <AskButton label="Remove account" question={removalQuestion(user)} />}
      </div>
    </section>
  )
}

const asRole = (text: string): MemberRole => (text === "admin" ? "admin" : "member")

/** The memberships that were chosen, or an error if there is no such organization to add. */
async function membershipsOf(visit: PersonVisit, typed: Typed) {
  const { organization = "", role = "" } = typed
  const added = await organizationNamed(visit, organization)
  if (typeof added === "string") return added
  // The role beside it is only the default, which nobody chose over the one above.
  if (added !== null && ROLE + added.slug in typed) return "Already in this organization: change the role above."
  const wanted = new Map<number, MemberRole>()
  for (const [name, as] of Object.entries(typed)) {
    if (!name.startsWith(ROLE) || as === "none") continue
    const stored = await visit.context.store.organizations.findBySlug(name.slice(ROLE.length))
    if (stored !== null) wanted.set(stored.id, asRole(as))
  }
  if (added !== null) wanted.set(added.id, asRole(role))
  return [...wanted].map(([organizationId, as]) => ({ organizationId, role: as }))
}

async function create(visit: PersonVisit): Promise<Response> {
  const typed = read(await readForm(visit.request), null)
  const { name = "", email = "", operator } = typed
  const refuse = (errors: Errors) => formPage(visit, null, { typed, errors })
  const errors = personErrors({ name, email })
  if (Object.keys(errors).length > 0) return refuse(errors)
  const memberships = await membershipsOf(visit, typed)
  if (typeof memberships === "string") return refuse({ organization: memberships })
  const [membership = null] = memberships
  const person = { email, name, isOperator: operator === "yes", membership, passwordHash: null }
  const made = await createUser(visit.context, person, visit.actor)
  if (made !== null) return linkPage(visit, made.user, made.passwordLink ?? "")
  return refuse({ email: `There is already an account for ${normalEmail(email)}.` })
}

const edit: Editing<PersonVisit, User, Typed> = {
  find: findUser,
  start: (user) => ({ typed: textsOf(user), revision: revisionOf(userFields(user)) }),
  page: formPage,
  read,
  async save(visit, { id }, typed, by) {
    const { name = "", operator } = typed
    const refuse = (errors: Errors) => ({ outcome: "refused", errors }) as const
    const errors = nameErrors(name)
    if (Object.keys(errors).length > 0) return refuse(errors)
    const memberships = await membershipsOf(visit, typed)
    if (typeof memberships === "string") return refuse({ organization: memberships })
    const outcome = await editUser(visit.context, id, { name, isOperator: operator === "yes", memberships }, by)
    if (outcome === "changed" || outcome === "not found") return { outcome }
    if (outcome === "done") return goTo(visit, USERS, done(`${name} has been saved.`, at(USERS, id), "Open again"))
    if (outcome === "last operator")
      return { ...refuse({ operator: LAST_OPERATOR }), typed: { ...typed, operator: "yes" } }
    return refuse({ [ROLE + outcome.lastAdminOf]: "This is the last admin. Make someone else an admin first." })
  },
  /** A role that is no longer there is one to be taken away; whoever adds another does so in both versions. */
  compared({ email: _, ...mine }, theirs) {
    const roles = Object.keys(mine).filter((name) => name.startsWith(ROLE))
    return { mine, theirs: { ...mine, ...Object.fromEntries(roles.map((name) => [name, "none"])), ...theirs } }
  },
  conflict: (user) => ({
    title: user.name,
    trail: [{ href: USERS, label: "All people" }],
    what: "this account",
    changes: [
      ["edit user", user.email],
      ["edit member", `user:${user.id}`],
    ],
    labels: (field) => (field.startsWith(ROLE) ? `Role in ${nameIn(user, field)}` : labelled({})(field)),
  }),
}

async function findUser(visit: PersonVisit): Promise<User | null> {
  const id = idParam(visit, "user")
  return id === null ? null : visit.context.store.users.findById(id)
}

const LAST_OPERATOR = "This is the last operator. Make someone else an operator first."

const removalQuestion = ({ id, name, email }: User): Question => ({
  question: `Remove ${name}?`,
  href: at(USERS, id, "remove"),
  submit: "Remove account",
  cancel: at(USERS, id),
  text: `${email} is signed out everywhere and can no longer sign in. The totals they reported stay. This cannot be undone.`,
})

async function remove(visit: PersonVisit, user: User): Promise<Response> {
  const { id, name } = user
  const outcome = await removeUser(visit.context, id, visit.actor)
  if (outcome === "last operator") return goTo(visit, at(USERS, id), problem(LAST_OPERATOR))
  if (typeof outcome !== "object") return goTo(visit, USERS, done(`${name} has been removed.`))
  const text = `${name} is the only admin of ${nameIn(user, ROLE + outcome.lastAdminOf)}. Make someone else an admin first.`
  return goTo(visit, at(USERS, id), problem(text))
}

const resetQuestion = ({ id, name, email }: User): Question => ({
  question: `Reset two-factor sign-in for ${name}?`,
  href: at(USERS, id, "reset-2fa"),
  submit: "Reset",
  cancel: at(USERS, id),
  text: `For someone who lost their phone and recovery codes. ${email} is signed out everywhere, and the password alone is enough to sign in. First make sure that it is really them asking.`,
})

async function reset(visit: PersonVisit, { id, name, email }: User): Promise<Response> {
  const outcome = await resetTwoFactor(visit.context, email, visit.actor)
  if (outcome === "unknown") return pageNotFound(visit)
  const text =
    outcome === "done" ? `Two-factor sign-in is off for ${name}.` : `${name} does not use two-factor sign-in.`
  return goTo(visit, at(USERS, id), done(text))
}

/** The only page that shows the link. */
function linkPage(visit: PersonVisit, { name, email }: Pick<User, "name" | "email">, path: string): Promise<Response> {
  return showLink(visit, OPERATOR, {
    title: `Link for ${name}`,
    trail: [{ href: USERS, label: "All people" }],
    name,
    email,
    path,
    purpose: "to choose a password",
    done: { href: USERS, label: "Back to all people" },
  })
}

async function freshLink(visit: PersonVisit, user: User): Promise<Response> {
  return linkPage(visit, user, await issuePasswordLink(visit.context, user.id, visit.actor))
}

const USER = `${USERS}/:user`

export const userRoutes = [
  ...people.routes(forOperator, USERS, {
    title: "All people",
    actions: <ButtonLink kind="primary" href={`${USERS}/new`} label="New person" />,
    intro: "Everyone who can sign in, in any organization.",
  }),
  forOperator("GET", `${USERS}/new`, (visit) => formPage(visit, null, { typed: NOBODY })),
  forOperator("POST", `${USERS}/new`, create),
  ...editingRoutes(forOperator, USER, edit),
  ...askFirst(forOperator, `${USER}/remove`, findUser, remove, (_, user) => removalQuestion(user)),
  ...askFirst(forOperator, `${USER}/reset-2fa`, findUser, reset, (_, user) => resetQuestion(user)),
  forOperator("POST", `${USER}/link`, withFound(findUser, freshLink)),
]
