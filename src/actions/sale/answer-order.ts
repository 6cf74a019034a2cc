import { type BuyerChoice, type Company, chooseBuyer } from "../../domain/campaign/buyer-choice.ts"
import { checkLine, type LineErrors, type TypedLine } from "../../domain/campaign/line-fields.ts"
import type { Change } from "../../domain/people/audit.ts"
import { Name } from "../../domain/people/organization.ts"
import { compare } from "../../domain/sale/money.ts"
import { lineOf, type OrderTerms } from "../../domain/sale/order.ts"
import { ANSWER_DAYS, afterMove, type OrderMove, stateAt } from "../../domain/sale/order-state.ts"
import { readFlight, textErrors } from "../../domain/sale/read-order.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { moneyIn, readNumber, WHOLE } from "../../domain/text/typed-number.ts"
import { MICROS_PER_DAY } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import type { NewLine } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { campaignReads, soldCampaign } from "../../storage/steps/campaigns.ts"
import { organizationBySlug } from "../../storage/steps/organizations.ts"
import { type Booking, type Order, type OrderScope, orderOf, orderReads } from "../../storage/steps/sale/orders.ts"
import {
  all,
  and,
  eq,
  first,
  inArray,
  lte,
  notExists,
  or,
  type ReadTx,
  type Step,
  type Tx,
} from "../../storage/steps/step.ts"
import { addCampaign, knownBuyers, type Seller } from "../campaigns/campaigns.ts"
import { addToCampaign, unlessTaken } from "../campaigns/lines.ts"
import { type Context, transact } from "../context.ts"
import { newId } from "../new-id.ts"

/** moved: somebody else was faster, or nothing can be done with it any more; the order as it is now. */
export type MovedOrder =
  | { readonly outcome: "done" | "moved"; readonly order: Order }
  | { readonly outcome: "not found" }

type Errors = Readonly<Record<string, string>>
export type AnsweredOrder = MovedOrder | { readonly outcome: "refused"; readonly errors: Errors }

type OrderChange = Partial<Tx["saleOrder"]["$inferInsert"]>
/** What else changes of an order that moves, or what makes it. */
type Made = OrderChange | ((tx: Tx, by: Change) => Step<OrderChange>)

const WORDS: Readonly<Record<OrderMove, string>> = {
  "seller accepts": "accept order",
  "seller offers": "offer order",
  "seller declines": "decline order",
  "requester accepts": "accept order",
  "requester declines": "decline order",
  "requester withdraws": "withdraw order",
  "time ends": "end order",
}

/** Moves an order, or does nothing where it no longer allows it. One whose product is gone can only end. */
export function* moveOrder(
  tx: Tx,
  order: Order | null,
  move: OrderMove,
  by: Change,
  make: Made = {},
): Step<MovedOrder> {
  if (order === null) return { outcome: "not found" }
  const isEnding = afterMove(order, "time ends", by.at) !== null && !(yield* isThere(tx, order))
  const next = isEnding ? "ended" : afterMove(order, move, by.at)
  if (next === null) return { outcome: "moved", order: { ...order, state: stateAt(order, by.at) } }
  const change = isEnding ? {} : typeof make === "function" ? yield* make(tx, by) : make
  const { db, saleOrder } = tx
  const movedBy = isEnding ? "time" : by.actor
  const moved = { ...change, state: next, movedAt: by.at, movedBy }
  const row = yield* first(db.update(saleOrder).set(moved).where(eq(saleOrder.id, order.id)).returning())
  if (row === undefined) throw new Error("the order was not moved")
  const details = { before: order.state, after: next }
  const what = { subject: order.id, ...(row.sellerId !== null && { organizationId: row.sellerId }), details }
  const made = isEnding ? "time ends" : move
  yield* audit(tx, { ...by, actor: movedBy }, { action: WORDS[made], ...what })
  return { outcome: isEnding && move !== "time ends" ? "moved" : "done", order: orderOf(row) }
}

function* isThere({ db, product }: ReadTx, { productId }: Order): Step<boolean> {
  return (yield* first(db.select().from(product).where(eq(product.productId, productId)))) !== undefined
}

/** Where the line of an order goes, as it is typed. */
export interface TypedBooking {
  readonly buyer: string
  /** The slug of one of the buyer's campaigns; empty for a new one. */
  readonly campaign: string
  readonly campaignName: string
}

const isName = checkFor(Name)

async function readBooking(context: Context, seller: Seller, typed: TypedBooking) {
  const companies = await knownBuyers(context, seller)
  const buyer = chooseBuyer(typed, companies, seller.organization)
  const isNew = typed.campaign === ""
  const campaign = isNew ? null : await context.store.campaigns.find(seller.organization.id, typed.campaign)
  const slug = buyer.ok && "slug" in buyer.choice ? buyer.choice.slug : null
  const errors: Errors = {
    ...(!buyer.ok && buyer.errors),
    ...(isNew &&
      !isName(typed.campaignName).ok && { campaign_name: "Give the campaign a name of at most 200 characters." }),
    ...(!isNew && campaign?.sells !== true && { campaign: "This campaign no longer exists. Choose another." }),
    ...(campaign !== null &&
      buyer.ok &&
      campaign.buyer.slug !== slug && {
        campaign: `${campaign.name} is a campaign of ${campaign.buyer.name}. Choose another, or that buyer.`,
      }),
  }
  const booking = {
    buyer: slug ?? "",
    buyerName: typed.buyer,
    campaign: campaign?.slug ?? null,
    campaignName: campaign?.name ?? typed.campaignName,
  }
  return { booking, errors }
}

export type TypedAcceptance = TypedBooking & { readonly line: TypedLine; readonly message: string }

/** An order, as one of those that this seller may answer. */
interface OwnOrder {
  readonly order: Order
  readonly scope: OrderScope
}

/** Accepts an order as it was asked: its line is booked at once. */
export async function acceptOrder(
  context: Context,
  seller: Seller,
  { order, scope }: OwnOrder,
  typed: TypedAcceptance,
  actor: string,
): Promise<AnsweredOrder & { readonly lineErrors?: LineErrors }> {
  const line = checkLine(typed.line)
  const { booking, errors } = await readBooking(context, seller, typed)
  const wrong = { ...errors, ...textErrors("message", typed.message) }
  const lineErrors = line.ok ? changedTerms(order, line.line) : line.errors
  if (!line.ok || Object.keys({ ...wrong, ...lineErrors }).length > 0)
    return { outcome: "refused", errors: wrong, lineErrors }
  const made = { ...line.line, packageId: newId(context.random) }
  const { organization } = seller
  const plan = { ...booking, lineName: made.name, basis: made.pricingBasis }
  const accepted = await unlessTaken(() =>
    answer(context, scope, order.id, "seller accepts", actor, function* (tx, by) {
      yield* book(tx, organization, plan, made, by)
      return { sellerId: organization.id, message: typed.message, packageId: made.packageId }
    }),
  )
  return "errors" in accepted ? { outcome: "refused", errors: {}, lineErrors: accepted.errors } : accepted
}

/** Terms that are not those that were asked for are an offer. */
function changedTerms({ priced, asked }: Order, line: Omit<NewLine, "packageId">): LineErrors {
  if (priced.basis === null || line.pricingBasis !== priced.basis)
    return priced.basis === null ? {} : { pricingBasis: CHANGED }
  return {
    ...((line.rate === null || compare(line.rate, asked.price) !== 0) && { rate: CHANGED }),
    ...(line.currency !== priced.currency && { currency: CHANGED }),
    ...(line.booked !== asked.quantity && { booked: CHANGED }),
    ...(line.flightStart !== asked.from && { flightStart: CHANGED }),
    ...(line.flightEnd !== asked.to && { flightEnd: CHANGED }),
  }
}

const CHANGED = "This is not what was asked for. Changed terms are an offer, not an acceptance."

/** Makes the line, with its campaign and its buyer where these are new or gone meanwhile. */
function* book(tx: Tx, seller: Seller["organization"], booking: Booking, line: NewLine, by: Change): Step<void> {
  const { buyer, campaign, campaignName: name } = booking
  const sold = campaign === null ? null : yield* soldCampaign(tx, seller.id, campaign)
  if (sold !== null && sold.buyer === buyer && campaign !== null) {
    yield* addToCampaign(tx, seller.id, campaign, line, by)
    return
  }
  const choice = yield* buyerFor(tx, seller, booking)
  if ((yield* addCampaign(tx, seller.id, { name, buyer: choice }, line, by)) === null)
    throw new Error("the buyer is gone")
}

function* buyerFor(
  tx: ReadTx,
  seller: Company & { readonly id: number },
  { buyer, buyerName }: Booking,
): Step<BuyerChoice> {
  if (buyer !== "" && (yield* organizationBySlug(tx, buyer)) !== null) return { slug: buyer }
  // The same name may have been added since, for another order for example.
  const chosen = chooseBuyer({ buyer: buyerName }, yield* campaignReads.buyers(tx, seller.id), seller)
  return chosen.ok ? chosen.choice : { newName: buyerName }
}

type OfferedTerms = Readonly<Record<"from" | "to" | "quantity" | "price", string>>
export type TypedOffer = TypedBooking & OfferedTerms & { readonly message: string }

/** Reads the terms of an offer; the seller is not bound by what the product says. */
export function readOffer(order: Order, typed: OfferedTerms, today: string) {
  const { counted, currency } = order.priced
  const flight = readFlight(typed.from, typed.to, { from: today, until: null })
  const quantity = counted === null ? null : readNumber(typed.quantity, WHOLE)
  const price = readNumber(typed.price, moneyIn(currency))
  const errors: Errors = {
    ...flight.errors,
    ...(quantity?.ok === false && { quantity: quantity.message }),
    ...(quantity?.ok === true && quantity.value < 1 && { quantity: "Offer at least one." }),
    ...(!price.ok && { price: price.message }),
  }
  const terms: OrderTerms = {
    ...{ from: flight.from, to: flight.to, territories: order.asked.territories },
    quantity: quantity?.ok ? quantity.value : null,
    price: price.ok ? price.digits : "0",
  }
  return { terms, errors }
}

/** Offers other terms. Whoever accepts them books the line, so the offer says where it goes. */
export async function offerTerms(
  context: Context,
  seller: Seller,
  { order, scope }: OwnOrder,
  typed: TypedOffer,
  actor: string,
): Promise<AnsweredOrder> {
  const { organization } = seller
  const { terms, errors } = readOffer(order, typed, dayOf(context.clock(), organization.timeZone))
  const { booking, errors: bookingErrors } = await readBooking(context, seller, typed)
  const wrong = { ...errors, ...bookingErrors, ...textErrors("message", typed.message) }
  if (Object.keys(wrong).length > 0) return { outcome: "refused", errors: wrong }
  // What no line can be priced by is booked at its amount.
  const plan: Booking = { ...booking, lineName: order.product.name, basis: order.priced.basis ?? "flat_rate" }
  const change = {
    sellerId: organization.id,
    message: typed.message,
    offered: JSON.stringify(terms),
    booking: JSON.stringify(plan),
  }
  return answer(context, scope, order.id, "seller offers", actor, change)
}

export async function declineOrder(
  context: Context,
  scope: OrderScope,
  id: string,
  message: string,
  actor: string,
): Promise<AnsweredOrder> {
  const errors = reasonErrors(message)
  if (Object.keys(errors).length > 0) return { outcome: "refused", errors }
  return answer(context, scope, id, "seller declines", actor, { message, sellerId: scope.sellerId })
}

const reasonErrors = (message: string): Errors =>
  message === "" ? { message: "Say why, in a sentence." } : textErrors("message", message)

function answer(context: Context, scope: OrderScope, id: string, move: OrderMove, actor: string, make: Made) {
  const by = { actor, at: context.clock() }
  return transact(context, function* (tx) {
    return yield* moveOrder(tx, yield* orderReads.find(tx, scope, id), move, by, make)
  })
}

/** The hashes that the page of an order is found by. */
export type OrderPlace = Readonly<Record<"linkHash" | "codeHash", string>>

/** What the requester does with an order: withdraws it, or accepts or declines an offer. Accepting what was seen books the line. */
export async function answerOffer(
  context: Context,
  { linkHash, codeHash }: OrderPlace,
  move: "requester accepts" | "requester declines" | "requester withdraws",
  { message = "", seen }: { readonly message?: string; readonly seen?: string } = {},
): Promise<AnsweredOrder> {
  const errors = move === "requester declines" ? reasonErrors(message) : {}
  if (Object.keys(errors).length > 0) return { outcome: "refused", errors }
  const by = { actor: "requester", at: context.clock() }
  const packageId = newId(context.random)
  return transact(context, function* (tx): Step<MovedOrder> {
    const order = yield* orderReads.findByCode(tx, linkHash, codeHash)
    // The seller may have changed the offer since it was shown.
    if (order !== null && move === "requester accepts" && seen !== String(order.movedAt))
      return { outcome: "moved", order }
    return yield* moveOrder(tx, order, move, by, function* () {
      if (move !== "requester accepts") return move === "requester declines" ? { message } : {}
      if (order?.offered == null || order.booking === null) throw new Error("there is no offer to accept")
      const isSeller = eq(tx.organization.id, order.sellerId ?? 0)
      const seller = yield* first(tx.db.select().from(tx.organization).where(isSeller))
      if (seller === undefined) throw new Error("the seller of an offer is gone")
      yield* book(tx, seller, order.booking, { ...lineOf(order.priced, order.offered, order.booking), packageId }, by)
      return { packageId }
    })
  })
}

const ENDED_AT_ONCE = 100

/** Notes the end of orders that nobody answered in time, and of those whose product is gone. Returns how many. */
export function endOrders(context: Pick<Context, "store" | "clock">): Promise<number> {
  return transact(context, (tx) => endStale(tx, { actor: "time", at: context.clock() }))
}

export function* endStale(tx: Tx, by: Change): Step<number> {
  const { db, saleOrder, product } = tx
  const isGone = notExists(db.select().from(product).where(eq(product.productId, saleOrder.productId)))
  const isLate = lte(saleOrder.movedAt, by.at - ANSWER_DAYS * MICROS_PER_DAY)
  const isOpen = inArray(saleOrder.state, ["asked", "offered"])
  const rows = yield* all(
    db
      .select()
      .from(saleOrder)
      .where(and(isOpen, or(isGone, isLate)))
      .limit(ENDED_AT_ONCE),
  )
  for (const row of rows) yield* moveOrder(tx, orderOf(row), "time ends", by)
  return rows.length
}
