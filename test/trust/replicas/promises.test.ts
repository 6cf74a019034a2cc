import { describe, expect, test } from "bun:test"
import { editLine } from "../../../src/actions/campaigns/lines.ts"
import { revokeIngestKey } from "../../../src/actions/keys/keys.ts"
import { closeProduct } from "../../../src/actions/keys/openings.ts"
import { setMemberRole } from "../../../src/actions/people/members.ts"
import { issueSetupLink } from "../../../src/actions/people/one-time-links.ts"
import { removeUser } from "../../../src/actions/people/users.ts"
import { SESSION_COOKIE } from "../../../src/doors/web/cookies.ts"
import type { Json } from "../../domain/adcp/schema/answers.ts"
import { post as ask, call, givenBuyers, givenProduct } from "../../doors/agent/buyer.ts"
import { DELIVERY, post, report } from "../../doors/ingest/feed.ts"
import { givenMarket, givenPerson } from "../../doors/web/given.ts"
import { signedIn, untilHashed, visitor } from "../../doors/web/visitor.ts"
import { givenIngestKey, givenOrganization, givenPackageLine } from "../../given.ts"
import type { TestApp } from "../../harness.ts"
import { noPostgres } from "../../storage/postgres/server.ts"
import { inTurn, type Replicas, startReplicas } from "./given.ts"

const onEach = <Answer>({ all }: Replicas, work: (app: TestApp) => Promise<Answer>) => Promise.all(all.map(work))
const countOf = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length

describe.skipIf(noPostgres !== null)("limits are exact over all replicas", () => {
  const TOOL_CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_products", arguments: {} } }

  test.each([
    ["a key of a feed", async (app: TestApp) => feedWith(await givenIngestKey(app, await givenOrganization(app)))],
    ["a key of the agent", async (app: TestApp) => agentWith((await givenBuyers(app, [], { Buyer: {} }))["Buyer"])],
    ["an address", async () => agentWith(undefined)],
  ])("%s: of 75 requests in a minute, spread over them, exactly 60 are admitted", async (_, given) => {
    await using replicas = await startReplicas({ limitAgentKeyed: "60", limitAgentAnonymous: "60" })
    const send = await given(replicas.first)
    const statuses = await Promise.all(
      Array.from({ length: 75 }, async (_, n) => (await send(inTurn(replicas, n))).status),
    )
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([60, 15])
    replicas.first.clock.advance({ seconds: 59 })
    expect(await onEach(replicas, async (app) => (await send(app)).status)).toEqual([429, 429, 429])
    replicas.first.clock.advance({ seconds: 1 })
    expect(await onEach(replicas, async (app) => (await send(app)).status)).toEqual([200, 200, 200])
  })

  const feedWith = (key: string) => (app: TestApp) => post(app, DELIVERY, key, { items: [1] })
  const agentWith = (key: string | undefined) => (app: TestApp) => ask(app, TOOL_CALL, { key })
})

describe.skipIf(noPostgres !== null)("what one replica was told holds for the next request on every replica", () => {
  test("a revoked key", async () => {
    await using replicas = await startReplicas()
    const seller = await givenOrganization(replicas.first)
    for (const app of replicas.all) {
      const key = await givenIngestKey(replicas.first, seller)
      const status = async (one: TestApp) => (await post(one, DELIVERY, key, { items: [1] })).status
      expect(await onEach(replicas, status)).toEqual([200, 200, 200])
      await revokeIngestKey(app, key.slice(0, 12), seller.id, "test")
      expect(await onEach(replicas, status)).toEqual([401, 401, 401])
    }
  })

  test("an ended session", async () => {
    await using replicas = await startReplicas()
    const { first } = replicas
    for (const app of replicas.all) {
      const userId = await givenPerson(first)
      const person = await signedIn(first, userId)
      const cookie = person.cookie(SESSION_COOKIE) ?? ""
      const account = async (one: TestApp) =>
        (await visitor(one, new Map([[SESSION_COOKIE, cookie]])).get("/app/account")).status
      expect(await onEach(replicas, account)).toEqual([200, 200, 200])
      await visitor(app, new Map([[SESSION_COOKIE, cookie]])).post("/app/sign-out")
      expect(await onEach(replicas, account)).toEqual([303, 303, 303])
    }
  })

  test("a closed opening", async () => {
    await using replicas = await startReplicas()
    const products = replicas.all.map((_, n) => `p${n}`)
    const opened = Object.fromEntries(products.map((product) => [product, ["*"]]))
    const { Buyer: key } = await givenBuyers(
      replicas.first,
      products.map((product) => givenProduct(product)),
      { Buyer: opened },
    )
    const seen = async (app: TestApp) => {
      const answer = await call(app, "get_products", { buying_mode: "wholesale" }, { key })
      return answer.products.map((product: Json) => product.product_id)
    }
    expect(await onEach(replicas, seen)).toEqual([products, products, products])
    const [{ id = "" } = {}] = await replicas.first.store.agentKeys.list()
    for (const [n, app] of replicas.all.entries()) {
      await closeProduct(app, id, `p${n}`, "test")
      const left = products.slice(n + 1)
      expect(await onEach(replicas, seen)).toEqual([left, left, left])
    }
  })

  test("an edited line", async () => {
    await using replicas = await startReplicas()
    const { packageId, seller } = await givenPackageLine(replicas.first)
    const key = await givenIngestKey(replicas.first, seller)
    const reported = async (app: TestApp) =>
      (await report(app, key, [{ package_id: packageId, impressions: 1 }])).results[0]?.status
    const edit = (app: TestApp, flightStart: string) => {
      const rest = { flightEnd: "", booked: "", rate: "", currency: "", externalId: "" }
      const typed = { name: "Line", pricingBasis: "impressions", flightStart, ...rest }
      return editLine(app, seller, packageId, typed, { actor: "test" })
    }
    for (const app of replicas.all) {
      await edit(app, "2026-11-01")
      expect(await onEach(replicas, reported)).toEqual(["accepted", "accepted", "accepted"])
      await edit(app, "2026-12-01")
      expect(await onEach(replicas, reported)).toEqual(["rejected", "rejected", "rejected"])
    }
  })
})

describe.skipIf(noPostgres !== null)("of several who race on different replicas", () => {
  test("one uses the set-up link", async () => {
    await using replicas = await startReplicas()
    const link = (await issueSetupLink(replicas.first)) ?? ""
    const claims = replicas.all.map((app, n) => {
      const operator = { name: "Olga", email: `o${n}@example.com`, password: "correct horse battery" }
      return untilHashed(() => visitor(app).post(link, operator))
    })
    const statuses = (await Promise.all(claims)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([303, 404, 404])
    expect(await replicas.first.store.users.list()).toHaveLength(1)
  })

  test("the last operator stays", async () => {
    await using replicas = await startReplicas()
    const people = await onEach(replicas, (app) => givenPerson(app, { isOperator: true }))
    const removed = await Promise.all(people.map((person, n) => removeUser(inTurn(replicas, n), person, "test")))
    expect(removed.sort()).toEqual(["done", "done", "last operator"])
    expect((await replicas.first.store.users.list()).filter(({ isOperator }) => isOperator)).toHaveLength(1)
  })

  test("the last admin stays", async () => {
    await using replicas = await startReplicas()
    await givenMarket(replicas.first)
    const acme = await replicas.first.store.organizations.findBySlug("acme-audio")
    if (acme === null) throw new Error("acme-audio was imported")
    const people = await onEach(replicas, (app) => givenPerson(app, { of: "acme-audio", role: "admin" }))
    const changed = await Promise.all(
      people.map((person, n) => setMemberRole(inTurn(replicas, n), acme, person, "member", { actor: "test" })),
    )
    expect(changed.sort()).toEqual(["done", "done", "last admin"])
  })
})
