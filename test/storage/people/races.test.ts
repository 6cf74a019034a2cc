import { expect, test } from "bun:test"
import {
  claimPasswordLink,
  claimSetupLink,
  issuePasswordLink,
  issueSetupLink,
} from "../../../src/actions/people/links.ts"
import { acceptInvitation, changeRole, invite, removeMember } from "../../../src/actions/people/members.ts"
import { countAttempt } from "../../../src/actions/people/passwords.ts"
import { createUser, removeUser } from "../../../src/actions/people/users.ts"
import { hashToken } from "../../../src/domain/people/session.ts"
import { claimRecoveryCode, claimTimeStep, sessionByToken, setTwoFactor } from "../../../src/storage/people/sign-in.ts"
import { allUsers, membersOf } from "../../../src/storage/people/users.ts"
import { createOrganization } from "../../harness/data/created.ts"
import { eachEngine, openStore, type TestStore } from "../../harness/store.ts"

const BROWSER = { userAgent: "", address: "127.0.0.1", previousHash: null }
const PASSWORD = "seven boats at dusk"

const tokenIn = (path: string | null) => path?.split("/").at(-1) ?? ""

const person = (email: string) => ({ email, name: "Ana", isOperator: false, seat: null, passwordHash: null })

/** An organization with these admins. */
async function givenAdmins(store: TestStore, emails: readonly string[]) {
  const organizationId = await createOrganization(store, { slug: "acme", name: "Acme", timeZone: "UTC" })
  const ids: number[] = []
  for (const email of emails) {
    const created = await createUser(store, "test", { ...person(email), seat: { organizationId, role: "admin" } })
    ids.push(created?.userId ?? 0)
  }
  return { organizationId, ids }
}

/** Runs the same thing twice at once, in two processes. */
async function twice<Result>(store: TestStore, run: (store: TestStore, index: number) => Promise<Result>) {
  const other = await store.openAnother()
  return Promise.all([run(store, 0), run(other, 1)])
}

eachEngine((engine) => {
  test("two people who open the set-up link at once: one becomes the operator", async () => {
    await using store = await openStore(engine)
    const links = [await issueSetupLink(store), await issueSetupLink(store)]
    const claimed = await twice(store, (each, i) =>
      claimSetupLink(
        each,
        tokenIn(links[i] ?? null),
        { email: `p${i}@example.com`, name: "P", password: PASSWORD },
        BROWSER,
      ),
    )
    expect(claimed.filter((outcome) => outcome === "gone")).toHaveLength(1)
    expect((await allUsers(store.database.read)).filter(({ isOperator }) => isOperator)).toHaveLength(1)
  })

  test("a password link that is used twice at once works once", async () => {
    await using store = await openStore(engine)
    const created = await createUser(store, "test", person("ana@example.com"))
    const link = tokenIn(await issuePasswordLink(store, "test", created?.userId ?? 0))
    const claimed = await twice(store, (each) => claimPasswordLink(each, link, PASSWORD, BROWSER))
    expect(claimed.filter((outcome) => outcome === "gone")).toHaveLength(1)
    const tokens = claimed.flatMap((outcome) => (typeof outcome === "string" ? [] : [outcome.token]))
    const now = store.clock()
    for (const token of tokens) {
      const session = await sessionByToken(store.database.read, hashToken(token), now)
      expect(session?.user.email).toBe("ana@example.com")
    }
  })

  test("an invitation that is accepted twice at once makes one account", async () => {
    await using store = await openStore(engine)
    const { organizationId } = await givenAdmins(store, ["ana@example.com"])
    const inviter = { actor: "test", isOperator: false }
    const invited = await invite(store, inviter, organizationId, {
      name: "Ben",
      email: "ben@example.com",
      role: "member",
    })
    const link = "path" in invited ? tokenIn(invited.path) : ""
    const accepted = await twice(store, (each) => acceptInvitation(each, link, { name: "Ben", password: PASSWORD }))
    expect(accepted.toSorted()).toEqual(["accepted", "gone"])
    expect(await membersOf(store.database.read, organizationId)).toHaveLength(2)
  })

  test("two admins who remove each other at once: one stays", async () => {
    await using store = await openStore(engine)
    const { organizationId, ids } = await givenAdmins(store, ["ana@example.com", "ben@example.com"])
    const removed = await twice(store, (each, i) =>
      removeMember(each, "test", { organizationId, userId: ids[1 - i] ?? 0 }),
    )
    expect(removed.toSorted()).toEqual(["done", "last admin"])
    const [last] = await membersOf(store.database.read, organizationId)
    const demoted = await changeRole(store, "test", { organizationId, userId: last?.id ?? 0 }, "member")
    expect(demoted).toBe("last admin")
  })

  test("two operators who delete each other at once: one stays", async () => {
    await using store = await openStore(engine)
    const ids: number[] = []
    for (const email of ["ana@example.com", "ben@example.com"])
      ids.push((await createUser(store, "test", { ...person(email), isOperator: true }))?.userId ?? 0)
    const removed = await twice(store, (each, i) => removeUser(each, "test", ids[1 - i] ?? 0))
    expect(removed.filter((outcome) => outcome === "last operator")).toHaveLength(1)
  })

  test("an address gets only one account", async () => {
    await using store = await openStore(engine)
    const created = await twice(store, (each, i) =>
      createUser(each, "test", person(i === 0 ? "ana@example.com" : "ANA@example.com")),
    )
    expect(created.filter((outcome) => outcome === null)).toHaveLength(1)
  })

  test("a code and a recovery code work once", async () => {
    await using store = await openStore(engine)
    const userId = (await createUser(store, "test", person("ana@example.com")))?.userId ?? 0
    await store.database.transact((tx) => setTwoFactor(tx, userId, "SECRET", ["hash"]))
    const steps = await twice(store, (each) => each.database.transact((tx) => claimTimeStep(tx, userId, 7)))
    expect(steps.toSorted()).toEqual([false, true])
    expect(await store.database.transact((tx) => claimTimeStep(tx, userId, 6))).toBe(false)
    const codes = await twice(store, (each) => each.database.transact((tx) => claimRecoveryCode(tx, userId, "hash")))
    expect(codes.toSorted()).toEqual([false, true])
  })

  test("attempts at once are counted one after the other", async () => {
    await using store = await openStore(engine)
    const other = await store.openAnother()
    const attempts = Array.from({ length: 10 }, (_, i) =>
      countAttempt(i % 2 === 0 ? store : other, ["account", "address"]),
    )
    const waits = await Promise.all(attempts)
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
  })
})
