import { orderSecret } from "../actions/catalogue/agent-settings.ts"
import type { Context } from "../actions/context.ts"
import { acceptOrder } from "../actions/sale/answer-order.ts"
import { openOrderLink, placeOrder } from "../actions/sale/place-order.ts"
import { draftStatement, freezeStatement } from "../actions/sale/statements.ts"
import { orderToken } from "../domain/adcp/order-token.ts"
import { hashToken } from "../domain/people/session.ts"
import { campaignBySlug } from "../storage/campaigns/campaigns.ts"
import { type Organization, organizationBySlug } from "../storage/organizations.ts"
import { orderByCode } from "../storage/sales/orders.ts"
import { type Days, PODCASTS } from "./data.ts"
import type { At } from "./reports.ts"

const PRODUCT = "city-walks-preroll"
const ENDED_CAMPAIGN = "summer-by-the-sea"
const ACTOR = "command"

interface Wish {
  readonly organization: string
  readonly name: string
  readonly amount: string
  readonly flight: readonly [first: number, last: number]
  /** The day on which it came. */
  readonly day: number
  readonly note?: string
}

const FIRST: Wish = { organization: "Fernweh Travel", name: "Lena Vogt", amount: "120,000", flight: [20, 50], day: -9 }
const OPEN: readonly Wish[] = [
  { organization: "Kite Media", name: "Rosa Lind", amount: "40,000", flight: [10, 24], day: -1 },
  {
    organization: "Fernweh Travel",
    name: "Lena Vogt",
    amount: "200,000",
    flight: [7, 55],
    day: 0,
    note: "We’d like to be on air before the first weekend.",
  },
]

/** An order that was accepted, two that aren't answered, and the statement of a campaign that has ended. */
export async function addSales(at: At, buyerKeyId: string, days: Days): Promise<void> {
  const seller = await organizationBySlug(at(0).database.read, PODCASTS)
  if (seller === null) throw new Error("The demo has no seller.")
  const token = orderToken(await orderSecret(at(0)), buyerKeyId, PRODUCT)
  const code = await order(at(days.moment(FIRST.day, 7, 20)), token, FIRST, days)
  await accept(at(days.moment(FIRST.day + 1, 9)), seller, token, code)
  await state(at(days.moment(-2, 10)), seller, days.date(-3))
  for (const wish of OPEN) await order(at(days.moment(wish.day, 7, 20)), token, wish, days)
}

/** Orders as a buyer does, and returns the code of the order. */
async function order(context: Context, token: string, { flight, day: _, ...wish }: Wish, days: Days): Promise<string> {
  const link = await openOrderLink(context, token)
  if (link === null) throw new Error("The demo's order link doesn't work.")
  const [first, last] = flight
  const texts = { ...wish, email: "buyer@example.com", from: days.date(first), to: days.date(last) }
  const placed = await placeOrder(context, token, link, texts)
  if ("errors" in placed) throw new Error(`The demo's order was refused: ${JSON.stringify(placed.errors)}`)
  return placed.code
}

async function accept(context: Context, organization: Organization, token: string, code: string): Promise<void> {
  const placed = await orderByCode(context.database.read, hashToken(token), hashToken(code))
  const texts = { buyer: "Fernweh Travel", campaignName: "New year, new ways", lineName: "City Walks, pre-roll" }
  const seller = { organization, knowsEverybody: true }
  const accepted = await acceptOrder(context, ACTOR, seller, placed?.id ?? "", texts, {})
  if (accepted === "not found" || !("order" in accepted))
    throw new Error(`The demo's order wasn't accepted: ${JSON.stringify(accepted)}`)
}

/** Freezes the statement of a campaign. */
async function state(context: Context, seller: Organization, through: string): Promise<void> {
  const campaign = await campaignBySlug(context.database.read, seller.id, ENDED_CAMPAIGN)
  if (campaign === null) throw new Error("The demo has no campaign that has ended.")
  const scope = { sellerId: seller.id, buyerId: campaign.buyerId, through, campaignId: campaign.id }
  const texts = { rows: [], note: "", billsOverDelivery: false }
  const read = await draftStatement(context, scope, texts)
  const seen = "draft" in read ? read.draft.sums : []
  const frozen = await freezeStatement(context, ACTOR, scope, texts, seen)
  if (frozen === "changed" || "errors" in frozen)
    throw new Error(`The demo's statement wasn't frozen: ${JSON.stringify(frozen)}`)
}
