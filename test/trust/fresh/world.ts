import { admitAgent, admitIngest } from "../../../src/actions/keys/admit.ts"
import { createAgentKey } from "../../../src/actions/keys/keys.ts"
import { newToken } from "../../../src/actions/new-id.ts"
import { orderSecret } from "../../../src/actions/sale/order-links.ts"
import { fingerprintOf, hashToken } from "../../../src/domain/keys/api-key.ts"
import type { Change } from "../../../src/domain/people/audit.ts"
import type { Organization } from "../../../src/domain/people/organization.ts"
import type { TypedOrder } from "../../../src/domain/sale/read-order.ts"
import { SESSION_COOKIE } from "../../../src/doors/web/cookies.ts"
import { givenBuyers, givenProduct } from "../../doors/agent/buyer.ts"
import { givenMarket, givenPerson, LINE, OWN_LINE } from "../../doors/web/given.ts"
import { signedIn } from "../../doors/web/visitor.ts"
import { givenCodeId, givenIngestKey } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"

// An installation with one of everything that can be changed, and all that anybody is told by it.

export const OPTIONS = {
  publicUrl: "http://ads.example",
  limitIngest: "100000",
  limitAgentAnonymous: "100000",
  limitAgentKeyed: "100000",
}

const NEW_STATEMENT = { id: null }
const ASKED: TypedOrder = {
  ...{ price: "", from: "2026-11-23", to: "2026-12-10", quantity: "200,000", budget: "", territories: ["DE"] },
  ...{ creative: "", note: "", organization: "Fernweh", name: "Lena", email: "lena@fernweh.example" },
  was_quantity: "",
  was_budget: "",
}

export type World = Awaited<ReturnType<typeof givenWorld>>

export async function givenWorld() {
  const app = await startApp({ options: OPTIONS })
  await givenMarket(app)
  const acme = await organization(app, "acme-audio")
  const other = await organization(app, "other-seller")
  const brand = await organization(app, "brand-co")
  const agentKeys = await givenBuyers(app, [givenProduct("p"), givenProduct("q")], { Buyer: { p: ["DE"] }, Idle: {} })
  const unusedKey = await createAgentKey(app, "Unused", "test")
  if (unusedKey === null) throw new Error("the label is taken")
  const people = {
    admin: await givenPerson(app, { of: "acme-audio", role: "admin" }),
    secondAdmin: await givenPerson(app, { of: "acme-audio", role: "admin" }),
    buyer: await givenPerson(app, { of: "brand-co", role: "admin" }),
    operator: await givenPerson(app, { isOperator: true }),
  }
  const campaign = await app.store.campaigns.find(acme.id, "acme-only")
  const campaignId = campaign?.id ?? 0
  const { token: share, stored } = newToken(app, 3_600_000_000)
  const link = { ...stored, campaignId, organizationId: acme.id, label: "A guest" }
  const change: Change = { actor: "test", at: app.clock() }
  await app.store.shareLinks.create(link, change)
  const [shareLink] = await app.store.shareLinks.list(acme.id, campaignId)
  const secret = await orderSecret(app)
  const orderLink = (label: string) => ({
    ...{ productId: "p", label, createdAt: change.at, expiresAt: change.at + 86_400_000_000, territories: '["DE"]' },
    tokenHash: hashToken(label.padEnd(24, "-")),
  })
  await app.store.orderLinks.create(orderLink("one"), change)
  const sent = (id: string) => ({ token: "one".padEnd(24, "-"), typed: ASKED, today: "2026-11-15", secret, id })
  const placed = await app.store.orders.place(sent("an order"), change)
  if (placed.outcome !== "done") throw new Error(JSON.stringify(placed))
  const ingestKeys = {
    acme: await givenIngestKey(app, acme),
    acmeToo: await givenIngestKey(app, acme),
    other: await givenIngestKey(app, other),
  }
  // From now on nothing that a key asks changes when it was last used: the clock stands still.
  const window = { name: "beforehand", limit: 10 }
  for (const key of Object.values(ingestKeys)) await admitIngest(app, key, window)
  for (const key of Object.values(agentKeys)) await admitAgent(app, fingerprintOf(key), window)
  await app.store.flushWriteBuffer()
  return {
    app,
    change,
    acme,
    other,
    brand,
    campaignId,
    orderLink,
    sent,
    orderPage: `/order/${"one".padEnd(24, "-")}/${placed.code}`,
    statementOf: { seller: acme, campaign: { id: campaignId, name: "Acme only", slug: "acme-only" }, ...NEW_STATEMENT },
    people,
    share,
    shareLinkId: shareLink?.id ?? 0,
    codeId: await givenCodeId(app.store, acme.id, LINE, "A10"),
    lineId: (await app.store.packageLines.findSold(acme.id, [OWN_LINE]))[0]?.lineId ?? 0,
    ingestKeys,
    agentKeys,
    unusedKey: unusedKey.record.id,
    cookies: await cookiesOf(app, people),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

async function organization(app: TestApp, slug: string): Promise<Organization> {
  const found = await app.store.organizations.findBySlug(slug)
  if (found === null) throw new Error(`there is no ${slug}`)
  return found
}

async function cookiesOf<Who extends string>(
  app: TestApp,
  people: Record<Who, number>,
): Promise<Record<string, string>> {
  const cookies: Record<string, string> = {}
  for (const [who, id] of Object.entries<number>(people)) {
    cookies[who] = `${SESSION_COOKIE}=${(await signedIn(app, id)).cookie(SESSION_COOKIE)}`
  }
  return cookies
}
