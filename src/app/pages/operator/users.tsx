import { issuePasswordLink } from "../../../actions/people/links.ts"
import { resetTwoFactor } from "../../../actions/people/sign-in.ts"
import { changeRights, removeUser, rightsVersion, type UserChange } from "../../../actions/people/users.ts"
import { isRole } from "../../../domain/people/person.ts"
import { allSeats, allUsers, type Seat, seatsOf, type User, userById } from "../../../storage/people/users.ts"
import { idIn } from "../../find.ts"
import { goTo, goToWithProblem } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import type { FormOf, Remarks, Texts } from "../../forms/form.ts"
import { sendLink } from "../../forms/once.tsx"
import type { List } from "../../list.ts"
import { page } from "../../page.tsx"
import { AskLink, Badge, Card, Empty } from "../../parts/blocks.tsx"
import { Check, Select } from "../../parts/choices.tsx"
import { Form, PostButton } from "../../parts/form.tsx"
import { ListView } from "../../parts/list.tsx"
import { ROLE_CHOICES } from "../../parts/people.tsx"
import { Name } from "../../parts/table.tsx"
import { NotFound, orNotFound, type SignedInVisit } from "../../visit.ts"

const USERS = "/app/operator/users"

interface ListedUser extends User {
  /** The names of the organizations that the person belongs to. */
  readonly organizations: readonly string[]
}

/** Every account. Admins and the operator invite people on the pages of an organization. */
export async function usersPage(visit: SignedInVisit): Promise<Response> {
  const { read, url } = visit
  const seats = Map.groupBy(await allSeats(read), ({ userId }) => userId)
  const organizationsOf = ({ id }: User) => (seats.get(id) ?? []).map(({ organization }) => organization)
  const users = (await allUsers(read)).map((user) => ({ ...user, organizations: organizationsOf(user) }))
  return page(visit, {
    title: "All people",
    intro: "Every account on this server. To add people, invite them on the People page of their organization.",
    body: <ListView list={USER_LIST} rows={users} url={url} />,
  })
}

const USER_LIST: List<ListedUser> = {
  name: "people",
  searched: "names, email addresses and organizations",
  textsOf: ({ name, email, organizations }) => [name, email, ...organizations],
  states: {
    operator: { label: "Operators", has: ({ isOperator }) => isOperator },
    new: { label: "Without a password", has: ({ hasPassword }) => !hasPassword },
  },
  columns: [
    { title: "Name", cell: ({ id, name }) => <Name href={`${USERS}/${id}`}>{name}</Name>, sort: ({ name }) => name },
    { title: "Email", cell: ({ email }) => email, sort: ({ email }) => email, onPhone: "wide" },
    { title: "Organizations", cell: ({ organizations }) => organizations.join(", "), onPhone: "wide" },
    {
      title: "Account",
      onPhone: "wide",
      cell: ({ isOperator, hasPassword, hasTwoFactor }) =>
        (isOperator || !hasPassword || hasTwoFactor) && (
          <span class="actions">
            {isOperator && <Badge tone="good" label="Operator" />}
            {!hasPassword && <Badge tone="warn" label="No password yet" />}
            {hasTwoFactor && <Badge tone="info" label="Two-factor" />}
          </span>
        ),
    },
  ],
  empty: <Empty title="No people yet" text="People are listed here once they accept an invitation." />,
}

interface Person {
  readonly user: User
  readonly seats: readonly Seat[]
}

const TRAIL = { href: USERS, label: "All people" }

const addressOf = ({ id }: User) => `${USERS}/${id}`

async function findPerson(visit: SignedInVisit): Promise<Person> {
  const { read } = visit
  const user = orNotFound(await userById(read, idIn(visit, "user")))
  return { user, seats: await seatsOf(read, user.id) }
}

const roleField = (organizationId: number) => `role.${organizationId}`

/** What a person may do: a role in each organization. */
export const userForm: FormOf<SignedInVisit, Person> = {
  find: findPerson,
  begin: (_, { user, seats }) => ({
    texts: {
      isOperator: user.isOperator ? "yes" : "",
      ...Object.fromEntries(seats.map(({ organization, role }) => [roleField(organization.id), role])),
    },
    version: rightsVersion(user.isOperator, seats),
  }),
  view(_, person) {
    const { user, seats } = person
    return {
      title: user.name,
      trail: [TRAIL],
      intro: user.email,
      badge: !user.hasPassword && <Badge tone="warn" label="No password yet" />,
      body: (
        <div class="cols">
          <Card title="Rights">
            <Form submit="Save rights" cancel={USERS}>
              <Check name="isOperator" label="Operator" hint={OPERATOR_HINT} />
              {seats.map(({ organization }) => (
                <Select name={roleField(organization.id)} label={organization.name} choices={SEAT_ROLES} required />
              ))}
            </Form>
          </Card>
          <AccountCard user={user} />
        </div>
      ),
    }
  },
  async save(visit, person, texts, version) {
    const { user } = person
    const wanted = { isOperator: texts["isOperator"] === "yes", seats: seatsIn(person, texts) }
    const changed = await changeRights(visit.context, visit.actor, user.id, wanted, version)
    if (changed === "changed") return changed
    const path = pathOf(changed)
    if (path === null) return goTo(visit, addressOf(user), "The rights are saved.")
    return typeof path === "string" ? sendPasswordLink(visit, user, path) : path
  },
}

const SEAT_ROLES = [...ROLE_CHOICES, { value: "none", label: "No longer in this organization" }]
const OPERATOR_HINT =
  "Operators manage this server and see every organization. A new operator has to choose a new password, with a link."

const seatsIn = ({ seats }: Person, texts: Texts) =>
  seats.flatMap(({ organization, role: before }) => {
    const role = texts[roleField(organization.id)] ?? before
    return isRole(role) ? [{ organizationId: organization.id, role }] : []
  })

/** The link that a change brings, or why it was refused. */
function pathOf(changed: Exclude<UserChange, "changed">): string | null | Remarks {
  if (changed === "not found") throw new NotFound()
  if (changed === "last operator")
    return { errors: { "": "This is the last operator. Make another person an operator first." } }
  if ("path" in changed) return changed.path
  return { errors: { "": `This is the last admin of ${changed.lastAdminOf}. Make another person an admin first.` } }
}

const sendPasswordLink = (visit: SignedInVisit, user: User, path: string): Promise<Response> =>
  sendLink(visit, {
    title: "A new password",
    trail: [TRAIL, { href: addressOf(user), label: user.name }],
    to: user,
    path,
    purpose: `to set a new password for ${user.email}`,
  })

const AccountCard = ({ user }: { readonly user: User }) => (
  <Card title="Account">
    <p class="soft">With a link, {user.name} can set a new password. It signs them out everywhere.</p>
    <div class="actions">
      <PostButton action={`${addressOf(user)}/link`} label="Make a password link" />
      {user.hasTwoFactor && (
        <AskLink
          href={`${addressOf(user)}/reset-two-factor`}
          label="Turn off two-factor codes"
          about={`Turn off two-factor codes: ${user.name}`}
        />
      )}
      <AskLink href={`${addressOf(user)}/delete`} label="Delete account" about={`Delete account: ${user.name}`} />
    </div>
  </Card>
)

export async function makePasswordLink(visit: SignedInVisit): Promise<Response> {
  const { user } = await findPerson(visit)
  const path = orNotFound(await issuePasswordLink(visit.context, visit.actor, user.id))
  return sendPasswordLink(visit, user, path)
}

export const resetTwoFactorForm = askFirst({
  find: findPerson,
  ask: (_, { user }) => ({
    title: `Turn off two-factor codes for ${user.name}?`,
    text: "Do this if they lost their phone and their recovery codes. Make sure that the request really comes from them. They’re signed out everywhere, and sign in with their password alone.",
    submit: "Turn off",
    cancel: addressOf(user),
  }),
  async act(visit, { user }) {
    const isDone = await resetTwoFactor(visit.context, visit.actor, user.id)
    if (!isDone) return goToWithProblem(visit, addressOf(user), "Two-factor codes were off already.")
    return goTo(visit, addressOf(user), "Two-factor codes are off.")
  },
})

export const deleteUserForm = askFirst({
  find: findPerson,
  ask: (_, { user }) => ({
    title: `Delete the account of ${user.name}?`,
    text: "They’re signed out and can’t sign in again. Their changes stay in the list of changes.",
    submit: "Delete account",
    cancel: addressOf(user),
  }),
  async act(visit, { user }) {
    const removed = await removeUser(visit.context, visit.actor, user.id)
    if (removed === "changed") throw new NotFound()
    const refused = pathOf(removed)
    if (refused !== null && typeof refused !== "string") return refused
    return goTo(visit, USERS, `The account of ${user.name} is deleted.`)
  },
})
