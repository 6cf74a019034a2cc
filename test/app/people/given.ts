import type { TestApp } from "../../harness/app.ts"
import { type Browse, type BrowsedPage, browse } from "../../harness/browser/browse.ts"
import { addSeat, addUser } from "../../harness/inside.ts"

export const PASSWORD = "seven boats at dusk"

// All people have the same.
const hash = Bun.password.hash(PASSWORD)

interface GivenPerson {
  readonly email?: string
  readonly name?: string
  readonly isOperator?: boolean
  readonly organization?: { readonly id: number }
  readonly role?: "admin" | "member"
}

/** Adds a person who signs in with PASSWORD. Returns their ID. */
export async function givenPerson(app: TestApp, person: GivenPerson = {}): Promise<number> {
  const { email = "ana@example.com", name = "Ana Ruiz", isOperator = false, organization, role = "admin" } = person
  const passwordHash = await hash
  return app.database.transact(async (tx) => {
    const userId = await addUser(tx, { email, name, isOperator, passwordHash, createdAt: app.clock() })
    if (organization !== undefined) await addSeat(tx, { userId, organizationId: organization.id, role })
    return userId
  })
}

/** Signs in through the form. Without an operator there is no form, so there is always one. */
export async function signInAs(
  open: Browse,
  { email = "ana@example.com", password = PASSWORD, next = "/app/account" } = {},
): Promise<BrowsedPage> {
  return (await open(`/app/sign-in?next=${encodeURIComponent(next)}`)).send({ email, password })
}

/** A browser in which the person has signed in through the form. */
export async function signedInBrowser(app: TestApp, email?: string): Promise<Browse> {
  const open = browse(app)
  await signInAs(open, email === undefined ? {} : { email })
  return open
}

/** The address of a link of this kind on the page: "password", "invitation". */
export function linkOn({ html }: { readonly html: string }, kind: string): string {
  const path = new RegExp(`/app/${kind}/[\\w-]+`).exec(html)?.[0]
  if (path === undefined) throw new Error(`There is no link to /app/${kind} on the page.`)
  return path
}
