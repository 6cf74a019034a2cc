import { bodySeen, changeProduct } from "../../../src/actions/catalogue/edit-catalogue.ts"
import type { Context } from "../../../src/actions/context.ts"
import { createAgentKey } from "../../../src/actions/keys/keys.ts"
import { openProduct } from "../../../src/actions/keys/openings.ts"
import { answerOrder, declineOrder, type TypedAnswer } from "../../../src/actions/sale/answer-order.ts"
import { orderSecret } from "../../../src/actions/sale/order-links.ts"
import { placeOrder } from "../../../src/actions/sale/place-order.ts"
import { products } from "../../../src/demo/data.ts"
import { hashToken } from "../../../src/domain/keys/api-key.ts"
import { orderTokens } from "../../../src/domain/sale/order-token.ts"
import type { TypedOrder } from "../../../src/domain/sale/read-order.ts"
import type { Order } from "../../../src/storage/port/store.ts"
import type { Engine } from "./engine.ts"
import { given, givenOrganization, need } from "./given.ts"
import type { Store } from "./whole-store.ts"

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

export const PRODUCT = "city-walks-preroll"
export const CITY_WALKS = products.find((product) => (product as { product_id: string }).product_id === PRODUCT)

export const ASKED: TypedOrder = {
  price: "cpm_eur",
  from: "2026-11-23",
  to: "2027-01-10",
  quantity: "200,000",
  budget: "",
  territories: ["DE", "AT"],
  creative: "https://files.fernweh.example/winter-30s.wav",
  note: "We’d like to be on air before the first weekend of Advent.",
  organization: "Fernweh Travel GmbH",
  name: "Lena Vogt",
  email: "lena.vogt@fernweh.example",
  was_quantity: "",
  was_budget: "",
}

export const ACCEPTANCE: TypedAnswer = {
  buyer: "Fernweh Travel",
  campaign: "",
  campaignName: "First snow",
  message: "",
  line: {
    name: "City Walks, pre-roll",
    pricingBasis: "impressions",
    flightStart: "2026-11-23",
    flightEnd: "2027-01-10",
    booked: "200000",
    rate: "14.50",
    currency: "EUR",
    externalId: "",
  },
}

export const OFFER: TypedAnswer = {
  ...ACCEPTANCE,
  line: {
    ...ACCEPTANCE.line,
    flightStart: "2026-12-07",
    flightEnd: "2027-01-15",
    booked: "180000",
    rate: "13.50",
  },
  message: "City Walks is full until 5 December.",
}

/** A seller with a product that one key may order, and what both sides do. */
export async function givenShop(engine: Engine) {
  const at = await given(engine)
  const acme = await givenOrganization(at, "acme", "Europe/Berlin")
  const on = (store: Store): Context => ({ store, clock: at.clock, random })
  const context = on(at.here)
  const seller = { organization: acme, knowsEverybody: true }
  const scope = { sellerId: acme.id, withUnowned: true }
  await changeProduct(context, CITY_WALKS, { seen: bodySeen(undefined), actor: "test" })
  const key = need(await createAgentKey(context, "Fernweh buying agent", "test"))
  const keyId = key.record.id
  const opening = { productId: PRODUCT, territories: ["AT", "DE"] }
  await at.here.transact((tx) => openProduct.step(tx, keyId, opening, { actor: "test", at: at.clock() }))
  const token = orderTokens(await orderSecret(context), keyId)(PRODUCT)
  const ask = async (typed: Partial<TypedOrder> = {}) => {
    const placed = await placeOrder(context, token, { ...ASKED, ...typed }, "2026-11-16")
    if (placed.outcome !== "done") throw new Error(JSON.stringify(placed))
    const place = { linkHash: hashToken(token), codeHash: hashToken(placed.code) }
    return { order: need(await at.here.orders.findByCode(place.linkHash, place.codeHash)), place, code: placed.code }
  }
  const answer = (order: Order, kind: "accept" | "offer", typed: TypedAnswer, store = at.here) =>
    answerOrder(on(store), seller, { order, scope }, [kind, typed], "user:1")
  const accept = (order: Order, store = at.here, typed: Partial<TypedAnswer> = {}) =>
    answer(order, "accept", { ...ACCEPTANCE, ...typed }, store)
  const decline = (order: Order, store = at.here) => declineOrder(on(store), { order, scope }, "No.", "user:1")
  const offer = async (order: Order, typed: Partial<TypedAnswer> = {}, store = at.here) => {
    const offered = await answer(order, "offer", { ...OFFER, ...typed }, store)
    if (offered.outcome !== "done") throw new Error(JSON.stringify(offered))
    return offered.order
  }
  /** How many campaigns there are, and how many lines. */
  const booked = async () => {
    const lines = await at.there.packageLines.listWithTotals(acme.id)
    return [new Set(lines.map(({ campaign }) => campaign)).size, lines.length]
  }
  return { ...at, acme, seller, scope, on, context, keyId, token, ask, answer, accept, offer, decline, booked }
}
