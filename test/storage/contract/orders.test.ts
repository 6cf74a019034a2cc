import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { bodySeen, changeProduct, deleteProduct } from "../../../src/actions/catalogue/edit-catalogue.ts"
import { revokeAgentKey } from "../../../src/actions/keys/keys.ts"
import { answerOffer, endOrders } from "../../../src/actions/sale/answer-order.ts"
import {
  endOrderLink,
  makeOrderLink,
  openOrderLink,
  requesterPath,
  switchTakingOrders,
} from "../../../src/actions/sale/order-links.ts"
import { placeOrder } from "../../../src/actions/sale/place-order.ts"
import { amountOf, stateAt } from "../../../src/domain/sale/order.ts"
import type { Order } from "../../../src/storage/port/store.ts"
import { happenings, ModelOrder } from "../../domain/sale/order-model.ts"
import { storageContract } from "./contract.ts"
import { givenLine, givenOrganization, need } from "./given.ts"
import { ACCEPTANCE, ASKED, CITY_WALKS, givenShop, OFFER, PRODUCT } from "./given-sale.ts"
import type { Store } from "./whole-store.ts"

const outcomes = (all: readonly { readonly outcome: string }[]) => all.map(({ outcome }) => outcome).toSorted()

const HISTORIES = 60

storageContract("orders", (engine) => {
  describe("a link to order", () => {
    test("leads to the product as its key sees it, and writes nothing", async () => {
      await using at = await givenShop(engine)
      const before = await at.there.audit.list({}, { before: null, limit: 100 })
      const opened = need(await openOrderLink(at.on(at.there), at.token))
      expect(opened.product).toMatchObject({
        name: "City Walks, pre-roll",
        territories: ["AT", "DE"],
        isGuaranteed: false,
      })
      expect(opened.product.prices).toEqual([
        {
          id: "cpm_eur",
          price: "14.50",
          currency: "EUR",
          basis: "impressions",
          counted: { unit: "impressions", per: 1_000 },
          minimum: "250.00",
          isFloor: false,
        },
      ])
      expect(await at.there.audit.list({}, { before: null, limit: 100 })).toEqual(before)
    })

    test("ends with the switch, the key and the product, and a forged one never was", async () => {
      await using at = await givenShop(engine)
      const isOpen = async (token = at.token) => (await openOrderLink(at.on(at.there), token)) !== null
      const swapped = `${at.token.slice(0, 8)}${at.token.slice(8).split("").toReversed().join("")}`
      for (const forged of [
        "",
        "x",
        at.token.slice(1),
        `${at.token}x`,
        swapped,
        at.token.toUpperCase(),
        "A".repeat(24),
      ])
        expect(await isOpen(forged)).toBe(false)
      await switchTakingOrders(at.context, false, "test")
      expect(await isOpen()).toBe(false)
      await switchTakingOrders(at.context, true, "test")
      expect(await isOpen()).toBe(true)
      await revokeAgentKey(at.context, at.keyId, "test")
      expect(await isOpen()).toBe(false)
      expect(await placeOrder(at.context, at.token, ASKED, "2026-11-16")).toEqual({ outcome: "not found" })
    })

    test("made by hand works until it ends or is ended, for its product alone", async () => {
      await using at = await givenShop(engine)
      const make = async (days: string) => {
        const made = await makeOrderLink(at.context, PRODUCT, { label: "Kite Media", days, territories: "CH" }, "test")
        return "path" in made ? made.path.replace("/order/", "") : ""
      }
      const [short, long] = [await make("7"), await make("30")]
      expect(need(await openOrderLink(at.on(at.there), short)).product.territories).toEqual(["CH"])
      at.clock.advance({ seconds: 7 * 86_400 })
      expect(await openOrderLink(at.on(at.there), short)).toBeNull()
      const [listed] = await at.there.orderLinks.list(PRODUCT)
      expect(await at.there.orderLinks.list("another")).toEqual([])
      expect(await openOrderLink(at.on(at.there), long)).not.toBeNull()
      expect(await endOrderLink(at.context, need(listed).id, "test")).toBe(true)
      expect(await endOrderLink(at.context, need(listed).id, "test")).toBe(false)
      expect(await openOrderLink(at.on(at.there), long)).toBeNull()
    })
  })

  describe("an order link", () => {
    test("is listed, and names its orders, also when a hundred were made after it", async () => {
      await using at = await givenShop(engine)
      const make = (label: string) =>
        makeOrderLink(at.context, PRODUCT, { label, days: "365", territories: "CH" }, "test")
      const made = await make("Kite Media")
      const token = "path" in made ? made.path.replace("/order/", "") : ""
      await placeOrder(at.context, token, { ...ASKED, territories: ["CH"] }, "2026-11-16")
      for (let more = 1; more <= 100; more++) await make(`Buyer ${more}`)
      const [order] = await at.there.orders.list(null)
      expect(await requesterPath(at.context, need(order))).toStartWith(`/order/${token}/`)
      expect((await at.there.orderLinks.list(PRODUCT)).some(({ label }) => label === "Kite Media")).toBe(true)
    })
  })

  describe("an order", () => {
    test("keeps what was shown and asked, whatever becomes of the product's price", async () => {
      await using at = await givenShop(engine)
      const { order, place } = await at.ask()
      const dearer = {
        ...(CITY_WALKS as object),
        pricing_options: [{ pricing_option_id: "cpm_eur", pricing_model: "cpm", currency: "EUR", fixed_price: 15.2 }],
      }
      await changeProduct(at.context, dearer, { seen: bodySeen(CITY_WALKS), actor: "test" })
      expect(await at.there.orders.find(at.scope, order.id)).toEqual(order)
      expect(order.asked).toEqual({
        from: "2026-11-23",
        to: "2027-01-10",
        quantity: 200_000,
        price: "14.50",
        territories: ["AT", "DE"],
      })
      const accepted = await at.accept(order)
      expect(accepted.outcome).toBe("done")
      const booked = need(await at.there.orders.findByCode(place.linkHash, place.codeHash))
      const [line] = await at.there.packageLines.findSold(at.acme.id, [need(booked.packageId)])
      expect(line).toMatchObject({ name: "City Walks, pre-roll", booked: 200_000, flightEnd: "2027-01-10" })
    })

    test("is seen by the organization that answers, and by no other", async () => {
      await using at = await givenShop(engine)
      const other = await givenOrganization(at, "other")
      const { order, place } = await at.ask()
      const theirs = { sellerId: other.id, withUnowned: false }
      expect((await at.there.orders.list(at.scope)).map(({ id }) => id)).toEqual([order.id])
      expect(await at.there.orders.countWaiting(at.scope, 0)).toBe(1)
      expect(await at.there.orders.countWaiting(theirs, 0)).toBe(0)
      expect(await at.there.orders.list(theirs)).toEqual([])
      expect(await at.there.orders.find(theirs, order.id)).toBeNull()
      expect(await at.there.orders.waiting(theirs, 0)).toEqual([])
      await at.decline(order)
      expect(await at.there.orders.list({ sellerId: other.id, withUnowned: true })).toEqual([])
      expect(await at.there.orders.findByCode(place.linkHash, "other")).toBeNull()
      expect(await at.there.orders.findByCode("other", place.codeHash)).toBeNull()
    })

    test("is one of five an hour for a link, and of twenty open ones for a key, however many are sent at once", async () => {
      await using at = await givenShop(engine)
      const send = (count: number) =>
        Promise.all(
          Array.from({ length: count }, (_, i) =>
            placeOrder(at.on(at.stores[i % 2] ?? at.here), at.token, ASKED, "2026-11-16"),
          ),
        )
      const placed = (all: readonly { readonly outcome: string }[]) =>
        all.filter(({ outcome }) => outcome === "done").length
      expect(placed(await send(12))).toBe(5)
      for (let hour = 0; hour < 4; hour++) {
        at.clock.advance({ seconds: 3_600 })
        await send(5)
      }
      expect(await at.there.orders.countByState()).toEqual([{ state: "asked", orders: 20 }])
      const [last] = await at.there.orders.list(at.scope)
      await at.decline(need(last))
      at.clock.advance({ seconds: 3_600 })
      expect(placed(await send(3))).toBe(1)
      // Those that nobody answered in time no longer count, before that is noted.
      at.clock.advance({ seconds: 30 * 86_400 })
      expect(placed(await send(3))).toBe(3)
    })

    test("does not count among the twenty once the last day of its offer is over", async () => {
      await using at = await givenShop(engine)
      const days = { flightStart: "2026-11-16", flightEnd: "2026-11-17" }
      for (let placed = 0; placed < 20; placed++) {
        const { order } = await at.ask()
        await at.offer(order, { line: { ...OFFER.line, ...days } })
        at.clock.advance({ seconds: 1_000 })
      }
      expect(await placeOrder(at.context, at.token, ASKED, "2026-11-16")).toEqual({ outcome: "too many" })
      at.clock.advance({ seconds: 3 * 86_400 })
      expect(await placeOrder(at.context, at.token, ASKED, "2026-11-18")).toMatchObject({ outcome: "done" })
    })

    test("that two people accept at once becomes one line, and the later one is told", async () => {
      await using at = await givenShop(engine)
      const { order } = await at.ask()
      const both = await Promise.all([at.accept(order, at.here), at.accept(order, at.there)])
      expect(outcomes(both)).toEqual(["done", "moved"])
      const again = await at.accept(order)
      expect(again).toMatchObject({ outcome: "moved", order: { state: "accepted", movedBy: "user:1" } })
      expect(await at.booked()).toEqual([1, 1])
    })

    test("that is withdrawn while it is accepted is one or the other", async () => {
      await using at = await givenShop(engine)
      for (let i = 0; i < 4; i++) {
        const { order, place } = await at.ask()
        const withdraw = () => answerOffer(at.on(at.there), place, "requester withdraws")
        const both = i % 2 === 0 ? [withdraw(), at.accept(order)] : [at.accept(order), withdraw()]
        expect(outcomes(await Promise.all(both))).toEqual(["done", "moved"])
      }
      const states = await at.there.orders.countByState()
      const accepted = states.find(({ state }) => state === "accepted")?.orders ?? 0
      expect((await at.booked())[1]).toBe(accepted)
    })

    test("at changed terms is booked by whoever asked, once and as it was offered", async () => {
      await using at = await givenShop(engine)
      const { order, place } = await at.ask()
      const seen = String((await at.offer(order)).movedAt)
      expect(await answerOffer(at.context, place, "requester accepts", { seen: "1" })).toMatchObject({
        outcome: "moved",
      })
      const both = await Promise.all(
        at.stores.map((store) => answerOffer(at.on(store), place, "requester accepts", { seen })),
      )
      expect(outcomes(both)).toEqual(["done", "moved"])
      const booked = need(await at.there.orders.findByCode(place.linkHash, place.codeHash))
      const campaigns = await at.there.campaigns.list(at.acme.id)
      expect(campaigns.map(({ name, buyer }) => [name, buyer.name])).toEqual([["First snow", "Fernweh Travel"]])
      const [line] = await at.there.packageLines.listWithTotals(at.acme.id)
      const terms = { booked: 180_000, rate: 13.5, currency: "EUR", flightStart: "2026-12-07", flightEnd: "2027-01-15" }
      expect(line).toMatchObject({ packageId: need(booked.packageId), pricingBasis: "impressions", ...terms })
    })

    test("that one accepts while another offers, declines or offers again is answered once, and the later one is told", async () => {
      await using at = await givenShop(engine)
      const others = [
        (order: Order, store?: Store) => at.answer(order, "offer", OFFER, store),
        (order: Order, store?: Store) => at.decline(order, store),
      ]
      for (const [i, answer] of others.entries()) {
        const { order } = await at.ask()
        const both = [at.accept(order, at.stores[i]), answer(order, at.stores[1 - i])]
        expect(outcomes(await Promise.all(both))).toEqual(["done", "moved"])
      }
      const { order, place } = await at.ask()
      const seen = String((await at.offer(order)).movedAt)
      at.clock.advance({ seconds: 1 })
      const line = { ...OFFER.line, rate: "99.00" }
      const [accepted, dearer] = await Promise.all([
        answerOffer(at.context, place, "requester accepts", { seen }),
        at.answer(order, "offer", { ...OFFER, line }, at.there),
      ])
      expect(outcomes([accepted, dearer])).toEqual(["done", "moved"])
      const rates = (await at.there.packageLines.listWithTotals(at.acme.id)).map(({ rate }) => rate)
      // Nobody books a price that they have not seen.
      expect(rates).not.toContain(99)
    })

    test("can be offered at a flat rate, and not at what the requester cannot compare", async () => {
      await using at = await givenShop(engine)
      const { order, place } = await at.ask()
      const wrong = {
        pricingBasis: "downloads",
        currency: "USD",
        flightEnd: "",
        flightStart: "2026-11-01",
        booked: "0",
        rate: "",
        externalId: "a-1",
      }
      for (const [field, text] of Object.entries(wrong)) {
        const refused = await at.answer(order, "offer", { ...OFFER, line: { ...OFFER.line, [field]: text } })
        expect(refused).toMatchObject({ outcome: "refused", errors: { [field]: expect.any(String) } })
      }
      const line = { ...OFFER.line, pricingBasis: "flat_rate", rate: "2500", booked: "" }
      const offered = await at.offer(order, { line })
      expect([offered.offered?.quantity, amountOf(offered.priced, need(offered.offered))]).toEqual([null, "2500.00"])
      await answerOffer(at.context, place, "requester accepts", { seen: String(offered.movedAt) })
      const [booked] = await at.there.packageLines.listWithTotals(at.acme.id)
      expect(booked).toMatchObject({ pricingBasis: "flat_rate", rate: 2_500, booked: null })
    })

    test("goes to the campaign of an offer, and to a new one where that, or its buyer, is gone by then", async () => {
      await using at = await givenShop(engine)
      const buyer = await givenOrganization(at, "fernweh")
      const { campaign } = await givenLine(at, at.acme, buyer, { campaign: "Autumn escapes" })
      const offer = { buyer: buyer.name, campaign, campaignName: "" }
      const accepting = async () => {
        const { order, place } = await at.ask()
        const { movedAt } = await at.offer(order, offer)
        return () => answerOffer(at.context, place, "requester accepts", { seen: String(movedAt) })
      }
      const [first, second] = [await accepting(), await accepting()]
      expect((await first()).outcome).toBe("done")
      expect(await at.booked()).toEqual([1, 2])
      expect(await at.here.campaigns.remove(at.acme.id, campaign, at.change())).toBe("done")
      expect(await at.here.organizations.remove(buyer.slug, at.change())).toBe("done")
      expect((await second()).outcome).toBe("done")
      const [made] = await at.there.campaigns.list(at.acme.id)
      expect(made).toMatchObject({ name: "Autumn escapes", buyer: { name: buyer.name } })
    })

    test("goes to a new campaign where that of an offer was archived meanwhile: nobody would look for a line there", async () => {
      await using at = await givenShop(engine)
      const buyer = await givenOrganization(at, "fernweh")
      const { campaign } = await givenLine(at, at.acme, buyer, { campaign: "Autumn escapes" })
      const { order, place } = await at.ask()
      const { movedAt } = await at.offer(order, { buyer: buyer.name, campaign, campaignName: "" })
      expect(await at.here.campaigns.archive(at.acme.id, campaign, true, at.change())).toBe(true)
      await answerOffer(at.context, place, "requester accepts", { seen: String(movedAt) })
      const [made] = await at.there.campaigns.list(at.acme.id)
      expect(made).toMatchObject({ name: "Autumn escapes", buyer: { slug: buyer.slug } })
      expect(made?.slug).not.toBe(campaign)
    })

    test("ends when nobody answers for thirty days, and when its product is gone; nothing is booked then", async () => {
      await using at = await givenShop(engine)
      const [late, gone] = [await at.ask(), await at.ask()]
      at.clock.advance({ seconds: 30 * 86_400 })
      expect(await at.accept(late.order)).toMatchObject({ outcome: "moved", order: { state: "ended" } })
      expect(await endOrders(at.on(at.there), "time")).toBe(2)
      const fresh = await at.ask()
      expect((await at.there.orders.waiting(at.scope, 0)).map(({ id }) => id)).toEqual([fresh.order.id])
      await deleteProduct(at.context, PRODUCT, "test")
      expect(await at.there.orders.waiting(at.scope, 0)).toEqual([])
      expect(await at.accept(fresh.order)).toMatchObject({ outcome: "moved", order: { state: "ended" } })
      expect(await at.there.orders.countByState()).toEqual([{ state: "ended", orders: 3 }])
      expect(await endOrders(at.context, "time")).toBe(0)
      expect(need(await at.there.orders.find(null, gone.order.id))).toMatchObject({ movedBy: "time" })
      expect(await at.booked()).toEqual([0, 0])
    })

    test("ends when the last day of its offer is over, and that is noted then", async () => {
      await using at = await givenShop(engine)
      const [short, long] = [await at.ask(), await at.ask()]
      const days = { flightStart: "2026-11-16", flightEnd: "2026-11-17" }
      await at.offer(short.order, { line: { ...OFFER.line, ...days } })
      await at.offer(long.order)
      expect(await endOrders(at.context, "time")).toBe(0)
      at.clock.advance({ seconds: 3 * 86_400 })
      expect(await endOrders(at.on(at.there), "time")).toBe(1)
      expect(await endOrders(at.context, "time")).toBe(0)
      const ended = { state: "ended", movedBy: "time", movedAt: at.clock() }
      expect(await at.there.orders.find(null, short.order.id)).toMatchObject(ended)
      expect(await at.there.orders.find(null, long.order.id)).toMatchObject({ state: "offered" })
    })

    test("that nobody answered is ended by time, also where somebody deletes a product before that was noted", async () => {
      await using at = await givenShop(engine)
      const { order } = await at.ask()
      at.clock.advance({ seconds: 30 * 86_400 })
      const other = { ...(CITY_WALKS as object), product_id: "another" }
      await changeProduct(at.context, other, { seen: bodySeen(undefined), actor: "test" })
      await deleteProduct(at.context, "another", "user:1")
      expect(await at.there.orders.find(null, order.id)).toMatchObject({ state: "ended", movedBy: "time" })
    })

    test("accepted at other terms than were asked is refused, with the field named, and nothing is written", async () => {
      await using at = await givenShop(engine)
      const { order } = await at.ask()
      const line = {
        rate: "14.51",
        booked: "200001",
        flightStart: "2026-11-24",
        flightEnd: "2027-01-11",
        currency: "USD",
      }
      for (const [field, text] of Object.entries(line)) {
        const refused = await at.accept(order, at.here, { line: { ...ACCEPTANCE.line, [field]: text } })
        expect(refused).toMatchObject({ outcome: "refused", errors: { [field]: expect.stringContaining("offer") } })
      }
      expect(await at.booked()).toEqual([0, 0])
      expect(need(await at.there.orders.find(null, order.id)).state).toBe("asked")
    })

    test("moves through generated histories as a model has them: none is lost, and none is booked twice", async () => {
      await using at = await givenShop(engine)
      let day = 0
      let booked = 0
      for (const history of fc.sample(happenings, { numRuns: HISTORIES, seed: 38 })) {
        const { order, place } = await at.ask()
        const model = new ModelOrder({ quantity: 200_000, cents: 1_450 })
        model.since = day
        for (const each of history) {
          day += each.daysLater
          at.clock.advance({ seconds: each.daysLater * 86_400 })
          const now = need(await at.there.orders.find(null, order.id))
          const date = (later: number) => new Date(at.clock() / 1_000 + later * 86_400_000).toISOString().slice(0, 10)
          const terms = {
            booked: String(each.quantity),
            rate: (each.cents / 100).toFixed(2),
            flightStart: date(2),
            // Later than the thirty days in which it can be answered.
            flightEnd: date(60),
          }
          const moves = {
            "seller accepts": () => at.accept(order),
            "seller offers": () => at.answer(order, "offer", { ...OFFER, line: { ...OFFER.line, ...terms } }),
            "seller declines": () => at.decline(order),
            "requester accepts": () =>
              answerOffer(at.context, place, "requester accepts", { seen: String(now.movedAt) }),
            "requester declines": () => answerOffer(at.context, place, "requester declines", { message: "No." }),
            "requester withdraws": () => answerOffer(at.context, place, "requester withdraws"),
            "time ends": () => Promise.resolve({ outcome: "moved" }),
          } as const
          const outcome = (await moves[each.move]()).outcome
          expect([each.move, outcome === "done"]).toEqual([each.move, model.play(each, day)])
          const after = need(await at.there.orders.find(null, order.id))
          expect(stateAt(after, at.clock())).toBe(model.state)
          expect(amountOf(after.priced, after.offered ?? after.asked)).toBe(model.amount())
        }
        booked += model.booked.length
        await endOrders(at.context, "time")
        expect((await at.booked())[1]).toBe(booked)
      }
      expect(booked).toBeGreaterThan(0)
      const counts = await at.there.orders.countByState()
      expect(counts.reduce((sum, { orders }) => sum + orders, 0)).toBe(HISTORIES)
    })
  })
})
