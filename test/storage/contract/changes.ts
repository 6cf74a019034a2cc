import { hashToken } from "../../../src/domain/keys/api-key.ts"
import type { Change } from "../../../src/domain/people/audit.ts"
import type { Engine } from "./engine.ts"
import {
  A_FILE,
  givenLineIn,
  givenMarket,
  givenMember,
  givenUser,
  keep,
  NOTHING,
  need,
  newKey,
  newLine,
  SECOND,
  SOURCE,
  saveProduct,
} from "./given.ts"
import { ASKED, CITY_WALKS, PRODUCT } from "./given-sale.ts"
import { givenLink, newToken } from "./given-sign-in.ts"
import type { ChangeMethod } from "./methods.ts"

/** A market with one of everything that can be changed. */
export async function givenWorld(engine: Engine) {
  const at = await givenMarket(engine)
  const { here, acme, change } = at
  const operator = await givenUser(at, "operator@example.com", { isOperator: true })
  const admin = await givenMember(at, "admin@example.com", acme, "admin")
  const member = await givenMember(at, "member@example.com", acme, "member")
  const stranger = await givenUser(at, "stranger@example.com")
  await here.twoFactor.enable(member.id, "secret", ["recovery"], change())
  const { id: campaignId } = need(await here.campaigns.find(acme.id, at.line.campaign))
  const shared = { ...newToken(at), campaignId, organizationId: acme.id, label: "A guest" }
  await here.shareLinks.create(shared, change())
  const invitation = newToken(at)
  const invited = { email: stranger.email, name: "S", role: "member" } as const
  await here.invitations.issue(acme.id, { ...invited, ...invitation }, change())
  const invitationToNew = newToken(at)
  await here.invitations.issue(acme.id, { ...invited, email: "new@example.com", ...invitationToNew }, change())
  const [ingestKey, agentKey] = [newKey("Nightly"), newKey("Buyer")]
  await here.ingestKeys.create(ingestKey, acme.id, change())
  await here.agentKeys.create(agentKey, change())
  await saveProduct(at, "p")
  await saveProduct(at, "q")
  await here.agentKeys.open(agentKey.id, { productId: "p", territories: ["DE"] }, change())
  const product = { what: "save product", id: PRODUCT, body: CITY_WALKS } as const
  await here.catalogue.edit(product, await here.catalogue.revision(), change())
  await here.orderLinks.create(orderLink("one"), change())
  await here.orders.place(sent("an order"), change())
  await here.orders.place(sent("an old order"), { ...change(), at: change().at - 31 * 86_400 * SECOND })
  return {
    ...at,
    operator,
    admin,
    member,
    stranger,
    ingestKey,
    agentKey,
    campaignId,
    invitation: invitation.tokenHash,
    invitationToNew: invitationToNew.tokenHash,
    passwordLink: await givenLink(at, "password", member.id),
    shareLink: need((await here.shareLinks.list(acme.id, campaignId))[0]),
    spare: await givenLineIn(at, at.line.campaign, acme),
  }
}

const tokenOf = (label: string) => label.padEnd(24, "-")
const orderLink = (label: string) => ({
  ...{ productId: PRODUCT, label, territories: '["AT","DE"]', tokenHash: hashToken(tokenOf(label)) },
  ...{ createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER },
})
const sent = (id: string) => ({ token: tokenOf("one"), secret: "s", id, typed: ASKED, today: "2026-11-16" })
const FREEZING = { confirmed: undefined, totals: new Map() }
const STATED = { from: "Acme", to: "Brand", reference: "", countAll: [], added: [] }
const statementOf = ({ acme, campaignId }: World) => ({
  ...{ seller: acme, campaign: { id: campaignId, name: "C", slug: "c" }, id: null },
})

type World = Awaited<ReturnType<typeof givenWorld>>

export interface TrailedChange {
  /** Makes the change, in this world. */
  readonly make: (world: World, change: Change) => Promise<unknown>
  /** The entries that it leaves, oldest first. */
  readonly leaves: readonly string[]
  /** Whom the entry names in the place of whoever asked, where the change says who that is. */
  readonly actor?: (world: World) => number
  /** Asks for a change that cannot be made, and leaves nothing; absent where there is none. */
  readonly refused?: (world: World, change: Change) => Promise<unknown>
}

const { packageId: _, ...FIELDS } = newLine({ name: "Edited" })
const REPORT = { quantity: 1, asOf: 1, receivedAt: 2 }
const together = (lineId: number) => ({
  receivedAt: 2,
  source: SOURCE,
  lineIds: [lineId],
  moments: [1],
  subject: "form",
})
const plain = { name: "Edited", isOperator: false, memberships: [] }
const opening = { productId: "q", territories: ["DE"] }
const asNew = { name: "N", passwordHash: "x" }

/**
 * Every method that is told who makes the change, and what it leaves in the audit trail: a new one has to be added here, or the types
 * do not fit. The set-up link works only while there is no operator, so it has a test of its own.
 */
export const CHANGES: Readonly<Record<Exclude<ChangeMethod, "linkClaims.claimSetup">, TrailedChange>> = {
  "organizations.create": {
    make: ({ here }, by) => here.organizations.create({ slug: "new", name: "New", timeZone: "UTC" }, by),
    leaves: ["create organization"],
    refused: ({ here }, by) => here.organizations.create({ slug: "acme", name: "New", timeZone: "UTC" }, by),
  },
  "organizations.edit": {
    make: ({ here }, by) => here.organizations.edit("acme", { name: "New", timeZone: "UTC" }, by),
    leaves: ["edit organization"],
    refused: async ({ here }, by) => {
      await here.organizations.edit("unknown", { name: "New", timeZone: "UTC" }, by)
      await here.organizations.edit("acme", { name: "New", timeZone: "UTC" }, { ...by, seen: "stale" })
    },
  },
  "organizations.setLogo": {
    make: ({ here, acme }, by) => here.organizations.setLogo(acme, { mediaType: "image/png", base64: "AA==" }, by),
    leaves: ["change logo"],
    refused: ({ here, acme }, by) => here.organizations.setLogo(acme, null, by),
  },
  "orderLinks.create": {
    make: ({ here }, by) => here.orderLinks.create(orderLink("two"), by),
    leaves: ["create order_link"],
    refused: ({ here }, by) => here.orderLinks.create(orderLink("one"), by),
  },
  "orderLinks.end": {
    make: async ({ here }, by) => here.orderLinks.end(need((await here.orderLinks.list(PRODUCT))[0]).id, by),
    leaves: ["end order_link"],
    refused: ({ here }, by) => here.orderLinks.end(1_000_000, by),
  },
  "orders.place": {
    make: ({ here }, by) => here.orders.place(sent("another"), by),
    leaves: ["place order"],
    refused: async ({ here }, by) => {
      await here.orders.place({ ...sent("another"), token: tokenOf("none") }, by)
      await here.orders.place({ ...sent("another"), typed: { ...ASKED, quantity: "1" } }, by)
    },
  },
  "orders.move": {
    make: async ({ here }, by) =>
      here.orders.move(await here.orders.find(null, "an order"), "requester withdraws", {}, by),
    leaves: ["withdraw order"],
    refused: async ({ here }, by) =>
      here.orders.move(await here.orders.find(null, "an order"), "requester accepts", {}, by),
  },
  "orders.endStale": {
    make: ({ here }, by) => here.orders.endStale(by),
    leaves: ["end order"],
  },
  "orders.setTaken": {
    make: ({ here }, by) => here.orders.setTaken(false, by),
    leaves: ["change take_orders"],
  },
  "statements.save": {
    make: (world, by) =>
      world.here.statements.save(statementOf(world), STATED, { ...FREEZING, confirmed: "first" }, by),
    leaves: ["freeze statement"],
    refused: (world, by) =>
      world.here.statements.save(statementOf(world), STATED, { ...FREEZING, confirmed: "EUR 1.00" }, by),
  },
  "statements.move": {
    make: async (world, by) => {
      const saved = await world.here.statements.save(statementOf(world), STATED, FREEZING, by)
      const id = saved.outcome === "done" ? saved.id : 0
      await world.here.statements.move({ ...statementOf(world), id }, { to: "discarded" }, by)
    },
    leaves: ["save statement", "discard statement"],
    refused: (world, by) => world.here.statements.move({ ...statementOf(world), id: 1 }, { to: "cancelled" }, by),
  },
  "users.create": {
    make: ({ here }, by) => here.users.create({ ...NEW_USER, email: "fresh@example.com" }, by),
    leaves: ["create user"],
    refused: ({ here }, by) => here.users.create({ ...NEW_USER, email: "admin@example.com" }, by),
  },
  "users.setPassword": {
    make: ({ here, member }, by) => here.users.setPassword(member.id, "x", { ...by, keepTokenHash: null }),
    leaves: ["set password"],
  },
  "users.edit": {
    make: ({ here, stranger }, by) => here.users.edit(stranger.id, plain, by),
    leaves: ["edit user"],
    refused: async ({ here, operator, stranger }, by) => {
      await here.users.edit(operator.id, plain, by)
      await here.users.edit(1_000_000, plain, by)
      await here.users.edit(stranger.id, plain, { ...by, seen: "stale" })
    },
  },
  "users.remove": {
    make: ({ here, stranger }, by) => here.users.remove(stranger.id, by),
    leaves: ["remove user"],
    refused: ({ here, operator }, by) => here.users.remove(operator.id, by),
  },
  "oneTimeLinks.add": {
    make: (at, by) => at.here.oneTimeLinks.add({ ...newToken(at), purpose: "password", userId: at.admin.id }, by),
    leaves: ["issue password_link"],
    refused: (at, by) => at.here.oneTimeLinks.add({ ...newToken(at), purpose: "password", userId: 1_000_000 }, by),
  },
  "oneTimeLinks.issue": {
    make: (at, by) => at.here.oneTimeLinks.issue({ ...newToken(at), purpose: "password", userId: at.admin.id }, by),
    leaves: ["issue password_link"],
    refused: (at, by) => at.here.oneTimeLinks.issue({ ...newToken(at), purpose: "password", userId: 1_000_000 }, by),
  },
  "linkClaims.claimPassword": {
    make: ({ here, passwordLink }, by) => here.linkClaims.claimPassword(passwordLink, "x", by),
    leaves: ["set password"],
    actor: ({ member }) => member.id,
    refused: ({ here }, by) => here.linkClaims.claimPassword("never", "x", by),
  },
  "sessions.endOne": {
    make: async (at, by) => {
      await at.here.sessions.open({ ...newToken(at), userId: at.member.id }, { previousHash: null })
      const [open] = await at.here.sessions.list(at.member.id, at.clock(), null)
      return at.here.sessions.endOne(at.member.id, need(open).id, by)
    },
    leaves: ["end session"],
    refused: ({ here, member }, by) => here.sessions.endOne(member.id, 1_000_000, by),
  },
  "sessions.endAll": {
    make: ({ here, member }, by) => here.sessions.endAll(member.id, null, by),
    leaves: ["end sessions"],
  },
  "twoFactor.enable": {
    make: ({ here, admin }, by) => here.twoFactor.enable(admin.id, "secret", ["r"], by),
    leaves: ["enable two_factor"],
  },
  "twoFactor.disable": {
    make: ({ here, member }, by) => here.twoFactor.disable(member.id, by),
    leaves: ["disable two_factor"],
  },
  "twoFactor.reset": {
    make: ({ here, member }, by) => here.twoFactor.reset(member.id, by),
    leaves: ["reset two_factor"],
    refused: ({ here, admin }, by) => here.twoFactor.reset(admin.id, by),
  },
  "twoFactor.useRecoveryCode": {
    make: ({ here, member }, by) => here.twoFactor.useRecoveryCode(member.id, "recovery", by),
    leaves: ["use recovery_code"],
    refused: ({ here, admin }, by) => here.twoFactor.useRecoveryCode(admin.id, "recovery", by),
  },
  "members.setRole": {
    make: ({ here, acme, member }, by) => here.members.setRole(acme.id, member.id, "admin", by),
    leaves: ["edit member"],
    refused: async ({ here, acme, admin, stranger }, by) => {
      await here.members.setRole(acme.id, admin.id, "member", by)
      await here.members.setRole(acme.id, stranger.id, "member", by)
      await here.members.setRole(acme.id, admin.id, "admin", { ...by, seen: "stale" })
    },
  },
  "members.remove": {
    make: ({ here, acme, member }, by) => here.members.remove(acme.id, member.id, by),
    leaves: ["remove member"],
    refused: async ({ here, acme, admin, stranger }, by) => {
      await here.members.remove(acme.id, admin.id, by)
      await here.members.remove(acme.id, stranger.id, by)
    },
  },
  "invitations.issue": {
    make: (at, by) =>
      at.here.invitations.issue(at.other.id, { email: "x@example.com", name: "X", role: "admin", ...newToken(at) }, by),
    leaves: ["invite member"],
    refused: (at, by) =>
      at.here.invitations.issue(
        at.acme.id,
        { email: "member@example.com", name: "X", role: "admin", ...newToken(at) },
        by,
      ),
  },
  "invitations.withdraw": {
    make: async ({ here, acme }, by) =>
      here.invitations.withdraw(acme.id, need((await here.invitations.list(acme.id))[0]).id, by),
    leaves: ["withdraw invitation"],
    refused: async ({ here, acme, other }, by) =>
      here.invitations.withdraw(other.id, need((await here.invitations.list(acme.id))[0]).id, by),
  },
  "invitations.accept": {
    make: ({ here, invitationToNew }, by) => here.invitations.accept(invitationToNew, asNew, by),
    leaves: ["create user", "accept invitation"],
    actor: () => NEWEST,
    refused: ({ here, invitation }, by) => here.invitations.accept(invitation, asNew, by),
  },
  "campaigns.create": {
    make: ({ here, acme }, by) =>
      here.campaigns.create(acme.id, { name: "New", buyer: { slug: "brand" } }, newLine(), by),
    leaves: ["create campaign"],
    refused: ({ here, acme }, by) =>
      here.campaigns.create(acme.id, { name: "New", buyer: { slug: "unknown" } }, newLine(), by),
  },
  "campaigns.edit": {
    make: ({ here, acme, line }, by) =>
      here.campaigns.edit(acme.id, line.campaign, { name: "New", buyer: { newName: "New Co" } }, by),
    leaves: ["create organization", "edit campaign"],
    refused: async ({ here, acme, other, line }, by) => {
      const edited = { name: "New", buyer: { newName: "New Co" } }
      await here.campaigns.edit(other.id, line.campaign, edited, by)
      await here.campaigns.edit(acme.id, line.campaign, edited, { ...by, seen: "stale" })
    },
  },
  "campaigns.addLine": {
    make: ({ here, acme, line }, by) => here.campaigns.addLine(acme.id, line.campaign, newLine(), by),
    leaves: ["create line"],
    refused: ({ here, other, line }, by) => here.campaigns.addLine(other.id, line.campaign, newLine(), by),
  },
  "campaigns.editLine": {
    make: ({ here, acme, line }, by) => here.campaigns.editLine(acme.id, line.packageId, FIELDS, by),
    leaves: ["edit line"],
    refused: async ({ here, acme, other, line }, by) => {
      await here.campaigns.editLine(other.id, line.packageId, FIELDS, by)
      await here.campaigns.editLine(acme.id, line.packageId, FIELDS, { ...by, seen: "stale" })
    },
  },
  "campaigns.archive": {
    make: ({ here, acme, line }, by) => here.campaigns.archive(acme.id, line.campaign, true, by),
    leaves: ["archive campaign"],
    refused: async ({ here, acme, other, line }, by) => {
      await here.campaigns.archive(other.id, line.campaign, true, by)
      await here.campaigns.archive(acme.id, line.campaign, false, by)
    },
  },
  "campaigns.archiveLine": {
    make: ({ here, acme, line }, by) => here.campaigns.archiveLine(acme.id, line.packageId, true, by),
    leaves: ["archive line"],
    refused: async ({ here, acme, other, line }, by) => {
      await here.campaigns.archiveLine(other.id, line.packageId, true, by)
      await here.campaigns.archiveLine(acme.id, line.packageId, false, by)
    },
  },
  "campaigns.remove": {
    make: ({ here, acme, line }, by) => here.campaigns.remove(acme.id, line.campaign, by),
    leaves: ["remove campaign"],
    refused: ({ here, other, line }, by) => here.campaigns.remove(other.id, line.campaign, by),
  },
  "campaigns.removeLine": {
    make: ({ here, acme, line }, by) => here.campaigns.removeLine(acme.id, line.packageId, by),
    leaves: ["remove line"],
    refused: async ({ here, acme, other, line, spare }, by) => {
      await keep(here, [{ lineId: spare.lineId, quantity: 1, asOf: 1 }])
      await here.campaigns.removeLine(other.id, line.packageId, by)
      await here.campaigns.removeLine(acme.id, spare.packageId, by)
    },
  },
  "organizations.remove": {
    // One of its own: the entries of a removed organization no longer refer to it.
    make: async ({ here }, by) => {
      await here.organizations.create({ slug: "short-lived", name: "Short-lived", timeZone: "UTC" }, by)
      return here.organizations.remove("short-lived", by)
    },
    leaves: ["create organization", "remove organization"],
    refused: async ({ here }, by) => {
      await here.organizations.remove("acme", by)
      await here.organizations.remove("unknown", by)
    },
  },
  "deliveries.withdraw": {
    make: async ({ here, acme, line }, by) => {
      await keep(here, [{ lineId: line.lineId, quantity: 1, asOf: 1 }], { receivedAt: 2 })
      return here.deliveries.withdraw(acme.id, line.packageId, REPORT, "Wrong", by)
    },
    leaves: ["withdraw delivery_report"],
    refused: async ({ here, acme, other, line }, by) => {
      await keep(here, [{ lineId: line.lineId, quantity: 1, asOf: 1 }], { receivedAt: 2 })
      await here.deliveries.withdraw(other.id, line.packageId, REPORT, "Wrong", by)
      await here.deliveries.withdraw(acme.id, line.packageId, { ...REPORT, receivedAt: 3 }, "Wrong", by)
    },
  },
  "deliveries.withdrawTogether": {
    make: async ({ here, acme, line }, by) => {
      await keep(here, [{ lineId: line.lineId, quantity: 1, asOf: 1 }], { receivedAt: 2 })
      return here.deliveries.withdrawTogether(acme.id, together(line.lineId), "Wrong", by)
    },
    leaves: ["withdraw delivery_reports"],
    refused: async ({ here, acme, other, line }, by) => {
      await keep(here, [{ lineId: line.lineId, quantity: 1, asOf: 1 }], { receivedAt: 2 })
      await here.deliveries.withdrawTogether(other.id, together(line.lineId), "Wrong", by)
      await here.deliveries.withdrawTogether(acme.id, { ...together(line.lineId), receivedAt: 3 }, "Wrong", by)
    },
  },
  "shareLinks.create": {
    make: (at, by) => {
      const link = { ...newToken(at), campaignId: at.campaignId, organizationId: at.acme.id, label: "New" }
      return at.here.shareLinks.create(link, by)
    },
    leaves: ["create share_link"],
  },
  "shareLinks.revoke": {
    make: ({ here, acme, campaignId, shareLink }, by) => here.shareLinks.revoke(acme.id, campaignId, shareLink.id, by),
    leaves: ["revoke share_link"],
    refused: ({ here, other, campaignId, shareLink }, by) =>
      here.shareLinks.revoke(other.id, campaignId, shareLink.id, by),
  },
  "ingestKeys.create": {
    make: ({ here, acme }, by) => here.ingestKeys.create(newKey("New"), acme.id, by),
    leaves: ["create ingest_key"],
  },
  "ingestKeys.revoke": {
    make: ({ here, ingestKey }, by) => here.ingestKeys.revoke(ingestKey.id, null, by),
    leaves: ["revoke ingest_key"],
    refused: ({ here, other, ingestKey }, by) => here.ingestKeys.revoke(ingestKey.id, other.id, by),
  },
  "agentKeys.create": {
    make: ({ here }, by) => here.agentKeys.create(newKey("New"), by),
    leaves: ["create agent_key"],
    refused: ({ here }, by) => here.agentKeys.create(newKey("Buyer"), by),
  },
  "agentKeys.revoke": {
    make: ({ here, agentKey }, by) => here.agentKeys.revoke(agentKey.id, by),
    leaves: ["revoke agent_key"],
    refused: ({ here }, by) => here.agentKeys.revoke("unknown", by),
  },
  "agentKeys.setBuyer": {
    make: ({ here, agentKey, acme }, by) => here.agentKeys.setBuyer(agentKey.id, acme, by),
    leaves: ["change agent_key"],
    refused: ({ here, acme }, by) => here.agentKeys.setBuyer("unknown", acme, by),
  },
  "agentKeys.open": {
    make: ({ here, agentKey }, by) => here.agentKeys.open(agentKey.id, opening, by),
    leaves: ["open product"],
    refused: ({ here, agentKey }, by) => here.agentKeys.open(agentKey.id, { ...opening, productId: "unknown" }, by),
  },
  "agentKeys.close": {
    make: ({ here, agentKey }, by) => here.agentKeys.close(agentKey.id, "p", by),
    leaves: ["close product"],
    refused: ({ here, agentKey }, by) => here.agentKeys.close(agentKey.id, "q", by),
  },
  "agentKeys.changeOpening": {
    make: ({ here, agentKey }, by) =>
      here.agentKeys.changeOpening(agentKey.id, { productId: "p", territories: [] }, by),
    leaves: ["close product"],
    refused: ({ here, agentKey }, by) => here.agentKeys.changeOpening(agentKey.id, opening, { ...by, seen: "another" }),
  },
  "catalogue.edit": {
    make: async ({ here }, by) =>
      here.catalogue.edit({ what: "delete product", id: "p" }, await here.catalogue.revision(), by),
    // Orders whose time is over, or whose product is gone, end with it.
    leaves: ["end order", "delete product"],
    refused: ({ here }, by) => here.catalogue.edit({ what: "delete product", id: "p" }, -1, by),
  },
  "importExport.apply": {
    make: async ({ here }, by) =>
      here.importExport.apply(
        { ...NOTHING, organizations: [{ slug: "new", name: "New", timeZone: null }] },
        new Map(),
        await here.catalogue.revision(),
        by,
      ),
    leaves: ["import file"],
    refused: ({ here }, by) => here.importExport.apply(NOTHING, new Map(), -1, by),
  },
  "uploads.move": {
    make: async (world, by) => {
      const id = await givenArrived(world)
      await world.here.uploads.move(id, "open", { state: "done" }, { ...by, action: "report upload" })
    },
    leaves: ["report upload"],
    refused: async (world, by) => {
      const id = await givenArrived(world)
      await world.here.uploads.move(id, "done", { rows: 2 }, { ...by, action: "report upload" })
    },
  },
  "uploads.remove": {
    make: async (world, by) => {
      await world.here.uploads.remove(await givenArrived(world), by)
    },
    leaves: ["discard upload"],
  },
  "settings.changeContact": {
    make: ({ here }, by) => here.settings.changeContact("sales@example.com", by),
    leaves: ["change agent_contact"],
  },
  "settings.changeListing": {
    make: ({ here }, by) => here.settings.changeListing({ domains: ["a.example"], brand: null }, by),
    leaves: ["change listing"],
  },
  "settings.changeCallLogDays": {
    make: ({ here }, by) => here.settings.changeCallLogDays(7, by),
    leaves: ["change call_log_days"],
  },
  "settings.takeOver": {
    make: ({ here }, by) => here.settings.takeOver({ alert_disk_mb: "2048" }, by),
    leaves: ["take over settings"],
  },
  "settings.changeDelivery": {
    make: ({ here }, by) => here.settings.changeDelivery(true, by),
    leaves: ["change agent_delivery"],
  },
  "settings.changeAlerts": {
    make: ({ here }, by) =>
      here.settings.changeAlerts(
        { to: ["ops@example.com"], kinds: [], diskMb: 1_024, webhook: null, channels: [] },
        by,
      ),
    leaves: ["change alert_to"],
  },
  "settings.changeSchedule": {
    make: ({ here }, by) => here.settings.changeSchedule({ keep: 3 }, by),
    leaves: ["change backup_schedule"],
    refused: ({ here }, by) => here.settings.changeSchedule({ keep: 4 }, { ...by, seen: "other" }),
  },
  "audit.note": {
    make: ({ here }, by) => here.audit.note("take backup", "a copy", by),
    leaves: ["take backup"],
  },
}

/** A file that has arrived, which leaves nothing in the trail. */
async function givenArrived({ here, acme, member, clock }: World): Promise<number> {
  return need(
    await here.uploads.add({ ...A_FILE, organizationId: acme.id, uploadedBy: member.id, uploadedAt: clock() }, []),
  )
}

/** Stands for whoever was made by the change. */
export const NEWEST = -1
const NEW_USER = { name: "N", isOperator: false, passwordHash: null, membership: null }

/** Somebody of the command line, a while after the world was made. */
export const later = ({ clock }: World): Change => ({ actor: "command", at: clock() + SECOND })
