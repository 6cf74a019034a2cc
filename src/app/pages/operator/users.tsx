import { allSeats, allUsers, type User } from "../../../storage/people/users.ts"
import type { List } from "../../list.ts"
import { page } from "../../page.tsx"
import { Badge, Empty } from "../../parts/blocks.tsx"
import { ListView } from "../../parts/list.tsx"
import { Name } from "../../parts/table.tsx"
import type { SignedInVisit } from "../../visit.ts"

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
