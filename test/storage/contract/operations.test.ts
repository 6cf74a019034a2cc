import { describe, expect, test } from "bun:test"
import { withChoices } from "../../../src/actions/alerts/alert-choice.ts"
import { callLogDays, isDeliveryOn, listingOf, namedContact } from "../../../src/actions/operations/agent-settings.ts"
import { scheduleSeen } from "../../../src/actions/operations/backups.ts"
import { storageContract } from "./contract.ts"
import { findKey, given, givenMarket, HOUR, keep, need, newKey } from "./given.ts"

storageContract("operations", (engine) => {
  describe("settings", () => {
    test("are null until they are set, and then what was set last, for every process", async () => {
      await using at = await given(engine)
      expect(await at.here.settings.get("address")).toBeNull()
      await at.here.settings.set("address", "http://one.example")
      expect(await at.there.settings.get("address")).toBe("http://one.example")
      await at.there.settings.set("address", "ü \" ' \n")
      expect(await at.here.settings.get("address")).toBe("ü \" ' \n")
      expect(await at.here.settings.get("agent_address")).toBeNull()
      await Promise.all(at.stores.map((store, i) => store.settings.set("last_backup", `${i}`)))
      expect(["0", "1"]).toContain(need(await at.here.settings.get("last_backup")))
    })

    test("a secret is what was given first, for every process, whoever asks at once", async () => {
      await using at = await given(engine)
      const asked = await Promise.all(at.stores.map((store, i) => store.settings.secret(`${i}`)))
      expect(new Set(asked).size).toBe(1)
      expect(await at.there.settings.secret("later")).toBe(need(asked[0]))
    })

    test("whether agents read delivery is known to every process at the next request, as the catalogue is", async () => {
      await using at = await given(engine)
      expect(await isDeliveryOn(at.there, { agentDelivery: null })).toBe(false)
      for (const isOn of [true, false, true]) {
        const before = await at.there.catalogue.revision()
        await at.here.settings.changeDelivery(isOn, at.change())
        expect(await at.there.catalogue.revision()).toBeGreaterThan(before)
        expect(await isDeliveryOn(at.there, { agentDelivery: null })).toBe(isOn)
      }
      expect(await isDeliveryOn(at.there, { agentDelivery: false })).toBe(false)
    })

    test("whom buyers ask is known to every process at the next request, as the catalogue is", async () => {
      await using at = await given(engine)
      expect(await namedContact(at.there)).toBeNull()
      const before = await at.there.catalogue.revision()
      await at.here.settings.changeContact("sales@example.com", at.change())
      expect(await at.there.catalogue.revision()).toBeGreaterThan(before)
      expect(await namedContact(at.there)).toBe("sales@example.com")
    })

    test("what is published is known to every process at the next request, as the catalogue is", async () => {
      await using at = await given(engine)
      expect(await listingOf(at.there)).toEqual({ domains: [], brand: null })
      const listing = { domains: ["a.example", "b.example"], brand: "Example Media" }
      const before = await at.there.catalogue.revision()
      await at.here.settings.changeListing(listing, at.change())
      expect(await at.there.catalogue.revision()).toBeGreaterThan(before)
      expect(await listingOf(at.there)).toEqual(listing)
      await at.here.settings.changeListing({ domains: [], brand: null }, at.change())
      expect(await listingOf(at.there)).toEqual({ domains: [], brand: null })
    })

    test("what earlier builds took from options is stored once, and never over what was chosen since", async () => {
      await using at = await given(engine)
      await at.here.settings.changeContact("app@example.com", at.change())
      const values = { agent_contact: "option@example.com", call_log_days: "90" }
      expect(await at.here.settings.takeOver(values, at.change())).toEqual(values)
      expect([await namedContact(at.there), await callLogDays(at.there)]).toEqual(["option@example.com", 90])
      await at.there.settings.changeCallLogDays(7, at.change())
      expect(await at.there.settings.takeOver(values, at.change())).toEqual({})
      expect(await callLogDays(at.here)).toBe(7)
    })

    test("who gets alerts is known to every process, and the settings of the server go first", async () => {
      await using at = await given(engine)
      const nothing = {
        smtp: null,

        mailFrom: null,
        alertWebhook: null,
        alertWebhookSecret: null,
      }
      for (const to of [["ops@example.com"], [], ["olga@example.com", "ada@example.com"]]) {
        await at.here.settings.changeAlerts({ to, kinds: [], diskMb: 1_024, webhook: null, channels: [] }, at.change())
        expect((await withChoices({ store: at.there }, { ...nothing, alertTo: [] as string[] })).alertTo).toEqual(to)
      }
      const boss = { ...nothing, alertTo: ["boss@example.com"] }
      expect(await withChoices({ store: at.there }, boss)).toEqual(boss)
    })

    test("a schedule of backups is changed by one of those who saw the same, with its entry in the audit trail", async () => {
      await using at = await given(engine)
      const seen = await scheduleSeen(at.here)
      const change = (keep: number) =>
        Promise.all(at.stores.map((store) => store.settings.changeSchedule({ keep }, { actor: "test", at: 1, seen })))
      expect((await change(3)).sort()).toEqual(["changed", "done"])
      expect(await change(4)).toEqual(["changed", "changed"])
      expect(await at.there.settings.get("backup_schedule")).toBe('{"every":null,"keep":3}')
      const { entries } = await at.here.audit.list({ action: "change backup_schedule" }, { before: null, limit: 10 })
      const details = { every: null, keep: 3 }
      expect(entries.map((entry) => [entry.subject, entry.details])).toEqual([["installation", details]])
    })
  })

  describe("health", () => {
    test("of a sound store", async () => {
      await using at = await given(engine)
      const { health } = at.there
      await health.ping()
      await health.tryWriting()
      expect(await health.isInDoubt()).toBe(false)
      expect(await health.whyNotWritten(new Error("not so"))).toBeNull()
      expect(await health.integrity()).toEqual([])
      expect(await health.unexplainedTotals()).toEqual({ count: 0, first: [] })
      expect(await health.unexplainedDays()).toEqual({ count: 0, first: [] })
      expect(await health.strayReports()).toEqual([])
      const { version, expected, fits } = await health.schema()
      expect([version, fits]).toEqual([expected, true])
      expect(await health.sizeBytes()).toBeGreaterThan(0)
      expect(health.engine).toContain(engine.name)
      const facts = await health.facts()
      expect(facts.length).toBeGreaterThan(0)
      for (const { label, value, figures = {} } of facts) {
        expect([label, value]).not.toContain("")
        for (const [name, figure] of Object.entries(figures)) {
          expect(name).toMatch(/^[a-z_]+$/)
          expect(figure).toBeGreaterThanOrEqual(0)
        }
      }
    })

    test("knows the newest moment at which anything was received or changed", async () => {
      await using at = await given(engine)
      expect(await at.there.health.latestTimestamp()).toBeNull()
      await using market = await givenMarket(engine)
      const latest = () => market.there.health.latestTimestamp()
      expect(await latest()).toBe(market.clock())
      const later = market.clock() + HOUR
      await keep(market.here, [{ lineId: market.line.lineId, quantity: 1, asOf: 1 }], { receivedAt: later })
      expect(await latest()).toBe(later)
      const { revision } = await market.here.affiliates.codesSold(market.acme.id, [])
      const code = { code: "A", lineId: market.line.lineId, slug: undefined }
      expect(await market.here.affiliates.saveCodes(market.acme.id, [code], later + 1, revision)).toBe(true)
      expect(await latest()).toBe(later + 1)
      const sold = await market.here.affiliates.codesSold(market.acme.id, ["A"])
      const nothing = { conversions: undefined, conversionValueMicros: undefined }
      const day = { ...need(sold.items[0]), date: "2026-11-01", clicks: 1, ...nothing }
      expect(await market.here.affiliates.saveMetrics([day], later + 2, sold.revision)).toBe(true)
      expect(await latest()).toBe(later + 2)
    })
  })

  test("what a store has acknowledged is there for the next one that is opened", async () => {
    await using at = await givenMarket(engine)
    await keep(at.here, [{ lineId: at.line.lineId, quantity: 7, asOf: 1 }])
    const fresh = await at.again()
    expect(await fresh.packageLines.listWithTotals(null)).toMatchObject([{ total: { quantity: 7 } }])
    expect(await fresh.organizations.list()).toHaveLength(3)
  })

  test("a store reads its own writes at once, within the same turn", async () => {
    await using at = await givenMarket(engine)
    const { store, acme, line } = at
    const key = newKey("Nightly")
    expect(await findKey(store, "ingest", key.fingerprint)).toBeNull()
    await store.ingestKeys.create(key, acme.id, at.change())
    expect(await findKey(store, "ingest", key.fingerprint)).toMatchObject({ id: key.id })
    await store.ingestKeys.revoke(key.id, null, at.change())
    expect(await findKey(store, "ingest", key.fingerprint)).toBeNull()
    await keep(store, [{ lineId: line.lineId, quantity: 1, asOf: 1 }])
    expect(await store.packageLines.findSold(acme.id, [line.packageId])).toMatchObject([{ total: { quantity: 1 } }])
  })
})
