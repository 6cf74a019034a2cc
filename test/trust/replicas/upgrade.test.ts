import { describe, expect, test } from "bun:test"
import { type Migration, migrations } from "../../../migrations/postgres/index.ts"
import { readAddress } from "../../../src/domain/operations/database-url.ts"
import { openPools } from "../../../src/storage/postgres/engine/connect.ts"
import { migrate } from "../../../src/storage/postgres/engine/migrate.ts"
import { post as ask, givenBuyers, givenProduct } from "../../doors/agent/buyer.ts"
import { report } from "../../doors/ingest/feed.ts"
import { givenPerson } from "../../doors/web/given.ts"
import { signedIn } from "../../doors/web/visitor.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { noPostgres } from "../../storage/postgres/server.ts"
import { inTurn, type Replicas, startReplicas } from "./given.ts"

const NEXT = migrations.length + 1
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_products", arguments: {} } }
const EXPANDING = `ALTER TABLE package_line ADD COLUMN later text DEFAULT 'x';
  ALTER TABLE delivery_total ADD COLUMN later bigint; ALTER TABLE ingest_key ADD COLUMN later text;
  ALTER TABLE rate_window ADD COLUMN later text; ALTER TABLE session ADD COLUMN later text; CREATE TABLE later (id bigint)`

/** What a replica of the next version does when it is started. */
async function upgrade({ databaseUrl }: Replicas, sql: string): Promise<void> {
  await using pools = openPools(readAddress(databaseUrl))
  const next: Migration[] = [...migrations, { name: "next", sql }]
  expect(await migrate(pools, "the database", {}, next)).toEqual({ from: migrations.length, to: NEXT })
}

async function readiness({ all }: Replicas): Promise<number[]> {
  return Promise.all(all.map(async (app) => (await app.fetch("/readyz")).status))
}

/** What a feed, a buyer and a person get, all the time and of each replica in turn, until the work is done. */
async function meanwhile(replicas: Replicas, work: () => Promise<void>): Promise<Set<string>> {
  const { first } = replicas
  const { packageId, seller } = await givenPackageLine(first)
  const feedKey = await givenIngestKey(first, seller)
  const { Buyer: key = "" } = await givenBuyers(first, [givenProduct("p")], { Buyer: { p: ["*"] } })
  const account = await givenPerson(first, { isOperator: true })
  const people = await Promise.all(replicas.all.map((app) => signedIn(app, account)))
  const answers = new Set<string>()
  let isOver = false
  const load = Array.from({ length: 3 }, async (_, client) => {
    for (let n = client; !isOver; n++) {
      const app = inTurn(replicas, n)
      const { results } = await report(app, feedKey, [{ package_id: packageId, impressions: n }])
      answers.add(`item ${results[0]?.status}`)
      answers.add(`agent ${(await ask(app, CALL, { key })).status}`)
      answers.add(`page ${(await people[n % people.length]?.get("/app/account"))?.status}`)
      for (const status of await readiness(replicas)) answers.add(`ready ${status}`)
    }
  })
  try {
    await work()
    // Everything once more, on the new schema.
    await readiness(replicas)
  } finally {
    isOver = true
    await Promise.all(load)
  }
  return answers
}

describe.skipIf(noPostgres !== null)("three replicas under load while a newer version changes the schema", () => {
  test("go on and stay ready", async () => {
    await using replicas = await startReplicas({ limitIngest: "100000", limitAgentKeyed: "100000" })
    expect(await meanwhile(replicas, () => upgrade(replicas, EXPANDING))).toEqual(
      new Set(["item accepted", "agent 200", "page 200", "ready 200"]),
    )
    expect(await (await replicas.first.fetch("/readyz")).text()).toContain(`schema ${NEXT}`)
  })

  test("are not ready where it says that it breaks them", async () => {
    await using replicas = await startReplicas()
    await upgrade(replicas, `-- Works from schema ${NEXT} on.\nCREATE TABLE later (id bigint)`)
    expect(await readiness(replicas)).toEqual([503, 503, 503])
  })
})
