import { issuePasswordLink } from "../../../actions/people/issue-link.ts"
import { removeUser } from "../../../actions/people/remove-user.ts"
import { resetTwoFactor } from "../../../actions/people/reset-two-factor.ts"
import type { User } from "../../../domain/people/user.ts"
import { pageNotFound } from "../pages/refusals.tsx"
import { Confirm } from "../parts/form.tsx"
import { inWords, Time } from "../parts/format.tsx"
import { CsvLink } from "../parts/list-bits.tsx"
import { type ListColumn, listCsv } from "../parts/listing.ts"
import { Pager, Table } from "../parts/table.tsx"
import { Badge, Heading } from "../parts/widgets.tsx"
import { done, goTo, page, problem } from "../respond.ts"
import { forOperator } from "../route.ts"
import { sliceOf } from "../slice.ts"
import type { PersonVisit } from "../visit.ts"
import { findUser } from "./find-user.ts"
import { at, USERS } from "./navigation.ts"
import { userFormRoutes } from "./user-form.tsx"
import { linkPage } from "./user-link.tsx"
import { ZONE } from "./zone.ts"

function rolesOf({ isOperator, memberships }: User): string {
  const roles = memberships.map(({ organization, role }) => `${role} of ${organization}`)
  return [...(isOperator ? ["operator"] : []), ...roles].join(", ")
}

const COLUMNS: readonly ListColumn<User>[] = [
  { title: "Name", cell: ({ id, name }) => <a href={at(USERS, id)}>{name}</a>, value: ({ name }) => name },
  { title: "E-mail", cell: ({ email }) => email, value: ({ email }) => email },
  { title: "Roles", cell: (user) => rolesOf(user) || <Badge>none</Badge>, value: rolesOf },
  {
    title: "Password",
    cell: ({ hasPassword }) => (hasPassword ? "set" : <Badge tone="warning">not set yet</Badge>),
    value: ({ hasPassword }) => (hasPassword ? "set" : "not set yet"),
  },
  {
    title: "Since",
    cell: ({ createdAt }) => <Time at={createdAt} zone={ZONE} />,
    value: ({ createdAt }) => inWords(createdAt, ZONE),
  },
]

async function list(visit: PersonVisit): Promise<Response> {
  const users = await visit.context.store.users.list()
  const { shown, previous, next } = sliceOf(visit.url, users)
  return page(visit, {
    title: "Users",
    active: USERS,
    body: (
      <>
        <Heading
          title="Users"
          actions={
            <>
              <CsvLink href={`${USERS}.csv`} />
              <a class="button primary" href={`${USERS}/new`}>
                New user
              </a>
            </>
          }
        >
          <p class="soft">Everybody who may sign in, in whichever organization.</p>
        </Heading>
        <Table caption="Users" columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
        <Pager previous={previous} next={next} previousLabel="Previous" nextLabel="More" />
      </>
    ),
  })
}

async function askRemove(visit: PersonVisit): Promise<Response> {
  const user = await findUser(visit)
  if (user === null) return pageNotFound(visit)
  return page(visit, {
    title: "Remove user",
    active: USERS,
    body: (
      <Confirm
        title={`Remove ${user.name}?`}
        action={at(USERS, user.id, "remove")}
        submit="Remove the account"
        cancel={at(USERS, user.id)}
      >
        <p>
          {user.email} is signed out everywhere and can no longer sign in. What this person reported stays. This cannot
          be undone.
        </p>
      </Confirm>
    ),
  })
}

async function remove(visit: PersonVisit): Promise<Response> {
  const user = await findUser(visit)
  if (user === null) return pageNotFound(visit)
  const outcome = await removeUser(visit.context, user.id, visit.actor)
  if (outcome === "last operator") {
    return goTo(visit, at(USERS, user.id), problem("This is the last operator. Make somebody else one first."))
  }
  return goTo(visit, USERS, done(`${user.name} is removed.`))
}

async function askReset(visit: PersonVisit): Promise<Response> {
  const user = await findUser(visit)
  if (user === null) return pageNotFound(visit)
  return page(visit, {
    title: "Reset two-factor codes",
    active: USERS,
    body: (
      <Confirm
        title={`Reset the two-factor codes of ${user.name}?`}
        action={at(USERS, user.id, "reset-2fa")}
        submit="Reset the codes"
        cancel={at(USERS, user.id)}
      >
        <p>
          For somebody who lost the phone and the recovery codes. From then on the password alone opens the account, and{" "}
          {user.email} is signed out everywhere. Make sure first that it is really this person who asks.
        </p>
      </Confirm>
    ),
  })
}

async function reset(visit: PersonVisit): Promise<Response> {
  const user = await findUser(visit)
  if (user === null) return pageNotFound(visit)
  const outcome = await resetTwoFactor(visit.context, user.email, visit.actor)
  if (outcome === "unknown") return pageNotFound(visit)
  const text = outcome === "done" ? `The two-factor codes of ${user.name} are off.` : `${user.name} has no codes.`
  return goTo(visit, at(USERS, user.id), done(text))
}

async function freshLink(visit: PersonVisit): Promise<Response> {
  const user = await findUser(visit)
  if (user === null) return pageNotFound(visit)
  return linkPage(visit, user, await issuePasswordLink(visit.context, user.id, visit.actor))
}

export const userRoutes = [
  forOperator("GET", USERS, list),
  forOperator("GET", `${USERS}.csv`, async ({ context }) =>
    listCsv("users", COLUMNS, await context.store.users.list()),
  ),
  ...userFormRoutes,
  forOperator("GET", `${USERS}/:user/remove`, askRemove),
  forOperator("POST", `${USERS}/:user/remove`, remove),
  forOperator("GET", `${USERS}/:user/reset-2fa`, askReset),
  forOperator("POST", `${USERS}/:user/reset-2fa`, reset),
  forOperator("POST", `${USERS}/:user/link`, freshLink),
]
