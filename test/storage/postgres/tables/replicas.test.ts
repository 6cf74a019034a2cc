import { describe, expect, test } from "bun:test"
import { addCampaign } from "../../../../src/actions/campaigns/campaigns.ts"
import { replaceLine } from "../../../../src/actions/campaigns/lines.ts"
import { addOrganization } from "../../../../src/actions/people/organizations.ts"
import { storeSession } from "../../../../src/actions/people/sessions.ts"
import { addUser } from "../../../../src/actions/people/users.ts"
import { readAddress } from "../../../../src/domain/operations/database-url.ts"
import type { Change } from "../../../../src/domain/people/audit.ts"
import { openPools } from "../../../../src/storage/postgres/engine/connect.ts"
import { steps } from "../../../../src/storage/postgres/engine/steps.ts"
import { type Access, access } from "../../../../src/storage/postgres/engine/transaction.ts"
import { packageLineReads } from "../../../../src/storage/steps/package-lines.ts"
import { sessionReads } from "../../../../src/storage/steps/sign-in.ts"
import { reads } from "../../../../src/storage/steps/step.ts"
import { need, newLine } from "../../contract/given.ts"
import { freshDatabase, noPostgres } from "../server.ts"

const sessions = (replica: Access) => reads(steps(replica), sessionReads)
const packageLines = (replica: Access) => reads(steps(replica), packageLineReads)

const BY: Change = { actor: "command", at: 1 }

/** Two replicas of one database. */
async function givenReplicas() {
  const opened = new AsyncDisposableStack()
  const database = opened.use(await freshDatabase())
  const replica = () => access(opened.use(openPools(readAddress(`${database.url}&pool_size=3`))))
  return { here: replica(), there: replica(), [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const givenOrganization = async (connection: Access, slug: string) =>
  need(await steps(connection).transact((tx) => addOrganization(tx, { slug, name: slug, timeZone: "UTC" }, BY)))

describe.skipIf(noPostgres !== null)("replicas on PostgreSQL", () => {
  test("signing in has no report judged again", async () => {
    await using at = await givenReplicas()
    const termsOf = (replica: Access) => replica.recordFigures(async ({ terms }) => terms)
    const person = { email: "a@example.com", name: "A", isOperator: false, passwordHash: null, membership: null }
    const { id: userId } = need(await steps(at.here).transact((tx) => addUser(tx, person, BY)))
    const before = await termsOf(at.there)
    const opened = { tokenHash: "t", userId, createdAt: 1, expiresAt: 9 }
    await steps(at.here).transact((tx) => storeSession(tx, opened, { previousHash: null }))
    expect(await sessions(at.there).find("t", 1)).toMatchObject({ userId })
    expect(await termsOf(at.there)).toBe(before)
  })

  test("an edit of a line waits for a report that is being recorded elsewhere, and then keeps the basis", async () => {
    await using at = await givenReplicas()
    const { id } = await givenOrganization(at.here, "acme")
    const { packageId, ...fields } = newLine()
    const wish = { name: "A", buyer: { slug: "acme" } }
    await steps(at.here).transact((tx) => addCampaign(tx, id, wish, { packageId, ...fields }, BY))
    const [line] = await packageLines(at.here).findSold(id, [packageId])
    const edited = { ...fields, name: "Edited", pricingBasis: "downloads" } as const
    const editing = await at.there.recordFigures(async ({ rows }) => {
      const started = steps(at.here).transact((tx) => replaceLine(tx, id, packageId, edited, BY))
      const waiting = `SELECT 1 FROM pg_locks JOIN pg_database ON database = pg_database.oid
        WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`
      while ((await rows(waiting)).length === 0);
      await rows("INSERT INTO delivery_total (line_id, as_of, quantity) VALUES ($1, 1, 5)", [need(line).lineId])
      return { started }
    })
    expect(await editing.started).toBe("done")
    expect(await packageLines(at.there).findSold(id, [packageId])).toMatchObject([
      { name: "Edited", pricingBasis: "impressions", total: { quantity: 5, asOf: 1 } },
    ])
  })
})
