import { issuePasswordLink } from "../../../actions/people/one-time-links.ts"
import { resetTwoFactor } from "../../../actions/people/two-factor.ts"
import { removeUser } from "../../../actions/people/users.ts"
import { type ListRules, listPage } from "../../../domain/lists/list-query.ts"
import type { User } from "../../../domain/people/user.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import type { UserHead } from "../../../storage/port/store.ts"
import { askFirst } from "../ask-first.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { at, USERS } from "../frame/navigation.ts"
import { askedList, askedRows, type ListColumn, ListView, nameColumn, START } from "../lists.tsx"
import { offsetOf } from "../paging.ts"
import { ButtonLink } from "../parts/buttons.tsx"
import { Badge } from "../parts/feedback.tsx"
import { Time } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { listCsv } from "../parts/table.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forOperator, withFound } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import {
  findUser,
  LAST_OPERATOR,
  linkPage,
  removalQuestion,
  resetQuestion,
  USER,
  userFormRoutes,
} from "./user-form.tsx"

const CSV_ROWS_AT_ONCE = 200

const RULES: ListRules<UserHead> = {
  searched: ({ name, email }) => `${name}\n${email}`,
  states: { operators: ({ isOperator }) => isOperator, invited: ({ hasPassword }) => !hasPassword },
  sorts: { name: ({ name }) => name, email: ({ email }) => email, since: ({ createdAt }) => createdAt },
  largestFirst: ["since"],
}

/** Everybody, with only what the list is searched and sorted by. */
const allHeads = ({ context: { store } }: PersonVisit) => store.users.heads(null, Number.MAX_SAFE_INTEGER)

/** The whole users, in the order of the heads. */
async function usersOf({ context: { store } }: PersonVisit, heads: readonly UserHead[]): Promise<User[]> {
  const found = await store.users.findByIds(heads.map(({ id }) => id))
  const byId = new Map(found.map((user) => [user.id, user]))
  return heads.flatMap(({ id }) => byId.get(id) ?? [])
}

function rolesOf({ isOperator, memberships }: User): string {
  const roles = memberships.map(({ organization, role }) => `${role} of ${organization}`)
  return [...(isOperator ? ["operator"] : []), ...roles].join(", ")
}

const COLUMNS: readonly ListColumn<User>[] = [
  nameColumn({ title: "Name", nameOf: ({ name }) => name, href: ({ id }) => at(USERS, id) }),
  { title: "Email", sortBy: "email", phone: "wide", value: ({ email }) => email },
  { title: "Roles", cell: (user) => rolesOf(user) || <Badge>none</Badge>, value: rolesOf },
  {
    title: "Password",
    cell: ({ hasPassword }) => (hasPassword ? "set" : <Badge tone="warn">not set yet</Badge>),
    value: ({ hasPassword }) => (hasPassword ? "set" : "not set yet"),
  },
  {
    title: "Since",
    sortBy: "since",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    value: ({ createdAt }) => formatMoment(createdAt),
  },
]

async function list(visit: PersonVisit): Promise<Response> {
  const { url } = visit
  const list = listPage(await allHeads(visit), RULES, askedList(url, RULES, offsetOf(url, START)))
  return headedPage(visit, {
    title: "All people",
    actions: <ButtonLink kind="primary" href={`${USERS}/new`} label="New person" />,
    intro: "Everyone who can sign in, in any organization.",
    body: (
      <ListView
        url={url}
        list={{ ...list, rows: await usersOf(visit, list.rows) }}
        rules={RULES}
        what="people"
        searched="names and email addresses"
        states={{ operators: "Operators", invited: "Without a password" }}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        csv={`${USERS}.csv${url.search}`}
      />
    ),
  })
}

/** Everybody that the list would show on all of its pages. */
async function* found(visit: PersonVisit) {
  const heads = askedRows(visit.url, RULES, await allHeads(visit))
  for (let from = 0; from < heads.length; from += CSV_ROWS_AT_ONCE)
    yield await usersOf(visit, heads.slice(from, from + CSV_ROWS_AT_ONCE))
}

async function remove(visit: PersonVisit, user: User): Promise<Response> {
  const outcome = await removeUser(visit.context, user.id, visit.actor)
  if (outcome === "last operator") return goTo(visit, at(USERS, user.id), problem(LAST_OPERATOR))
  if (typeof outcome === "object") {
    const text = `${user.name} is the only admin of ${outcome.lastAdminOf}. Make someone else an admin first.`
    return goTo(visit, at(USERS, user.id), problem(text))
  }
  return goTo(visit, USERS, done(`${user.name} has been removed.`))
}

async function reset(visit: PersonVisit, user: User): Promise<Response> {
  const outcome = await resetTwoFactor(visit.context, user.email, visit.actor)
  if (outcome === "unknown") return pageNotFound(visit)
  const text =
    outcome === "done" ? `Two-factor sign-in is off for ${user.name}.` : `${user.name} does not use two-factor sign-in.`
  return goTo(visit, at(USERS, user.id), done(text))
}

async function freshLink(visit: PersonVisit, user: User): Promise<Response> {
  return linkPage(visit, user, await issuePasswordLink(visit.context, user.id, visit.actor))
}

export const userRoutes = [
  forOperator("GET", USERS, list),
  forOperator("GET", `${USERS}.csv`, (visit) => listCsv("users", COLUMNS, found(visit))),
  ...userFormRoutes,
  ...askFirst(forOperator, `${USER}/remove`, findUser, remove, (_, user) => removalQuestion(user)),
  ...askFirst(forOperator, `${USER}/reset-2fa`, findUser, reset, (_, user) => resetQuestion(user)),
  forOperator("POST", `${USER}/link`, withFound(findUser, freshLink)),
]
