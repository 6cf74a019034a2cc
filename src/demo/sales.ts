import type { ReportContext } from "../actions/context.ts"
import { answerOrder } from "../actions/sale/answer-order.ts"
import { orderSecret } from "../actions/sale/order-links.ts"
import { placeOrder } from "../actions/sale/place-order.ts"
import { previewStatement, saveStatement, sumsText } from "../actions/sale/statements.ts"
import type { Organization } from "../domain/people/organization.ts"
import { orderTokens } from "../domain/sale/order-token.ts"
import type { Days } from "./days.ts"
import type { At } from "./reports.ts"

const PRODUCT = "city-walks-preroll"
const ACTOR = "command"

interface Wish {
  readonly organization: string
  readonly name: string
  readonly quantity: string
  readonly flight: readonly [number, number]
  /** How many days ago it came. */
  readonly askedOn: number
  readonly note?: string
}

const WISHES: readonly Wish[] = [
  { organization: "Fernweh Travel", name: "Lena Vogt", quantity: "120,000", flight: [20, 50], askedOn: -9 },
  { organization: "Kite Media", name: "Rosa Lind", quantity: "40,000", flight: [10, 24], askedOn: -1 },
  {
    ...{ organization: "Fernweh Travel", name: "Lena Vogt", quantity: "200,000", flight: [7, 55], askedOn: 0 },
    note: "We’d like to be on air before the first weekend of Advent.",
  },
]

/** Two orders that wait, one that was accepted, and the statement of a campaign that ended: in the order in which it happened. */
export async function fillSales(at: At, seller: Organization, agentKeyId: string, days: Days): Promise<void> {
  const token = orderTokens(await orderSecret(at(days.moment(-9, 7))), agentKeyId)(PRODUCT)
  for (const [after, wish] of WISHES.entries()) {
    await ask(at(days.moment(wish.askedOn, 7, 20)), token, wish, days)
    if (after === 0) await accept(at(days.moment(-8, 9)), seller)
    if (after === 1) await settle(at(days.moment(-1, 10)), seller)
  }
}

async function accept(context: ReportContext, seller: Organization): Promise<void> {
  const scope = { sellerId: seller.id, withUnowned: true }
  const [order] = await context.store.orders.list(scope)
  if (order === undefined) throw new Error("the demo's first order is not there")
  const { from, to, quantity, price } = order.asked
  const line = { name: order.product.name, pricingBasis: "impressions", flightStart: from, flightEnd: to }
  const terms = { booked: String(quantity), rate: price, currency: order.priced.currency, externalId: "" }
  const booking = { buyer: "Fernweh Travel", campaign: "", campaignName: "New year, new ways", message: "" }
  const by = { organization: seller, knowsEverybody: true }
  const answer = { ...booking, line: { ...line, ...terms } }
  const accepted = await answerOrder(context, by, { order, scope }, ["accept", answer], ACTOR)
  if (accepted.outcome !== "done") throw new Error(`the demo's order was not accepted: ${JSON.stringify(accepted)}`)
}

async function ask(context: ReportContext, token: string, { flight, askedOn, note = "", ...wish }: Wish, days: Days) {
  const typed = {
    ...{ price: "", budget: "", creative: "", email: "buyer@example.com", note, ...wish },
    ...{ from: days.date(flight[0]), to: days.date(flight[1]), territories: ["DE", "AT"] },
    was_quantity: "",
    was_budget: "",
  }
  const placed = await placeOrder(context, token, typed, days.date(askedOn))
  if (placed.outcome !== "done") throw new Error(`the demo's order was refused: ${JSON.stringify(placed)}`)
}

async function settle(context: ReportContext, seller: Organization): Promise<void> {
  const campaign = await context.store.campaigns.find(seller.id, "summer-by-the-sea")
  if (campaign === null) throw new Error("the demo has no campaign to settle")
  const of = { seller, campaign, id: null }
  const from = `${seller.name}\nSpeicherweg 12\n20457 Hamburg`
  const draft = { from, to: campaign.buyer.name, reference: "", countAll: [], added: [] }
  const confirmed = sumsText(await previewStatement(context, of, draft))
  await saveStatement(context, of, draft, confirmed, ACTOR)
}
