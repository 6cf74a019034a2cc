import { issuePasswordLink } from "../../../actions/people/one-time-links.ts"
import { resetTwoFactor } from "../../../actions/people/two-factor.ts"
import { createUser, editUser, removeUser } from "../../../actions/people/users.ts"
import { seenOf } from "../../../domain/edit-conflict.ts"
import { type MemberRole, nameErrors } from "../../../domain/people/organization.ts"
import { normalEmail, personErrors, type User, userFields } from "../../../domain/people/user.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import type { UserHead } from "../../../storage/port/store.ts"
import { AskButton, askFirst, type Question } from "../ask-first.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm, type SentForm } from "../form.ts"
import { itemAddress, USERS } from "../frame/navigation.ts"
import { inOrder, listing } from "../lists.tsx"
import { showLink } from "../one-time-secret.tsx"
import { LINK_HINT, ROLES, ROLES_HINT } from "../organization/members.tsx"
import { Badge, ButtonLink, PostButton } from "../parts/blocks.tsx"
import { Checkbox, Select } from "../parts/form/choices.tsx"
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

const NO_PASSWORD = <Badge tone="warn">No password yet</Badge>

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
    { title: "Name", sortBy: "name", value: ({ name }) => name, href: ({ id }) => itemAddress(USERS, id) },
    { title: "Email", sortBy: "email", narrow: "wide", value: ({ email }) => email },
    {
      title: "Roles",
      cell: (user) => [rolesOf(user) || <Badge>none</Badge>, " ", !user.hasPassword && NO_PASSWORD],
      value: rolesOf,
    },
    { ...agoColumn("Since", ({ createdAt }) => createdAt), sortBy: "since" },
  ],
  file: () => "users",
  inFile: [{ title: "Password", value: ({ hasPassword }) => (hasPassword ? "set" : "not set yet") }],
})

type Typed = Readonly<Record<"name" | "email" | "operator" | "organization" | "role", string>>

const TRAIL = [{ href: USERS, label: "All people" }]

const NOBODY: Typed = { name: "", email: "", operator: "", organization: "", role: "member" }

const read = (form: SentForm): Typed => form.texts("name", "email", "operator", "organization", "role")

const OPERATOR_HINT = "Can do everything, in every organization."

async function formPage(visit: PersonVisit, stored: User | null, draft: Draft<Typed>): Promise<Response> {
  const [isNew, isOperator] = [stored === null, draft.typed.operator === "yes"]
  return headedPage(visit, {
    title: stored?.name ?? "New person",
    trail: TRAIL,
    intro: stored?.email,
    body: [
      <section class="card narrow">
        <Form action={visit.url.pathname} submit={isNew ? "Create account" : "Save"} cancel={USERS} draft={draft}>
          <Field name="name" label="Name" required maxlength={200} />
          {isNew && <Field name="email" label="Email" type="email" required hint={`Used to sign in. ${LINK_HINT}`} />}
          {stored !== null && <Memberships user={stored} />}
          <div class="fields">
            {await organizationField(visit, "organization", isNew ? "Organization" : "Add to an organization")}
            <Select name="role" label="Role" choices={ROLES} />
          </div>
          <p class="hint">{ROLES_HINT}</p>
          <Checkbox name="operator" label="Operator of this installation" checked={isOperator} hint={OPERATOR_HINT} />
        </Form>
      </section>,
      stored !== null && <AccountActions user={stored} isLastOperator={await isLastOperator(visit, stored)} />,
    ],
  })
}

/** Each role is changed where the organization's people are. */
const Memberships = ({ user: { id, memberships } }: { readonly user: User }) => (
  <ul class="plain">
    {memberships.map(({ organization, organizationName, role }) => (
      <li>
        {capitalized(role)} of <a href={`/app/o/${organization}/members/${id}`}>{organizationName}</a>
      </li>
    ))}
  </ul>
)

const isLastOperator = async ({ context }: PersonVisit, { id, isOperator }: User) =>
  isOperator && !(await context.store.users.hasOperator(id))

const AccountActions = ({ user, isLastOperator }: { readonly user: User; readonly isLastOperator: boolean }) => (
  <section class="card narrow">
    <h2>Account</h2>
    <p class="soft">
      {user.hasPassword
        ? "Forgot the password? Create a link to set a new one."
        : "No password yet. If the link was lost, create a new one."}
    </p>
    <div class="actions">
      <PostButton action={itemAddress(USERS, user.id, "link")} label="Create password link" />
      {user.hasTotp && <AskButton label="Reset two-factor codes" question={resetQuestion(user)} />}
      {!isLastOperator && <AskButton label="Remove account" question={removalQuestion(user)} />}
    </div>
  </section>
)

/** The person as typed, with the membership that was added, or what is wrong. */
async function personTyped(visit: PersonVisit, stored: User | null, typed: Typed) {
  const { name, email, organization, role: typedRole, operator } = typed
  const errors: Errors = stored === null ? personErrors({ name, email }) : nameErrors("name", name)
  if (Object.keys(errors).length > 0) return { errors }
  const kept = stored?.memberships ?? []
  const added = await organizationNamed(visit, organization)
  if (typeof added === "string") return { errors: { organization: added } }
  if (kept.some(({ organizationId }) => organizationId === added?.id))
    return { errors: { organization: "Already in this organization." } }
  const role: MemberRole = typedRole === "admin" ? "admin" : "member"
  const membership = added && { organizationId: added.id, role }
  const memberships = [...kept, ...(membership ? [membership] : [])]
  return { name, isOperator: operator === "yes", membership, memberships }
}

async function create(visit: PersonVisit): Promise<Response> {
  const typed = read(await readForm(visit.request))
  const { email } = typed
  const refuse = (errors: Errors) => formPage(visit, null, { typed, errors })
  const person = await personTyped(visit, null, typed)
  if ("errors" in person) return refuse(person.errors)
  const { name, isOperator, membership } = person
  const account = { email, name, isOperator, membership, passwordHash: null }
  const made = await createUser(visit.context, account, visit.actor)
  if (made !== null) return linkPage(visit, made.user, made.passwordLink ?? "")
  return refuse({ email: `There is already an account for ${normalEmail(email)}.` })
}

const edit: Editing<PersonVisit, User, Typed> = {
  find: findUser,
  start: (user) => ({
    typed: { ...NOBODY, name: user.name, operator: user.isOperator ? "yes" : "" },
    seen: seenOf(userFields(user)),
  }),
  page: formPage,
  read,
  async save(visit, user, typed, by) {
    const person = await personTyped(visit, user, typed)
    if ("errors" in person) return { outcome: "refused", errors: person.errors }
    const { name, isOperator, memberships } = person
    const outcome = await editUser(visit.context, user.id, { name, isOperator, memberships }, by)
    if (outcome === "changed" || outcome === "not found") return { outcome }
    if (outcome === "last operator")
      return { outcome: "refused", errors: { operator: LAST_OPERATOR }, typed: { ...typed, operator: "yes" } }
    return goTo(visit, USERS, done(`${name} has been saved.`, itemAddress(USERS, user.id), "Open again"))
  },
  conflict: ({ id, name, email }) => ({
    title: name,
    trail: TRAIL,
    what: "this account",
    changes: [
      ["edit user", email],
      ["edit member", `user:${id}`],
    ],
  }),
}

function findUser(visit: PersonVisit): Promise<User | null> {
  return visit.context.store.users.findById(idParam(visit, "user"))
}

const LAST_OPERATOR = "This is the last operator. Make someone else an operator first."

const removalQuestion = ({ id, name, email }: User): Question => ({
  title: `Remove ${name}?`,
  href: itemAddress(USERS, id, "remove"),
  submit: "Remove account",
  text: `${email} is signed out everywhere and can no longer sign in. The totals they reported stay. This cannot be undone.`,
})

async function remove(visit: PersonVisit, { id, name, memberships }: User): Promise<Response> {
  const outcome = await removeUser(visit.context, id, visit.actor)
  if (outcome === "last operator") return goTo(visit, itemAddress(USERS, id), problem(LAST_OPERATOR))
  if (typeof outcome !== "object") return goTo(visit, USERS, done(`${name} has been removed.`))
  const organization = memberships.find((each) => each.organization === outcome.lastAdminOf)?.organizationName
  const text = `${name} is the only admin of ${organization}. Make someone else an admin first.`
  return goTo(visit, itemAddress(USERS, id), problem(text))
}

const resetQuestion = ({ id, name, email }: User): Question => ({
  title: `Reset two-factor sign-in for ${name}?`,
  href: itemAddress(USERS, id, "reset-2fa"),
  submit: "Reset",
  text: `For someone who lost their phone and recovery codes. ${email} is signed out everywhere, and the password alone is enough to sign in. First make sure that it is really them asking.`,
})

async function reset(visit: PersonVisit, { id, name, email }: User): Promise<Response> {
  const outcome = await resetTwoFactor(visit.context, email, visit.actor)
  if (outcome === "unknown") return pageNotFound(visit)
  const text =
    outcome === "done" ? `Two-factor sign-in is off for ${name}.` : `${name} does not use two-factor sign-in.`
  return goTo(visit, itemAddress(USERS, id), done(text))
}

/** The only page that shows the link. */
const linkPage = (visit: PersonVisit, to: Pick<User, "name" | "email">, path: string): Promise<Response> =>
  showLink(visit, { title: `Link for ${to.name}`, trail: TRAIL, to, path, purpose: "to choose a password" })

const freshLink = async (visit: PersonVisit, user: User): Promise<Response> =>
  linkPage(visit, user, await issuePasswordLink(visit.context, user.id, visit.actor))

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
