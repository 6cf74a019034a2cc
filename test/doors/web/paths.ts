import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { createIngestKey } from "../../../src/actions/keys/keys.ts"
import { newToken } from "../../../src/actions/new-id.ts"
import { inviteMember } from "../../../src/actions/people/invitations.ts"
import { issuePasswordLink } from "../../../src/actions/people/one-time-links.ts"
import { answerOrder } from "../../../src/actions/sale/answer-order.ts"
import { makeOrderLink } from "../../../src/actions/sale/order-links.ts"
import { placeOrder } from "../../../src/actions/sale/place-order.ts"
import { previewStatement, saveStatement, sumsText } from "../../../src/actions/sale/statements.ts"
import { receiptIdOf, reportIdOf } from "../../../src/domain/delivery/withdrawal.ts"
import { hashToken } from "../../../src/domain/keys/api-key.ts"
import type { Organization } from "../../../src/domain/people/organization.ts"
import { NO_CHOICES } from "../../../src/domain/upload/upload.ts"
import type { Route } from "../../../src/doors/web/guards.ts"
import { givenCodeId } from "../../given.ts"
import type { TestApp } from "../../harness.ts"
import { A_FILE } from "../../storage/contract/given.ts"
import { ACCEPTANCE, ASKED, CITY_WALKS, OFFER, PRODUCT } from "../../storage/contract/given-sale.ts"
import { givenPerson, OWN_LINE } from "./given.ts"
import { operatorValueFor } from "./operator/paths.ts"

/** A real path for a route: every part names something of Acme Audio that exists, made anew where visits use it up. */
export async function pathOf(app: TestApp, route: Route): Promise<string> {
  let path = route.path
  for (const [part] of route.path.matchAll(/:\w+/g)) path = path.replace(part, await valueFor(app, part, route))
  return path
}

/** A picture of one pixel. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

async function valueFor(app: TestApp, part: string, route: Route): Promise<string> {
  if (route.path.endsWith("/logo")) await givenLogo(app)
  if (route.path.startsWith("/app/operator")) return (await operatorValueFor(app, part)) ?? unknownPart(part, route)
  switch (part) {
    case ":org":
      return "acme-audio"
    case ":token":
      return route.path.startsWith("/order/") ? givenOrderLink(app) : tokenFor(app, route)
    case ":campaign":
      return "acme-only"
    case ":package":
      return OWN_LINE
    case ":key":
      return (await createIngestKey(app, await acme(app), "Key", "test")).record.id
    case ":user":
      return String(await givenPerson(app, { of: "acme-audio" }))
    case ":invitation":
      return givenInvitationId(app, route.path.includes("/share/") ? "brand-co" : "acme-audio")
    case ":code":
      return route.path.startsWith("/order/") ? givenOrder(app, /totals|statement/.test(route.path)) : givenCode(app)
    case ":session": {
      const person = Math.max(...(await app.store.users.list()).map(({ id }) => id))
      return String((await app.store.sessions.list(person, app.clock(), null))[0]?.id ?? 0)
    }
    case ":report":
      return givenReport(app)
    case ":receipt": {
      const [asOf = "", , receivedAt = ""] = (await givenReport(app)).split("_")
      const userId = Math.max(...(await app.store.users.list()).map(({ id }) => id))
      return receiptIdOf({ asOf: Number(asOf), receivedAt: Number(receivedAt), userId })
    }
    case ":order":
      return givenOffer(app)
    case ":statement":
      return givenStatement(app, route)
    case ":kind":
      return "delivery"
    case ":upload":
      return givenUpload(app)
    case ":link":
      return givenShareLink(app, newToken(app, 0).token)
    default:
      return unknownPart(part, route)
  }
}

let orderToken = ""
let links = 0

async function givenOrderLink(app: TestApp): Promise<string> {
  const product_sellers = [{ product_id: PRODUCT, seller: "acme-audio" }]
  await importCatalogue(app, { products: [CITY_WALKS], product_sellers }, "test")
  // Each link takes a few orders, and what the clock has not moved on from is one link.
  const label = `Guest ${++links}`
  const made = await makeOrderLink(app, PRODUCT, { label, days: "30", territories: "DE, AT" }, "test")
  orderToken = "path" in made ? made.path.replace("/order/", "") : ""
  return orderToken
}

/** An order that Acme Audio has answered. */
async function givenOffer(app: TestApp): Promise<string> {
  await givenOrderLink(app)
  const code = await givenOrder(app, false)
  const organization = await acme(app)
  const scope = { sellerId: organization.id, withUnowned: true }
  const order = await app.store.orders.findByCode(hashToken(orderToken), hashToken(code))
  const seller = { organization, knowsEverybody: true }
  if (order) await answerOrder(app, seller, { order, scope }, ["offer", { ...OFFER, buyer: "Brand Co" }], "test")
  return order?.id ?? ""
}

/** A statement of the campaign that the path leads to: a draft where its form is sent or it is discarded, else a frozen one. */
async function givenStatement(app: TestApp, { method, path }: Route): Promise<string> {
  const seller = await acme(app)
  const booked = (await app.store.orders.list(null)).find(({ codeHash }) => codeHash === hashToken(lastCode))
  const located = path.startsWith("/order/") ? await app.store.packageLines.locate(booked?.packageId ?? "") : null
  const campaign = await app.store.campaigns.find(seller.id, located?.campaign ?? "acme-only")
  if (campaign === null) return ""
  const draft = { from: "Acme", to: "Brand", reference: "", countAll: [], added: [] }
  const of = { seller, campaign, id: null }
  const isDraft = path.endsWith("/discard") || (method === "POST" && path.endsWith(":statement"))
  const confirmed = isDraft ? undefined : sumsText(await previewStatement(app, of, draft))
  const saved = await saveStatement(app, of, draft, confirmed, "test")
  return saved.outcome === "done" ? String(saved.id) : ""
}

let lastCode = ""

/** The code of an order by the last link, which is booked where its line is looked at. */
async function givenOrder(app: TestApp, isBooked: boolean): Promise<string> {
  const placed = await placeOrder(app, orderToken, ASKED, "2026-11-16")
  const code = placed.outcome === "done" ? placed.code : ""
  const organization = await acme(app)
  const scope = { sellerId: organization.id, withUnowned: true }
  const order = await app.store.orders.findByCode(hashToken(orderToken), hashToken(code))
  if (isBooked && order) {
    const seller = { organization, knowsEverybody: true }
    await answerOrder(app, seller, { order, scope }, ["accept", { ...ACCEPTANCE, buyer: "Brand Co" }], "test")
  }
  lastCode = code
  return code
}

/** A file that waits for a decision. */
async function givenUpload(app: TestApp): Promise<string> {
  const { id: organizationId } = await acme(app)
  const uploadedBy = await givenPerson(app, { of: "acme-audio" })
  const choices = { ...NO_CHOICES, columns: ["package_id", "impressions"] }
  const file = { ...A_FILE, organizationId, uploadedBy, uploadedAt: app.clock(), choices }
  return String(await app.store.uploads.add(file, [`package_id,impressions\n${OWN_LINE},5\n`]))
}

function unknownPart(part: string, route: Route): never {
  throw new Error(`test/doors/web/paths.ts does not know what ${part} in ${route.path} stands for`)
}

async function givenLogo(app: TestApp): Promise<void> {
  const logo = { mediaType: "image/png", base64: PIXEL } as const
  await app.store.organizations.setLogo(await acme(app), logo, { actor: "test", at: app.clock() })
}

async function acme(app: TestApp): Promise<Organization> {
  const found = await app.store.organizations.findBySlug("acme-audio")
  if (found === null) throw new Error("there is no Acme Audio")
  return found
}

/** The id of an affiliate code of one of Acme Audio's lines. */
async function givenCode(app: TestApp): Promise<string> {
  const { id } = await acme(app)
  return String(await givenCodeId(app.store, id, OWN_LINE, "A10"))
}

let reports = 0

/** The id of a report that the person who was made last has typed. */
async function givenReport(app: TestApp): Promise<string> {
  const { items: found, revision, timeZone } = await app.store.deliveries.linesSold((await acme(app)).id, [OWN_LINE])
  const person = Math.max(...(await app.store.users.list()).map(({ id }) => id))
  // Each of a moment of its own: of one moment each would be received later than the one before.
  const report = { quantity: ++reports, asOf: app.clock() + reports, receivedAt: app.clock() }
  const source = { kind: "form", reference: String(person), detail: "" } as const
  const receipt = { receivedAt: report.receivedAt, source, timeZone }
  await app.store.deliveries.record([{ lineId: found[0]?.lineId ?? 0, ...report }], receipt, revision)
  return reportIdOf(report)
}

/** The id of a link that shows what Acme Audio sells of the campaign. */
async function givenShareLink(app: TestApp, token: string): Promise<string> {
  const { id: organizationId } = await acme(app)
  const campaign = await app.store.campaigns.find(organizationId, "acme-only")
  const campaignId = campaign?.id ?? 0
  const createdAt = app.clock()
  const times = { createdAt, expiresAt: createdAt + 60_000_000 }
  const link = { tokenHash: hashToken(token), campaignId, organizationId, label: "For the buyer", ...times }
  await app.store.shareLinks.create(link, { actor: "test", at: createdAt })
  const links = await app.store.shareLinks.list(organizationId, campaignId)
  return String(Math.max(...links.map(({ id }) => id)))
}

async function shareToken(app: TestApp): Promise<string> {
  const { token } = newToken(app, 0)
  await givenShareLink(app, token)
  return token
}

let invited = 0

async function givenInvitationId(app: TestApp, slug: string): Promise<string> {
  await givenInvitation(app, slug)
  const { id = 0 } = (await app.store.organizations.findBySlug(slug)) ?? {}
  return String((await app.store.invitations.list(id)).at(-1)?.id)
}

async function givenInvitation(app: TestApp, slug = "acme-audio"): Promise<string> {
  const person = { name: "Mo", email: `invited${++invited}@example.com`, role: "member" } as const
  const made = await inviteMember(
    app,
    { id: (await app.store.organizations.findBySlug(slug))?.id ?? 0 },
    person,
    // A seller withdraws what its own people began.
    { actor: `user:${await givenPerson(app, { of: "acme-audio" })}`, isOperator: false },
  )
  return made.ok ? made.path : ""
}

async function tokenFor(app: TestApp, route: Route): Promise<string> {
  if (route.path.startsWith("/app/setup/")) return setupToken(app)
  if (route.path.startsWith("/app/share/")) return shareToken(app)
  if (route.path.startsWith("/app/invitation/")) return (await givenInvitation(app)).slice("/app/invitation/".length)
  const link = await issuePasswordLink(app, await givenPerson(app), "test")
  return link.slice("/app/password/".length)
}

/** There is an operator in this test, so that a set-up link can only be kept, not asked for. */
async function setupToken(app: TestApp): Promise<string> {
  const createdAt = app.clock()
  const link = { purpose: "setup", userId: null, createdAt, expiresAt: createdAt + 60_000_000 } as const
  await app.store.oneTimeLinks.issue({ tokenHash: hashToken("a-token"), ...link }, { actor: "test", at: createdAt })
  return "a-token"
}
