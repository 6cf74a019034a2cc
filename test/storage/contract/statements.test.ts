import { describe, expect, test } from "bun:test"
import {
  moveStatement,
  previewStatement,
  type StatementOf,
  saveStatement,
  sumsText,
} from "../../../src/actions/sale/statements.ts"
import { notSettled } from "../../../src/domain/sale/settled.ts"
import { changedSince, type StatementDraft, totalsOf } from "../../../src/domain/sale/statement.ts"
import { storageContract } from "./contract.ts"
import type { Engine } from "./engine.ts"
import { given, givenLine, givenLineIn, givenOrganization, keep, need } from "./given.ts"

const DRAFT: StatementDraft = { from: "Acme", to: "Theatre", reference: "", countAll: [], added: [] }
const ADDED = [
  { what: "production", text: "Spot", amount: "350.00", currency: "EUR" },
  { what: "discount", text: "5%", amount: "-112.80", currency: "EUR" },
] as const

/** A campaign whose two lines have ended and are reported. */
async function givenSeason(engine: Engine) {
  const at = await given(engine)
  const acme = await givenOrganization(at, "acme", "Europe/Berlin")
  const theatre = await givenOrganization(at, "theatre")
  const flight = { flightStart: "2026-09-07", flightEnd: "2026-11-08", currency: "EUR" }
  const first = await givenLine(at, acme, theatre, {
    campaign: "Season",
    name: "Harbour",
    booked: 90_000,
    rate: 16,
    ...flight,
  })
  const sea = { name: "Sea", pricingBasis: "downloads", booked: 40_000, rate: 24, ...flight } as const
  const second = await givenLineIn(at, first.campaign, acme, sea)
  const context = { store: at.here, clock: at.clock, random: (bytes: number) => new Uint8Array(bytes) }
  const report = (lineId: number, quantity: number, asOf: string) =>
    keep(at.here, [{ lineId, quantity, asOf: Date.parse(asOf) * 1_000 }], { receivedAt: at.clock() })
  await report(first.lineId, 91_284, "2026-11-08T22:59:59Z")
  await report(second.lineId, 34_000, "2026-11-08T22:59:59Z")
  const campaign = need(await at.here.campaigns.find(acme.id, first.campaign))
  const of: StatementOf = { seller: acme, campaign, id: null }
  const freeze = async (draft: StatementDraft = DRAFT, more: Partial<StatementOf> = {}, store = at.here) => {
    const on = { ...context, store }
    const confirmed = sumsText(await previewStatement(on, { ...of, ...more }, draft))
    return saveStatement(on, { ...of, ...more }, draft, confirmed, "user:1")
  }
  const move = (id: number, to: "paid" | "cancelled" | "discarded") =>
    at.here.transact((tx) => moveStatement.step(tx, { ...of, id }, { to, on: "2026-12-01" } as never, at.change()))
  return { ...at, acme, campaign, of, context, freeze, move, report, first, second }
}

storageContract("statements", (engine) => {
  describe("a statement", () => {
    test("counts at most what was booked unless told otherwise, and its sums are exact", async () => {
      await using at = await givenSeason(engine)
      const plain = await previewStatement(at.context, at.of, { ...DRAFT, added: ADDED })
      expect(plain.lines.map(({ name, counts, amount }) => [name, counts, amount])).toEqual([
        ["Harbour", 90_000, "1440.00"],
        ["Sea", 34_000, "816.00"],
      ])
      expect(totalsOf(plain)).toEqual([{ currency: "EUR", amount: "2493.20" }])
      const all = await previewStatement(at.context, at.of, { ...DRAFT, countAll: [at.first.packageId] })
      expect(totalsOf(all)).toEqual([{ currency: "EUR", amount: "2276.54" }])
      const dollars = { what: "other", text: "", amount: "-10.00", currency: "USD" } as const
      expect(totalsOf(await previewStatement(at.context, at.of, { ...DRAFT, added: [dollars] }))).toEqual([
        { currency: "EUR", amount: "2256.00" },
        { currency: "USD", amount: "-10.00" },
      ])
    })

    test("is frozen with the next number of the seller's year, and nothing is stated twice, however many freeze at once", async () => {
      await using at = await givenSeason(engine)
      const frozen = async (i: number) => {
        for (;;) {
          const saved = await at.freeze(DRAFT, {}, at.stores[i % 2])
          if (saved.outcome !== "changed") return saved
        }
      }
      const saved = await Promise.all([0, 1, 2, 3].map(frozen))
      const numbers = saved.map((one) => (one.outcome === "done" ? one.number : one.outcome)).toSorted()
      expect(numbers).toEqual(["2026-001", "2026-002", "2026-003", "2026-004"])
      const stated = await at.there.statements.list([at.campaign.id], at.acme.id)
      const sums = stated.flatMap(({ body }) => totalsOf(need(body)).map(({ amount }) => amount)).toSorted()
      expect(sums).toEqual(["0.00", "0.00", "0.00", "2256.00"])
      at.clock.advance({ seconds: 60 * 86_400 })
      expect(await at.freeze()).toMatchObject({ number: "2027-001" })
      expect(await at.there.statements.lastNumber(at.acme.id, "2026")).toBe("2026-004")
    })

    test("never changes once it is frozen, and says what came in later", async () => {
      await using at = await givenSeason(engine)
      const saved = await at.freeze({ ...DRAFT, added: ADDED })
      const id = saved.outcome === "done" ? saved.id : 0
      const [before] = await at.there.statements.list([at.campaign.id], at.acme.id)
      expect(await saveStatement(at.context, { ...at.of, id }, DRAFT, undefined, "user:1")).toEqual({
        outcome: "not found",
      })
      at.clock.advance({ seconds: 86_400 })
      await at.report(at.second.lineId, 37_120, "2026-11-16T00:00:00Z")
      const [after] = await at.there.statements.list([at.campaign.id], null)
      expect(after).toEqual(need(before))
      const lines = await at.there.statements.lines([at.campaign.id], at.acme.id)
      expect(changedSince(need(after?.body), lines)).toMatchObject([
        { before: { delivered: 34_000 }, now: { delivered: 37_120 } },
      ])
      expect(notSettled([need(after)], lines)).toEqual([{ currency: "EUR", amount: "74.88" }])
      const corrected = await at.freeze({ ...DRAFT, added: ADDED })
      const [newest] = await at.there.statements.list([at.campaign.id], at.acme.id)
      expect(corrected).toMatchObject({ number: "2026-002" })
      expect(newest).toMatchObject({ corrects: id, body: { corrected: { number: "2026-001" } } })
      expect(totalsOf(need(newest?.body))).toEqual([{ currency: "EUR", amount: "74.88" }])
    })

    test("that corrects a correcting one comes to what is new alone", async () => {
      await using at = await givenSeason(engine)
      await at.freeze({ ...DRAFT, added: ADDED })
      at.clock.advance({ seconds: 86_400 })
      await at.report(at.second.lineId, 37_120, "2026-11-16T00:00:00Z")
      await at.freeze({ ...DRAFT, added: ADDED })
      at.clock.advance({ seconds: 86_400 })
      await at.report(at.second.lineId, 38_000, "2026-11-17T00:00:00Z")
      await at.freeze({ ...DRAFT, added: ADDED })
      const all = await at.there.statements.list([at.campaign.id], at.acme.id)
      const totals = all.map(({ body }) => totalsOf(need(body)).map(({ amount }) => amount))
      expect(totals).toEqual([["21.12"], ["74.88"], ["2493.20"]])
      // What no longer holds was not stated.
      expect(await at.move(all[1]?.id ?? 0, "cancelled")).toBe(true)
      expect(totalsOf(await previewStatement(at.context, at.of, { ...DRAFT, added: ADDED }))).toEqual([
        { currency: "EUR", amount: "74.88" },
      ])
    })

    test("is not frozen at a sum that nobody has seen", async () => {
      await using at = await givenSeason(engine)
      const confirmed = sumsText(await previewStatement(at.context, at.of, DRAFT))
      at.clock.advance({ seconds: 60 })
      await at.report(at.second.lineId, 34_001, "2026-11-15T00:00:00Z")
      expect(await saveStatement(at.context, at.of, DRAFT, confirmed, "user:1")).toEqual({
        outcome: "changed",
      })
      expect(await at.there.statements.list([at.campaign.id], at.acme.id)).toEqual([])
    })

    test("is frozen once, however often it is sent, also where it comes to nothing", async () => {
      await using at = await givenSeason(engine)
      await at.freeze()
      const confirmed = sumsText(await previewStatement(at.context, at.of, DRAFT))
      expect(confirmed).toContain("EUR 0.00")
      const send = (store = at.here) =>
        saveStatement({ ...at.context, store }, at.of, DRAFT, confirmed, "user:1").then(({ outcome }) => outcome)
      expect((await Promise.all([send(), send(at.there)])).toSorted()).toEqual(["changed", "done"])
      expect(await send()).toBe("changed")
      expect(await at.there.statements.list([at.campaign.id], at.acme.id)).toHaveLength(2)
    })

    test("is one draft, however often it is saved: another is not replaced unasked, and that is what is frozen", async () => {
      await using at = await givenSeason(engine)
      const save = (reference: string, store = at.here) =>
        saveStatement({ ...at.context, store }, at.of, { ...DRAFT, reference }, undefined, "user:1")
      const all = () => at.there.statements.list([at.campaign.id], at.acme.id)
      const [saved, again] = await Promise.all([save("A"), save("A", at.there)])
      expect(again).toEqual(saved)
      const id = "id" in saved ? saved.id : null
      expect(await save("B", at.there)).toMatchObject({ outcome: "drafted", id })
      expect(await at.freeze()).toMatchObject({ outcome: "drafted", id })
      expect((await all()).map(({ draft }) => draft?.reference)).toEqual(["A"])
      const meant = { ...at.of, id }
      await saveStatement(at.context, meant, { ...DRAFT, reference: "B" }, undefined, "user:1")
      expect((await all()).map(({ draft }) => draft?.reference)).toEqual(["B"])
      expect(await at.freeze(DRAFT, { id })).toMatchObject({ number: "2026-001" })
      expect((await all()).map(({ state }) => state)).toEqual(["frozen"])
    })

    test("is a draft that only its seller sees, then frozen, paid, cancelled; a campaign with one stays", async () => {
      await using at = await givenSeason(engine)
      const saved = await saveStatement(at.context, at.of, DRAFT, undefined, "user:1")
      const id = saved.outcome === "done" ? saved.id : 0
      expect(await at.there.statements.list([at.campaign.id], null)).toEqual([])
      expect(await at.move(id, "paid")).toBe(false)
      const frozen = await at.freeze(DRAFT, { id })
      expect(frozen).toMatchObject({ id, number: "2026-001" })
      expect(await at.move(id, "discarded")).toBe(false)
      expect(await at.move(id, "paid")).toBe(true)
      expect(await at.move(id, "paid")).toBe(false)
      expect(await at.move(id, "cancelled")).toBe(true)
      expect(await at.move(id, "cancelled")).toBe(false)
      const [stored] = await at.there.statements.list([at.campaign.id], null)
      expect(stored).toMatchObject({ number: "2026-001", state: "cancelled", paidOn: "2026-12-01" })
      expect(await at.here.organizations.remove("acme", at.change())).toBe("in use")
    })

    test("is due for campaigns that have ended, until there is one, and again once that is cancelled", async () => {
      await using at = await givenSeason(engine)
      const due = async () =>
        (await at.there.statements.unsettled(at.acme.id, "2026-10-01", "2026-11-16")).map(({ line }) => line.name)
      expect((await due()).toSorted()).toEqual(["Harbour", "Sea"])
      const saved = await at.freeze()
      expect(await due()).toEqual([])
      expect(await at.move(saved.outcome === "done" ? saved.id : 0, "cancelled")).toBe(true)
      expect((await due()).toSorted()).toEqual(["Harbour", "Sea"])
      await givenLineIn(at, at.campaign.slug, at.acme, { flightStart: "2026-11-10", flightEnd: "2026-12-01" })
      expect(await due()).toEqual([])
    })
  })
})
