import type { TestApp } from "../app.ts"
import { givenLine, givenSeller } from "../data/given.ts"
import { call, givenBuyer } from "./agent.ts"
import type { Json } from "./official.ts"

export const TOOL = "get_media_buy_delivery"
export const ON = { options: { agentDelivery: true } }
export const ANY = { status_filter: ["pending_start", "active", "completed"] }
export const PRICED = { rate: "10", currency: "EUR" }
export const FLIGHT = { flightStart: "2026-11-01", flightEnd: "2026-11-30" }

/** A buyer with a key and a campaign with one line. */
export async function givenBought(app: TestApp) {
  const seller = await givenSeller(app)
  const packageId = await givenLine(app, seller, { ...FLIGHT, ...PRICED, booked: "100000" })
  const { id, key } = await givenBuyer(app, seller.buyerId)
  const ask = (args: object = {}): Promise<Json> => call(app, TOOL, args, { key })
  const slug = (await ask(ANY)).media_buy_deliveries[0].media_buy_id as string
  return { seller, packageId, id, key, ask, slug }
}
