import { describe, expect, test } from "bun:test"
import { SQL } from "bun"
import { post as ask, givenBuyers, givenProduct } from "../../doors/agent/buyer.ts"
import { DELIVERY, post, report } from "../../doors/ingest/feed.ts"
import { givenPerson } from "../../doors/web/given.ts"
import { signedIn, type Visitor } from "../../doors/web/visitor.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { type Network, networkTo } from "../../storage/postgres/network.ts"
import { freshDatabase, noPostgres, type TestDatabase, testServer } from "../../storage/postgres/server.ts"
import { until } from "../../until.ts"

interface Given extends AsyncDisposable {
  readonly database: TestDatabase
  readonly app: TestApp
  /** What is between the server and its database. */
  readonly network: Network
  readonly packageId: string
  readonly feedKey: string
  readonly agentKey: string
  readonly person: Visitor
}

async function given(): Promise<Given> {
  await using started = new AsyncDisposableStack()
  const database = started.use(await freshDatabase())
  const { hostname, port } = new URL(database.url)
  const network = started.use(networkTo(hostname, Number(port)))
  const url = new URL(database.url)
  url.port = String(network.port)
  const app = started.use(await startApp({ options: { databaseUrl: `${url}&pool_size=4` } }))
  const { packageId, seller } = await givenPackageLine(app)
  const feedKey = await givenIngestKey(app, seller)
  const { Buyer: agentKey = "" } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["*"] } })
  const person = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const close = started.move()
  const dispose = { [Symbol.asyncDispose]: () => close.disposeAsync() }
  const at = { database, app, network, packageId, feedKey, agentKey, person, ...dispose }
  // On a busy machine the first connections may take longer than an operation waits.
  await until(async () => (await answers(at)).feed[1].includes('"accepted":1'))
  return at
}

const TOOL_CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "get_products", arguments: { buying_mode: "wholesale" } },
}

let reported = 0

/** What everybody gets, all asked at the same time. */
async function answers({ app, packageId, feedKey, agentKey, person }: Given) {
  const [feed, agent, anonymous, page, readiness, liveness] = await Promise.all([
    post(app, DELIVERY, feedKey, { items: [{ package_id: packageId, impressions: ++reported }] }),
    ask(app, TOOL_CALL, { key: agentKey }),
    ask(app, TOOL_CALL),
    person.get("/app/account"),
    app.fetch("/readyz"),
    app.fetch("/healthz"),
  ])
  return {
    feed: [feed.status, await feed.text()] as const,
    agents: [await agent.text(), await anonymous.text()],
    comeBack: [feed, agent, anonymous].map(({ status, headers }) => [status, headers.get("retry-after")]),
    page: [page.status, page.headers.get("content-type"), await page.text()] as const,
    probes: [readiness.status, liveness.status],
  }
}

async function expectAllWell(at: Given): Promise<void> {
  const { feed, agents, page, probes } = await answers(at)
  expect(feed).toEqual([200, expect.stringContaining('"accepted":1')])
  for (const answer of agents) expect(answer).toContain('"status":"completed"')
  expect([page[0], probes]).toEqual([200, [200, 200]])
}

// Each operation is given up after five seconds: a hang would be seen by the time limit of the test.
describe.concurrent.skipIf(noPostgres !== null)("when the database goes away", () => {
  test.each(["cut", "hang"] as const)(
    "(connections: %s) every door says so in its own way, and goes on by itself when it is back",
    async (fate) => {
      await using at = await given()
      await expectAllWell(at)
      at.network.fate = () => fate
      const { feed, agents, page, probes, comeBack } = await answers(at)
      expect(feed).toEqual([503, expect.stringContaining('"code":"unavailable"')])
      for (const answer of agents)
        expect(JSON.parse(answer)).toMatchObject({
          id: 1,
          error: { data: { adcp_error: { code: "SERVICE_UNAVAILABLE", recovery: "transient", retry_after: 5 } } },
        })
      expect(comeBack).toEqual(Array.from({ length: 3 }, () => [503, "5"]))
      expect(page).toEqual([503, "text/html; charset=utf-8", expect.stringContaining("<title>Not available")])
      expect(probes).toEqual([503, 200])
      at.network.fate = () => "pass"
      await expectAllWell(at)
    },
    600_000,
  )

  test.each(["cut", "hang"] as const)(
    "after the key was checked (%s), its items are internal_error",
    async (fate) => {
      await using at = await given()
      await expectAllWell(at)
      const items = [{ package_id: at.packageId, impressions: 2 }, "nonsense"]
      at.network.fate = (sent) => (sent.includes("delivery_total") || sent.includes("pg_advisory") ? fate : "pass")
      const { results } = await report(at.app, at.feedKey, items)
      expect(results.map(({ reason }) => reason)).toEqual(["internal_error", "invalid_item"])
      at.network.fate = () => "pass"
      expect((await report(at.app, at.feedKey, items)).results[0]).toMatchObject({ effect: "applied" })
    },
    600_000,
  )
})

/** Every new connection, and there are only new ones, is of a database that takes no writes, or does again. */
async function setReadOnly({ database: { name } }: Given, isReadOnly: boolean): Promise<void> {
  const { owner } = await testServer()
  await owner.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? "on" : "off"}`)
  await owner.unsafe(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
}

const FULL_TABLES = ["rate_window", "delivery_report", "delivery_total", "setting", "agent_call"]

/** Nothing can be added to these tables any more, as on a disk that is full. */
async function setFull({ database: { url } }: Given, isFull: boolean): Promise<void> {
  await using owner = new SQL(url, { max: 1 })
  await owner.unsafe(`CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`)
  for (const table of FULL_TABLES)
    await owner.unsafe(
      isFull
        ? `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`
        : `DROP TRIGGER full_disk ON ${table}`,
    )
}

describe.skipIf(noPostgres !== null)("when the database takes no writes", () => {
  test.each([
    ["it is read-only", setReadOnly],
    ["its disk is full", setFull],
  ] as const)(
    "because %s, items are internal_error, the agent and pages answer, and it goes on by itself",
    async (_, set) => {
      await using at = await given()
      await expectAllWell(at)
      await set(at, true)
      for (let n = 0; n < 3; n++) {
        const { feed, agents, page } = await answers(at)
        expect(feed).toEqual([200, expect.stringContaining('"reason":"internal_error"')])
        for (const answer of agents) expect(answer).toContain('"status":"completed"')
        expect(page[0]).toBe(200)
      }
      expect((await at.app.fetch("/readyz")).status).toBe(503)
      await set(at, false)
      expect((await at.app.fetch("/readyz")).status).toBe(200)
      await expectAllWell(at)
    },
  )

  test("whoever asks is admitted, because nobody can be counted", async () => {
    await using at = await given()
    await setFull(at, true)
    const { admissions } = at.app.store
    const ask = () => admissions.caller({ name: "w", limit: 2 }, "a", at.app.clock())
    const admitted = { allowed: true, remaining: 1, resetSeconds: 60 } as const
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([admitted, admitted, admitted])
    // Whoever only reads finds out, too.
    expect((await at.app.fetch("/readyz")).status).toBe(503)
  })
})
