import { describe, expect, test } from "bun:test"
import { createAgentKey } from "../../src/actions/keys/keys.ts"
import { SESSION_COOKIE } from "../../src/doors/web/cookies.ts"
import { givenPerson, LINE, startMarket } from "../doors/web/given.ts"
import { signedIn } from "../doors/web/visitor.ts"
import { givenIngestKey } from "../given.ts"
import type { TestApp } from "../harness.ts"

// Every kind of credential at every door, in one table. What a door does not know opens nothing there, and no answer tells a
// wrong credential from one of another kind. Who may use which page is in test/doors/web/authorization.test.ts.

interface Credentials {
  readonly bearer?: string
  readonly cookie?: string
}

async function credentials(app: TestApp): Promise<Readonly<Record<string, Credentials>>> {
  const seller = await app.store.organizations.findBySlug("acme-audio")
  const rival = await app.store.organizations.findBySlug("other-seller")
  if (seller === null || rival === null) throw new Error("the market is not open")
  const operator = await signedIn(app, await givenPerson(app, { isOperator: true }))
  const session = operator.cookie(SESSION_COOKIE) ?? ""
  const revoked = await givenIngestKey(app, seller)
  await app.store.ingestKeys.revoke(revoked.slice(0, 12), null, { actor: "test", at: app.clock() })
  const agentKey = await createAgentKey(app, "Buyer", "test")
  if (agentKey === null) throw new Error("there is such a key already")
  return {
    nothing: {},
    "an ingest key": { bearer: await givenIngestKey(app, seller) },
    "a rival's ingest key": { bearer: await givenIngestKey(app, rival) },
    "a revoked ingest key": { bearer: revoked },
    "an agent key": { bearer: agentKey.secret },
    "an operator's session": { cookie: `${SESSION_COOKIE}=${session}` },
    "a session as a key": { bearer: session },
    "an ingest key as a session": { cookie: `${SESSION_COOKIE}=${await givenIngestKey(app, seller)}` },
  }
}

type Door = (app: TestApp, headers: Record<string, string>) => Promise<string>

const JSON_HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }

const DOORS: Readonly<Record<string, Door>> = {
  async ingest(app, headers) {
    const body = JSON.stringify({ items: [{ package_id: LINE, impressions: 5 }] })
    const response = await app.fetch("/api/ingest/delivery/metrics", {
      method: "POST",
      headers: { ...JSON_HEADERS, ...headers },
      body,
    })
    const { results } = (await response.json()) as { results?: { status: string; reason?: string }[] }
    return results?.[0]?.reason ?? results?.[0]?.status ?? String(response.status)
  },
  async agent(app, headers) {
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_products", arguments: {} },
    })
    return String((await app.fetch("/", { method: "POST", headers: { ...JSON_HEADERS, ...headers }, body })).status)
  },
  app: async (app, headers) =>
    String((await app.fetch("/app/operator/system", { headers, redirect: "manual" })).status),
}

// 200 at the agent is also what somebody without a key gets: the public part.
const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nothing: { ingest: "401", agent: "200", app: "303" },
  "an ingest key": { ingest: "accepted", agent: "401", app: "303" },
  "a rival's ingest key": { ingest: "not_seller", agent: "401", app: "303" },
  "a revoked ingest key": { ingest: "401", agent: "401", app: "303" },
  "an agent key": { ingest: "401", agent: "200", app: "303" },
  "an operator's session": { ingest: "401", agent: "200", app: "200" },
  "a session as a key": { ingest: "401", agent: "401", app: "303" },
  "an ingest key as a session": { ingest: "401", agent: "200", app: "303" },
}

function headersOf({ bearer, cookie }: Credentials): Record<string, string> {
  return {
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...(cookie !== undefined && { Cookie: cookie }),
  }
}

describe("each kind of credential opens its own door and no other", () => {
  test("as the table says", async () => {
    await using app = await startMarket()
    const found: Record<string, Record<string, string>> = {}
    for (const [name, known] of Object.entries(await credentials(app))) {
      found[name] = {}
      for (const [door, knock] of Object.entries(DOORS)) found[name][door] = await knock(app, headersOf(known))
    }
    expect(found).toEqual({ ...EXPECTED })
  })

  test("a wrong, a revoked and a foreign kind of key are answered alike", async () => {
    await using app = await startMarket()
    const known = await credentials(app)
    const answers = new Set<string>()
    for (const name of ["a revoked ingest key", "an agent key", "a session as a key"]) {
      const headers = { ...JSON_HEADERS, ...headersOf(known[name] ?? {}) }
      const response = await app.fetch("/api/ingest/delivery/metrics", { method: "POST", headers, body: "{}" })
      const { request_id: _, ...problem } = (await response.json()) as Record<string, unknown>
      answers.add(JSON.stringify([response.status, response.headers.get("www-authenticate"), problem]))
    }
    expect(answers.size).toBe(1)
  })
})
