import { sql } from "drizzle-orm"
import { makeKey } from "../../../src/actions/keys/keys.ts"
import { newToken } from "../../../src/actions/new-id.ts"
import type { ImportPlan } from "../../../src/domain/import/import-plan.ts"
import { fingerprintOf, hashToken } from "../../../src/domain/keys/api-key.ts"
import type { LineFields, NewLine, StoreReads, StoreSecrets } from "../../../src/storage/port/store.ts"
import { eq, exec } from "../../../src/storage/steps/step.ts"
import { givenProduct } from "../../doors/agent/buyer.ts"
import { OWN_LINE } from "../../doors/web/given.ts"
import { A_FILE } from "../../storage/contract/given.ts"
import type { Queries, Store } from "../../storage/contract/whole-store.ts"
import type { World } from "./world.ts"

/** Every method of one half of the storage port, as `part.method`. */
type MethodsIn<Half> = {
  [Part in keyof Half & string]: Half[Part] extends (...given: never[]) => unknown
    ? Part
    : `${Part}.${MethodsOf<Half[Part]>}`
}[keyof Half & string]
type MethodsOf<Part> = {
  [Name in keyof Part & string]: Part[Name] extends (...given: never[]) => unknown ? Name : never
}[keyof Part & string]

/** A writing method, used through the store of some process. */
export interface Write {
  readonly write: (store: Store, world: World) => Promise<unknown>
  /** Whether somebody who asks afterwards is told something else than before. */
  readonly shows: boolean
}
const shown = (write: Write["write"]): Write => ({ write, shows: true })
const unseen = (write: Write["write"]): Write => ({ write, shows: false })

const line: LineFields = {
  name: "Edited",
  pricingBasis: "downloads",
  flightStart: "2026-11-15",
  flightEnd: null,
  booked: 7,
  rate: null,
  currency: null,
  externalId: null,
}
const newLine = (): NewLine => ({ ...line, packageId: crypto.randomUUID() })
const key = ({ app }: World, kind: "ingest" | "agent") => makeKey(app, kind, "Another").record
const passwordLink = async (store: Store, { app, people, change }: World) => {
  const { tokenHash, ...times } = newToken(app, 1_000_000).stored
  await store.oneTimeLinks.issue({ tokenHash, purpose: "password", userId: people.secondAdmin, ...times }, change)
  return tokenHash
}
const invitation = async (store: Store, { app, acme, change }: World) => {
  const { tokenHash, ...times } = newToken(app, 1_000_000).stored
  const person = { email: "m@example.com", name: "M", role: "member" } as const
  await store.invitations.issue(acme.id, { ...person, tokenHash, ...times }, change)
  return tokenHash
}
const plan: ImportPlan = {
  organizations: [{ slug: "acme-audio", name: "Acme", timeZone: "Pacific/Kiritimati" }],
  users: [],
  campaigns: [],
  lines: [{ ...line, packageId: OWN_LINE, campaign: "acme-only", seller: "other-seller" }],
  formats: [],
  products: [{ productId: "p", body: givenProduct("p", { name: "Imported" }) }],
  productSellers: [],
  agentKeys: [],
}

const STATED = { from: "Acme", to: "Brand Co", reference: "", countAll: [], added: [] }
/** What the lines of the campaign come to, which have no price: nothing, in the first statement. */
const NOTHING_DUE = "first"

type Reading = StoreReads & StoreSecrets & Queries

/** Every method that writes: a new one has to be added here, or the types do not fit. What reads is in the half that doors hold. */
export const WRITES: Readonly<Record<Exclude<MethodsIn<Store>, MethodsIn<Reading>>, Write>> = {
  transact: shown((store, { acme }) =>
    store.transact(({ db, organization }) =>
      exec(db.update(organization).set({ name: "By a step" }).where(eq(organization.id, acme.id))),
    ),
  ),
  transactBulk: shown((store) =>
    store.transactBulk({ rows: { columns: { name: "text" }, rows: [{ name: "Renamed" }] } }, ({ statement, given }) =>
      exec(statement(sql`UPDATE organization SET name = (SELECT p.name FROM ${given.rows})`)),
    ),
  ),
  transactBeside: unseen((store) =>
    store.transactBeside(({ db, upload }) => exec(db.update(upload).set({ rows: 1 }).where(eq(upload.id, 1)))),
  ),
  "organizations.create": shown((store, { change }) =>
    store.organizations.create({ slug: "new", name: "New", timeZone: "UTC" }, change),
  ),
  "organizations.setLogo": shown((store, { acme, change }) =>
    store.organizations.setLogo(
      { id: acme.id, slug: "acme-audio" },
      { mediaType: "image/png", base64: "AA==" },
      change,
    ),
  ),
  "organizations.edit": shown((store, { change }) =>
    store.organizations.edit("acme-audio", { name: "Acme", timeZone: "Pacific/Kiritimati" }, change),
  ),
  "users.create": shown((store, { change }) =>
    store.users.create(
      { email: "new@example.com", name: "New", isOperator: false, passwordHash: null, membership: null },
      change,
    ),
  ),
  "users.setPassword": shown((store, { people, change }) =>
    store.users.setPassword(people.secondAdmin, "x", { ...change, keepTokenHash: null }),
  ),
  "users.edit": shown((store, { people, change }) =>
    store.users.edit(people.secondAdmin, { name: "Renamed", isOperator: false, memberships: [] }, change),
  ),
  "users.remove": shown((store, { people, change }) => store.users.remove(people.secondAdmin, change)),
  "oneTimeLinks.add": unseen((store, { people, change }) =>
    store.oneTimeLinks.add(
      {
        tokenHash: "t",
        purpose: "password",
        userId: people.secondAdmin,
        createdAt: change.at,
        expiresAt: change.at + 1,
      },
      change,
    ),
  ),
  "oneTimeLinks.issue": unseen(passwordLink),
  "linkClaims.claimSetup": unseen((store, { change }) =>
    store.linkClaims.claimSetup("none", { email: "o@example.com", name: "O", passwordHash: "x" }, change),
  ),
  "linkClaims.claimPassword": shown(async (store, world) =>
    store.linkClaims.claimPassword(await passwordLink(store, world), "x", world.change),
  ),
  "linkClaims.close": unseen(async (store, world) => store.linkClaims.close(await passwordLink(store, world))),
  "sessions.open": unseen((store, { app, people }) => {
    const times = { createdAt: app.clock(), expiresAt: app.clock() + 1_000_000 }
    return store.sessions.open({ tokenHash: "x", userId: people.admin, ...times }, { previousHash: null })
  }),
  "sessions.endOne": unseen(async (store, { app, people, change }) => {
    const times = { createdAt: app.clock(), expiresAt: app.clock() + 1_000_000 }
    await store.sessions.open({ tokenHash: "y", userId: people.admin, ...times }, { previousHash: null })
    const opened = (await store.sessions.list(people.admin, app.clock(), "y")).find(({ isCurrent }) => isCurrent)
    return store.sessions.endOne(people.admin, opened?.id ?? 0, change)
  }),
  "sessions.extend": unseen((store, { app, cookies }) => {
    const tokenHash = hashToken(cookies["admin"]?.split("=")[1] ?? "")
    return store.sessions.extend(tokenHash, app.clock() + 1_000_000, app.clock())
  }),
  "sessions.end": shown((store, { cookies }) => store.sessions.end(hashToken(cookies["admin"]?.split("=")[1] ?? ""))),
  "sessions.endAll": shown((store, { people, change }) => store.sessions.endAll(people.admin, null, change)),
  "twoFactor.enable": shown((store, { people, change }) => store.twoFactor.enable(people.admin, "S", ["r"], change)),
  "twoFactor.disable": unseen((store, { people, change }) => store.twoFactor.disable(people.admin, change)),
  "twoFactor.useRecoveryCode": unseen((store, { people, change }) =>
    store.twoFactor.useRecoveryCode(people.admin, "r", change),
  ),
  "twoFactor.reset": shown(async (store, { people, change }) => {
    await store.twoFactor.enable(people.admin, "S", ["r"], change)
    return store.twoFactor.reset(people.admin, change)
  }),
  "linkClaims.askForCode": unseen((store, { app, people }) => {
    const times = { createdAt: app.clock(), expiresAt: app.clock() + 1_000_000 }
    return store.linkClaims.askForCode({ tokenHash: "x", ...times }, { userId: people.admin, passwordHash: null })
  }),
  "twoFactor.useTimeStep": unseen((store, { people }) => store.twoFactor.useTimeStep(people.admin, 1)),
  "invitations.issue": shown(invitation),
  "invitations.withdraw": unseen(async (store, world) => {
    await invitation(store, world)
    const [invited] = await store.invitations.list(world.acme.id)
    return store.invitations.withdraw(world.acme.id, invited?.id ?? 0, world.change)
  }),
  "invitations.accept": shown(async (store, world) =>
    store.invitations.accept(await invitation(store, world), { name: "M", passwordHash: "x" }, world.change),
  ),
  "members.setRole": shown((store, { acme, people, change }) =>
    store.members.setRole(acme.id, people.admin, "member", change),
  ),
  "members.remove": shown((store, { acme, people, change }) => store.members.remove(acme.id, people.admin, change)),
  "campaigns.create": shown((store, { acme, change }) =>
    store.campaigns.create(acme.id, { name: "New", buyer: { slug: "brand-co" } }, newLine(), change),
  ),
  "campaigns.edit": shown((store, { acme, change }) =>
    store.campaigns.edit(acme.id, "acme-only", { name: "Renamed", buyer: { slug: "brand-co" } }, change),
  ),
  "campaigns.addLine": shown((store, { acme, change }) =>
    store.campaigns.addLine(acme.id, "acme-only", newLine(), change),
  ),
  "campaigns.editLine": shown((store, { acme, change }) => store.campaigns.editLine(acme.id, OWN_LINE, line, change)),
  "shareLinks.create": unseen((store, { app, acme, campaignId, change }) => {
    const times = { createdAt: app.clock(), expiresAt: app.clock() + 1_000_000 }
    const link = { tokenHash: "x", campaignId, organizationId: acme.id, label: "New", ...times }
    return store.shareLinks.create(link, change)
  }),
  "shareLinks.revoke": shown((store, { acme, campaignId, shareLinkId, change }) =>
    store.shareLinks.revoke(acme.id, campaignId, shareLinkId, change),
  ),
  "orderLinks.create": shown((store, { orderLink, change }) => store.orderLinks.create(orderLink("two"), change)),
  "orderLinks.end": shown(async (store, { change }) => {
    const [link] = await store.orderLinks.list("p")
    return store.orderLinks.end(link?.id ?? 0, change)
  }),
  "orders.place": shown((store, { sent, change }) => store.orders.place(sent("another"), change)),
  "orders.move": shown(async (store, { change }) =>
    store.orders.move(await store.orders.find(null, "an order"), "requester withdraws", {}, change),
  ),
  "orders.endStale": shown(async (store, { app, change }) => {
    const at = app.clock() + 31 * 86_400_000_000
    return store.orders.endStale({ ...change, at })
  }),
  "orders.setTaken": shown((store, { change }) => store.orders.setTaken(false, change)),
  "statements.save": shown((store, { statementOf, change }) =>
    store.statements.save(statementOf, STATED, { confirmed: NOTHING_DUE, totals: new Map() }, change),
  ),
  "statements.move": shown(async (store, { statementOf, change }) => {
    const saved = await store.statements.save(
      statementOf,
      STATED,
      { confirmed: NOTHING_DUE, totals: new Map() },
      change,
    )
    const id = saved.outcome === "done" ? saved.id : 0
    return store.statements.move({ ...statementOf, id }, { to: "paid", on: "2026-11-15" }, change)
  }),
  "deliveries.record": shown(async (store, { app, acme, lineId }) => {
    const { revision, timeZone } = await store.deliveries.linesSold(acme.id, [])
    const source = { kind: "key", reference: "k", detail: "" } as const
    const totals = [{ lineId, quantity: 5, asOf: app.clock() - 3_600_000_000 }]
    return store.deliveries.record(totals, { receivedAt: app.clock(), source, timeZone }, revision)
  }),
  "deliveries.recordUnlessOutdated": shown(async (store, { app, acme, lineId }) => {
    const { revision, timeZone } = await store.deliveries.linesSold(acme.id, [])
    const source = { kind: "form", reference: "1", detail: "" } as const
    const [line] = await store.packageLines.findSold(acme.id, [OWN_LINE])
    const totals = [{ lineId, quantity: 6, asOf: app.clock() - 3_600_000_000, before: line?.total ?? null }]
    return store.deliveries.recordUnlessOutdated(totals, { receivedAt: app.clock(), source, timeZone }, revision)
  }),
  "campaigns.archive": shown((store, { acme, change }) => store.campaigns.archive(acme.id, "acme-only", true, change)),
  "campaigns.archiveLine": shown((store, { acme, change }) =>
    store.campaigns.archiveLine(acme.id, OWN_LINE, true, change),
  ),
  "campaigns.remove": unseen(async (store, { acme, change }) => {
    const named = { name: "Short-lived", buyer: { slug: "brand-co" } }
    const slug = await store.campaigns.create(acme.id, named, newLine(), change)
    return store.campaigns.remove(acme.id, slug ?? "", change)
  }),
  "campaigns.removeLine": unseen(async (store, { acme, change }) => {
    const added = newLine()
    await store.campaigns.addLine(acme.id, "acme-only", added, change)
    return store.campaigns.removeLine(acme.id, added.packageId, change)
  }),
  "organizations.remove": unseen(async (store, { change }) => {
    await store.organizations.create({ slug: "short-lived", name: "Short-lived", timeZone: "UTC" }, change)
    return store.organizations.remove("short-lived", change)
  }),
  "deliveries.withdraw": shown(async (store, { app, acme, lineId, change }) => {
    const { revision, timeZone } = await store.deliveries.linesSold(acme.id, [])
    const source = { kind: "form", reference: "1", detail: "" } as const
    const report = { quantity: 4, asOf: app.clock() - 7_200_000_000, receivedAt: app.clock() }
    await store.deliveries.record(
      [{ lineId, ...report }],
      { receivedAt: report.receivedAt, source, timeZone },
      revision,
    )
    return store.deliveries.withdraw(acme.id, OWN_LINE, report, "Wrong", change)
  }),
  "deliveries.withdrawTogether": shown(async (store, { app, acme, lineId, change }) => {
    const { revision, timeZone } = await store.deliveries.linesSold(acme.id, [])
    const source = { kind: "form", reference: "1", detail: "" } as const
    const [asOf, receivedAt] = [app.clock() - 7_200_000_000, app.clock()]
    await store.deliveries.record([{ lineId, quantity: 5, asOf }], { receivedAt, source, timeZone }, revision)
    const together = { receivedAt, source, lineIds: [lineId], moments: [asOf], subject: "form" }
    return store.deliveries.withdrawTogether(acme.id, together, "Wrong", change)
  }),
  "deliveries.renewDays": unseen((store) => store.deliveries.renewDays()),
  "affiliates.saveCodes": shown(async (store, { app, acme, lineId }) => {
    const { revision } = await store.deliveries.linesSold(acme.id, [])
    return store.affiliates.saveCodes(acme.id, [{ lineId, code: "NEW", slug: "new" }], app.clock(), revision)
  }),
  "affiliates.saveMetrics": shown(async (store, { app, acme }) => {
    const { items: found, revision } = await store.affiliates.codesSold(acme.id, ["A10"])
    const sold = found[0] ?? { codeId: 0, lineId: 0 }
    const row = { ...sold, date: "2026-11-14", clicks: 5, conversions: undefined, conversionValueMicros: undefined }
    return store.affiliates.saveMetrics([row], app.clock(), revision)
  }),
  "ingestKeys.create": shown((store, world) =>
    store.ingestKeys.create(key(world, "ingest"), world.acme.id, world.change),
  ),
  "ingestKeys.revoke": shown((store, { ingestKeys, change }) =>
    store.ingestKeys.revoke(ingestKeys.acmeToo.slice(0, 12), null, change),
  ),
  "ingestKeys.noteUse": unseen(async (store, { app }) => store.ingestKeys.noteUse("none", app.clock())),
  "agentKeys.create": shown((store, world) => store.agentKeys.create(key(world, "agent"), world.change)),
  "agentKeys.revoke": shown((store, { agentKeys, change }) =>
    store.agentKeys.revoke(agentKeys["Buyer"]?.slice(0, 12) ?? "", change),
  ),
  "agentKeys.setBuyer": shown(async (store, { agentKeys, change }) => {
    const buyer = await store.organizations.findBySlug("brand-co")
    return store.agentKeys.setBuyer(agentKeys["Buyer"]?.slice(0, 12) ?? "", buyer, change)
  }),
  "agentKeys.open": shown((store, { agentKeys, change }) =>
    store.agentKeys.open(agentKeys["Idle"]?.slice(0, 12) ?? "", { productId: "q", territories: ["*"] }, change),
  ),
  "agentKeys.close": shown((store, { agentKeys, change }) =>
    store.agentKeys.close(agentKeys["Buyer"]?.slice(0, 12) ?? "", "p", change),
  ),
  "agentKeys.noteUse": unseen(async (store, { app }) => store.agentKeys.noteUse("none", app.clock())),
  "agentKeys.changeOpening": shown((store, { unusedKey, change }) =>
    store.agentKeys.changeOpening(unusedKey, { productId: "p", territories: ["FR"] }, change),
  ),
  "catalogue.edit": shown(async (store, { change }) => {
    const edit = { what: "save product", id: "p", body: givenProduct("p", { name: "Edited" }) } as const
    return store.catalogue.edit(edit, await store.catalogue.revision(), change)
  }),
  "importExport.apply": shown(async (store, { change }) =>
    store.importExport.apply(plan, new Map(), await store.catalogue.revision(), change),
  ),
  "audit.note": unseen((store, { change }) => store.audit.note("a", "b", change)),
  "agentCallLog.note": unseen(async (store, { app }) =>
    store.agentCallLog.note({
      at: app.clock(),
      agentKeyId: null,
      address: "192.0.2.1",
      method: "ping",
      tool: null,
      arguments: null,
      outcome: "ok",
      durationMicros: 1,
    }),
  ),
  "agentCallLog.prune": unseen((store, { app }) => store.agentCallLog.prune(app.clock())),
  "agentCallLog.keepWithin": unseen(async (store) => store.agentCallLog.keepWithin(10_000)),
  "feedActivity.note": unseen(async (store, { app }) =>
    store.feedActivity.note({
      organizationId: 1,
      keyId: "a key",
      at: app.clock(),
      feed: "delivery",
      outcome: "answered",
      accepted: 1,
      rejected: [],
      items: [],
    }),
  ),
  "feedActivity.prune": unseen((store, { app }) => store.feedActivity.prune(app.clock())),
  "refusals.note": unseen(async (store, { app }) =>
    store.refusals.note({ hour: app.clock(), door: "agent", status: 401 }),
  ),
  "refusals.prune": unseen((store, { app }) => store.refusals.prune(app.clock())),
  "admissions.ingest": unseen(async (store, { app, ingestKeys }) =>
    store.admissions.ingest(fingerprintOf(ingestKeys.acme), { name: "one", limit: 1 }, app.clock()),
  ),
  "admissions.agent": unseen(async (store, { app, agentKeys }) =>
    store.admissions.agent(fingerprintOf(agentKeys["Buyer"] ?? ""), { name: "one", limit: 1 }, app.clock()),
  ),
  "admissions.caller": unseen(async (store, { app }) =>
    store.admissions.caller({ name: "one", limit: 1 }, "192.0.2.1", app.clock()),
  ),
  "signInThrottle.begin": unseen((store, { app }) => store.signInThrottle.begin(["somebody"], app.clock())),
  "signInThrottle.takeBack": unseen((store, { app }) =>
    store.signInThrottle.takeBack([{ subject: "somebody", at: app.clock(), before: 0 }]),
  ),
  "signInThrottle.succeeded": unseen((store) => store.signInThrottle.succeeded(["somebody"])),
  "leases.take": unseen((store) => store.leases.take("upkeep", 1)),
  "uploads.add": unseen(async (store, { app, people }) => {
    const organizationId = (await store.organizations.findBySlug("acme-audio"))?.id ?? 0
    const file = { ...A_FILE, organizationId, uploadedBy: people.admin, uploadedAt: app.clock() }
    return store.uploads.add(file, ["x"])
  }),
  "uploads.move": unseen((store, { change }) =>
    store.uploads.move(1, "open", { rows: 2 }, { ...change, action: null }),
  ),
  "uploads.fixReceipt": unseen((store, { app }) => store.uploads.fixReceipt(1, app.clock())),
  "uploads.remove": unseen((store, { change }) => store.uploads.remove(1, change)),
  "uploads.remember": unseen(async (store) => {
    const organizationId = (await store.organizations.findBySlug("acme-audio"))?.id ?? 0
    return store.uploads.remember(organizationId, "line", "Mid roll", "")
  }),
  "uploads.forget": unseen(async (store) => {
    const organizationId = (await store.organizations.findBySlug("acme-audio"))?.id ?? 0
    return store.uploads.forget(organizationId, "line", "Mid roll")
  }),
  "uploads.sweepText": unseen((store, { app }) => store.uploads.sweepText(app.clock())),
  "uploads.sweepRecords": unseen((store, { app }) => store.uploads.sweepRecords(app.clock())),
  "alerts.note": unseen((store, { app }) => {
    const cause = { kind: "disk_low", subject: "", title: "Disk space is low", detail: "", path: "/app" } as const
    const began = [{ ...cause, beganAt: app.clock(), endedAt: null }]
    const messages = [{ id: "m", channel: "email", content: "{}" }] as const
    return store.alerts.note({ began, ended: [], messages, at: app.clock(), forgetBefore: 0 })
  }),
  "alerts.beginAttempt": unseen((store) => store.alerts.beginAttempt({ id: "m", attempts: 0 }, 1)),
  "alerts.endAttempt": unseen((store) =>
    store.alerts.endAttempt("m", { sentAt: null, nextAttemptAt: null, problem: "no route to host" }),
  ),
  // The System page shows it where there is a mail server.
  "settings.changeAlerts": unseen((store, { change }) =>
    store.settings.changeAlerts(
      { to: ["a@example.com"], kinds: [], diskMb: 1_024, webhook: null, channels: [] },
      change,
    ),
  ),
  "settings.changeContact": shown((store, { change }) => store.settings.changeContact("sales@example.com", change)),
  "settings.changeListing": shown((store, { change }) =>
    store.settings.changeListing({ domains: ["a.example"], brand: null }, change),
  ),
  "settings.changeCallLogDays": unseen((store, { change }) => store.settings.changeCallLogDays(7, change)),
  "settings.takeOver": shown((store, { change }) =>
    store.settings.takeOver({ agent_contact: "a@example.com" }, change),
  ),
  "settings.changeDelivery": shown((store, { change }) => store.settings.changeDelivery(true, change)),
  "settings.changeSchedule": unseen((store, { change }) => store.settings.changeSchedule({ keep: 3 }, change)),
  "settings.secret": unseen((store) => store.settings.secret("s")),
  "settings.set": unseen((store) => store.settings.set("agent_address", "http://ads.example")),
  "health.tryWriting": unseen((store) => store.health.tryWriting()),
  flushWriteBuffer: unseen((store) => store.flushWriteBuffer()),
}
