import { issuePasswordLink } from "../../../actions/people/one-time-links.ts"
import { resetTwoFactor } from "../../../actions/people/two-factor.ts"
import { editUser, removeUser } from "../../../actions/people/users.ts"
import { seenOf } from "../../../domain/edit-conflict.ts"
import { nameErrors } from "../../../domain/people/organization.ts"
import { type User, userFields } from "../../../domain/people/user.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import type { UserHead } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { itemAddress, USERS } from "../frame/navigation.ts"
import { askFirst, forOperator, withFound } from "../guards.ts"
import { inOrder, listing } from "../lists.tsx"
import { showLink } from "../one-time-secret.tsx"
import { Badge, PostButton } from "../parts/blocks.tsx"
import { Checkbox } from "../parts/form/choices.tsx"
import { type Editing, editingRoutes } from "../parts/form/editing.tsx"
import { type Draft, Field, Form } from "../parts/form/form.tsx"
import { agoColumn } from "../parts/table.tsx"
import { AskButton, done, goTo, headedPage, problem, type Question } from "../respond.tsx"
import { idParam, type PersonVisit } from "../visit.ts"

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
  rows: ({ context }) => context.store.users.heads(),
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
})

type Typed = Readonly<{ name: string; operator: string }>

const TRAIL = [{ href: USERS, label: "All people" }]

const OPERATOR_HINT = "Can do everything, in every organization."

const formPage = async (visit: PersonVisit, user: User, draft: Draft<Typed>): Promise<Response> =>
  headedPage(visit, {
    title: user.name,
    trail: TRAIL,
    intro: user.email,
    body: [
      <section class="card narrow">
        <Form action={visit.url.pathname} submit="Save" cancel={USERS} draft={draft}>
          <Field name="name" label="Name" required maxlength={200} />
          <Memberships user={user} />
          <Checkbox
            name="operator"
            label="Operator of this installation"
            checked={draft.typed.operator === "yes"}
            hint={OPERATOR_HINT}
          />
        </Form>
      </section>,
      <AccountActions user={user} isLastOperator={await isLastOperator(visit, user)} />,
    ],
  })

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

const edit: Editing<PersonVisit, User, Typed> = {
  find: findUser,
  start: (user) => ({
    typed: { name: user.name, operator: user.isOperator ? "yes" : "" },
    seen: seenOf(userFields(user)),
  }),
  page: formPage,
  read: (form) => form.texts("name", "operator"),
  async save(visit, { id, memberships }, typed, by) {
    const { name } = typed
    const errors = nameErrors("name", name)
    if (errors.name !== undefined) return { outcome: "refused", errors }
    const edited = { name, isOperator: typed.operator === "yes", memberships }
    const outcome = await editUser(visit.context, id, edited, by)
    if (outcome === "changed" || outcome === "not found") return { outcome }
    if (outcome === "last operator")
      return { outcome: "refused", errors: { operator: LAST_OPERATOR }, typed: { ...typed, operator: "yes" } }
    return goTo(visit, USERS, done(`${name} has been saved.`, itemAddress(USERS, id), "Open again"))
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

async function freshLink(visit: PersonVisit, to: User): Promise<Response> {
  const path = await issuePasswordLink(visit.context, to.id, visit.actor)
  return showLink(visit, { title: `Link for ${to.name}`, trail: TRAIL, to, path, purpose: "to choose a password" })
}

const USER = `${USERS}/:user`

export const userRoutes = [
  ...people.routes(forOperator, USERS, {
    title: "All people",
    intro: "Everyone who can sign in, in any organization. New people are invited by an organization.",
  }),
  ...editingRoutes(forOperator, USER, edit),
  ...askFirst(forOperator, `${USER}/remove`, findUser, remove, (_, user) => removalQuestion(user)),
  ...askFirst(forOperator, `${USER}/reset-2fa`, findUser, reset, (_, user) => resetQuestion(user)),
  forOperator("POST", `${USER}/link`, withFound(findUser, freshLink)),
]
