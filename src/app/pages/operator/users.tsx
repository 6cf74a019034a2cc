import { hasMail } from "../../../actions/mail.ts"
import { readPerson } from "../../../actions/people/members.ts"
import { createUser } from "../../../actions/people/users.ts"
import { allOrganizations, type Organization } from "../../../storage/organizations.ts"
import { allSeats, allUsers, type User } from "../../../storage/people/users.ts"
import type { FormOf } from "../../forms/form.ts"
import { sendLink } from "../../forms/once.tsx"
import type { List } from "../../list.ts"
import { page } from "../../page.tsx"
import { Badge, ButtonLink, Empty } from "../../parts/blocks.tsx"
import { Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { ListView } from "../../parts/list.tsx"
import { OperatorCheck, organizationChoices, ROLE_CHOICES } from "../../parts/people.tsx"
import { Name } from "../../parts/table.tsx"
import type { SignedInVisit } from "../../visit.ts"

const USERS = "/app/operator/users"

interface ListedUser extends User {
  /** The names of the organizations that the person belongs to. */
  readonly organizations: readonly string[]
}

interface Everybody {
  readonly users: readonly ListedUser[]
  readonly organizations: readonly Organization[]
  readonly hasMail: boolean
}

/** Every account, and a form that creates another one. */
export const usersForm: FormOf<SignedInVisit, Everybody> = {
  async find({ context }) {
    const { read } = context.database
    const seats = Map.groupBy(await allSeats(read), ({ userId }) => userId)
    const organizationsOf = ({ id }: User) => (seats.get(id) ?? []).map(({ organization }) => organization)
    const users = (await allUsers(read)).map((user) => ({ ...user, organizations: organizationsOf(user) }))
    return { users, organizations: await allOrganizations(read), hasMail: await hasMail(context) }
  },
  begin: () => ({ texts: { role: "member" } }),
  view: (visit, { users, organizations, hasMail }, form) =>
    page(visit, {
      title: "All people",
      intro: "Every account on this server.",
      actions: <ButtonLink kind="primary" icon="plus" href="#new-person" label="New person" />,
      form,
      body: (
        <>
          <ListView list={USER_LIST} rows={users} url={visit.url} />
          <section class="card form-card" id="new-person">
            <h2>New person</h2>
            <Form submit="Create account">
              <Field name="name" label="Name" required />
              <Field
                name="email"
                label="Email"
                type="email"
                hint={hasMail ? "A link to set a password is mailed to them." : "You get a link to send to them."}
                required
              />
              <Select name="organization" label="Organization" choices={organizationChoices(organizations)} />
              <Select name="role" label="Role" choices={ROLE_CHOICES} required />
              <OperatorCheck />
            </Form>
          </section>
        </>
      ),
    }),
  async save(visit, { organizations }, { name = "", email = "", role = "", organization = "", isOperator }) {
    const person = readPerson({ name, email, role })
    if ("errors" in person) return person
    const place = organizations.find(({ slug }) => slug === organization)
    if (place === undefined && organization !== "") return { errors: { organization: "Choose an organization." } }
    const seat = place === undefined ? null : { organizationId: place.id, role: person.role }
    const account = { ...person, seat, isOperator: isOperator === "yes", passwordHash: null }
    const created = await createUser(visit.context, visit.actor, account)
    if (created === null || created.path === null)
      return { errors: { email: "This address has an account already. Search for it above." } }
    return sendLink(visit, {
      title: `${person.name} has an account`,
      trail: [{ href: USERS, label: "All people" }],
      to: person,
      path: created.path,
      purpose: `to set a password for ${person.email}`,
    })
  },
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
  empty: <Empty title="No people yet" text="Create the first account." />,
}
