import { type Company, chooseBuyer, type TypedBuyer } from "../../domain/campaign/buyer-choice.ts"
import { checkLine, type LineErrors, type TypedLine } from "../../domain/campaign/line-fields.ts"
import type { Change } from "../../domain/people/audit.ts"
import { compare } from "../../domain/sale/money.ts"
import type { Booking, OrderMove } from "../../domain/sale/order.ts"
import {
  afterMove,
  endedBefore,
  isBelowACoin,
  isSameTerms,
  MOVES,
  OPEN_STATES,
  REQUESTER,
  stateAt,
  termsOf,
} from "../../domain/sale/order.ts"
import { reasonErrors, textErrors } from "../../domain/sale/read-order.ts"
import type { CalendarDate } from "../../domain/time/moment.ts"
import { dayInWords, dayOf } from "../../domain/time/time-zone.ts"
import type { CampaignHead, LineFields, StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { campaignReads, soldCampaign } from "../../storage/steps/campaigns.ts"
import type { SellerScope } from "../../storage/steps/organizations.ts"
import { organizationBySlug } from "../../storage/steps/organizations.ts"
import { type Order, orderReads } from "../../storage/steps/sales.ts"
import type { ReadTx, Step, Tx } from "../../storage/steps/step.ts"
import { all, and, eq, exec, first, inArray, lte, notExists, or } from "../../storage/steps/step.ts"
import { addCampaign, campaignNameErrors, knownBuyers, type Seller } from "../campaigns/campaigns.ts"
import { addToCampaign, unlessTaken } from "../campaigns/lines.ts"
import { type Context, type Refused, transact, verb } from "../context.ts"
import { newId } from "../new-id.ts"

type Errors = Readonly<Record<string, string>>

/** moved: somebody else was faster, or nothing can be done with it any more; the order as it is now. */
type MovedOrder = Readonly<{ outcome: "done" | "moved"; order: Order } | { outcome: "not found" }>
export type AnsweredOrder = MovedOrder | Refused<Errors>

/** What else changes of an order that moves: what is said and offered, or what it is booked as. */
type OrderChange = Partial<Tx["saleOrder"]["$inferSelect"]>

/** Where each order is answered: with its seller or, without one, with the first that sells. */
export async function sellersOrderPaths({ organizations }: Pick<StoreReads, "organizations">) {
  const [first] = await organizations.sellers(1)
  const slugs = new Map((await organizations.list()).map(({ id, slug }) => [id, slug]))
  return ({ id, sellerId }: Pick<Order, "id" | "sellerId">) =>
    first === undefined ? "/app" : `/app/o/${slugs.get(sellerId ?? 0) ?? first.slug}/orders/${id}`
}

/**
 * Moves an order, or does nothing where it no longer allows it. What is accepted is booked. One whose product is gone can only end, which
 * nobody did.
 */
export function* moveOrder(
  tx: Tx,
  order: Order | null,
  wanted: OrderMove,
  change: OrderChange,
  by: Change,
): Step<MovedOrder> {
  if (order === null) return { outcome: "not found" }
  const { db, saleOrder, product } = tx
  const sold = db.select().from(product).where(eq(product.productId, order.productId))
  const isGone = OPEN_STATES.includes(order.state) && (yield* first(sold)) === undefined
  const move = isGone ? "time ends" : wanted
  const state = afterMove(order, move, by.at)
  if (state === null) return { outcome: "moved", order: { ...order, state: stateAt(order, by.at) } }
  const actor = state === "ended" ? "time" : by.actor
  const moved = { ...order, ...(move === wanted && change), state, movedAt: by.at, movedBy: actor }
  if (state === "accepted") yield* book(tx, moved, by)
  yield* exec(db.update(saleOrder).set(moved).where(eq(saleOrder.id, order.id)))
  const details = { before: order.state, after: state }
  const what = { subject: order.id, ...(moved.sellerId !== null && { organizationId: moved.sellerId }), details }
  yield* audit(tx, { ...by, actor }, { action: MOVES[move].action, ...what })
  return { outcome: move === wanted ? "done" : "moved", order: moved }
}

/** The line of an order and where it goes, as it is typed: `campaign` is the slug of one of the buyer's, empty for a new one. */
export type TypedAnswer = TypedBuyer &
  Readonly<Record<"campaign" | "campaignName" | "message", string> & { line: TypedLine }>

type OwnOrder = Readonly<{ order: Order; scope: SellerScope }>

const answered = verb(function* (tx, { order, scope }: OwnOrder, move: OrderMove, change: OrderChange, by: Change) {
  const found = yield* orderReads.find(tx, scope, order.id)
  return yield* moveOrder(tx, found, move, { sellerId: scope.sellerId, ...change }, by)
})

export const declineOrder = async (context: Context, own: OwnOrder, message: string, actor: string) =>
  refusedBy(reasonErrors(message)) ?? answered(context, own, "seller declines", { message }, actor)

/** Accepts an order or offers other terms. The buyer who accepts an offer books it, so an offer says where its line goes. */
export async function answerOrder(
  context: Context,
  seller: Seller,
  own: OwnOrder,
  [kind, typed]: readonly ["accept" | "offer", TypedAnswer],
  actor: string,
): Promise<AnsweredOrder> {
  const { order } = own
  const { message } = typed
  const read = checkLine(typed.line)
  const { booking, errors } = await readBooking(context, seller, order, typed)
  if (!read.ok) return { outcome: "refused", errors: { ...errors, ...read.errors } }
  const { line } = read
  const today = dayOf(context.clock(), seller.organization.timeZone)
  const wrongTerms = kind === "accept" ? changedTerms(order, line) : offerErrors(order, line, today)
  const refused = refusedBy({ ...errors, ...textErrors("message", message), ...wrongTerms })
  if (refused !== null) return refused
  const plan = { message, booking: { ...booking, line } }
  if (kind === "offer")
    return answered(context, own, "seller offers", { ...plan, offered: termsOf(order, line) }, actor)
  const accepted = { ...plan, packageId: newId(context.random) }
  return unlessTaken(() => answered(context, own, "seller accepts", accepted, actor))
}

const refusedBy = (errors: Errors) =>
  Object.keys(errors).length === 0 ? null : ({ outcome: "refused", errors } as const)

/** Who may buy by an order: those whom the seller knows, and the company whose key it came by, which the seller is told with the order. */
export async function buyersOfOrder(context: Context, seller: Seller, { agentKeyId }: Order) {
  const known = await knownBuyers(context, seller)
  const keys = agentKeyId === null ? [] : await context.store.agentKeys.list()
  const { buyer: slug = null, buyerName: name = null } = keys.find(({ id }) => id === agentKeyId) ?? {}
  if (slug === null || name === null) return { buyers: known, ofKey: null }
  const ofKey = { slug, name }
  return { buyers: known.some((company) => company.slug === slug) ? known : [...known, ofKey], ofKey }
}

async function readBooking(context: Context, seller: Seller, order: Order, typed: TypedAnswer) {
  const { buyers, ofKey } = await buyersOfOrder(context, seller, order)
  const buyer = chooseBuyer(typed, buyers, seller.organization, ofKey)
  const isNew = typed.campaign === ""
  const campaign = isNew ? null : await context.store.campaigns.find(seller.organization.id, typed.campaign)
  const slug = buyer.ok && "slug" in buyer.choice ? buyer.choice.slug : null
  const errors: Errors = {
    ...(!buyer.ok && buyer.errors),
    ...(isNew && campaignNameErrors("campaign_name", typed.campaignName)),
    ...(!isNew && campaign?.sells !== true && { campaign: "This campaign no longer exists. Choose another." }),
    ...(campaign !== null && buyer.ok && campaign.buyer.slug !== slug && { campaign: notTheirs(campaign) }),
  }
  const where = { campaign: campaign?.slug ?? null, campaignName: campaign?.name ?? typed.campaignName }
  return { booking: { buyer: slug ?? "", buyerName: typed.buyer, ...where }, errors }
}

const notTheirs = ({ name, buyer }: CampaignHead) =>
  `${name} is a campaign of ${buyer.name}. Choose another, or that buyer.`

const CHANGED = "This is not what was asked for. Changed terms are an offer, not an acceptance."

/** Terms that are not those that were asked for are an offer. What no line can be priced on has no terms of a line. */
function changedTerms({ priced, asked }: Order, line: LineFields): LineErrors {
  if (priced.basis === null) return {}
  if (line.pricingBasis !== priced.basis) return { pricingBasis: CHANGED }
  return {
    ...((line.rate === null || compare(line.rate, asked.price) !== 0) && { rate: CHANGED }),
    ...(line.currency !== priced.currency && { currency: CHANGED }),
    ...(line.booked !== asked.quantity && { booked: CHANGED }),
    ...(line.flightStart !== asked.from && { flightStart: CHANGED }),
    ...(line.flightEnd !== asked.to && { flightEnd: CHANGED }),
  }
}

const SAME =
  "These are the terms that were asked for. Accept the order, or change the dates, the quantity or the price."

/** The seller is not bound by what the product says, but by what the requester can compare. */
function offerErrors(order: Order, line: LineFields, today: CalendarDate): Errors {
  const { priced, asked } = order
  const isFlat = line.pricingBasis === "flat_rate"
  const isOther = !isFlat && line.pricingBasis !== priced.basis
  const terms = termsOf(order, line)
  const isSame = line.pricingBasis === priced.basis && isSameTerms(terms, asked)
  const isFree = compare(terms.price, 0) === 0 && compare(asked.price, 0) > 0
  return {
    ...(isOther && { pricingBasis: "Offer it as it was asked, or at a flat rate." }),
    ...((isFree || isBelowACoin(priced, terms)) && { rate: "It comes to less than the smallest coin. Offer more." }),
    ...(line.rate === null && { rate: "Enter the price." }),
    ...(line.currency !== priced.currency && { currency: `The order is in ${priced.currency}.` }),
    ...(!isFlat && (line.booked ?? 0) < 1 && { booked: "Offer at least one." }),
    ...(line.flightStart < today && { flightStart: `${dayInWords(line.flightStart)} is over.` }),
    ...(line.flightEnd === null && { flightEnd: "Enter the last day." }),
    ...(isSame && order.state === "asked" && { "": SAME }),
    // It may be taken by the time somebody accepts.
    ...(line.externalId !== null && { externalId: "Add it once the line is booked." }),
  }
}

/** Makes the line, with its campaign and its buyer where these are new or gone meanwhile. Nobody looks for it in an archived one. */
function* book(tx: Tx, { sellerId, booking, packageId }: Order, by: Change): Step<void> {
  const { db, organization } = tx
  const sellers = db.select().from(organization)
  const seller = yield* first(sellers.where(eq(organization.id, sellerId ?? 0)))
  if (seller === undefined || booking === null || packageId === null) throw new Error("there is nothing to book")
  const { buyer, campaign, campaignName: name } = booking
  const line = { ...booking.line, packageId }
  const sold = campaign === null ? null : yield* soldCampaign(tx, seller.id, campaign)
  if (campaign !== null && sold?.buyer === buyer && sold.archived === 0)
    yield* addToCampaign(tx, seller.id, campaign, line, by)
  else {
    const choice = yield* buyerFor(tx, seller, booking)
    const made = yield* addCampaign(tx, seller.id, { name, buyer: choice }, line, by)
    if (made === null) throw new Error("the buyer is gone")
  }
}

function* buyerFor(tx: ReadTx, seller: Company & { readonly id: number }, { buyer, buyerName }: Booking) {
  if (buyer !== "" && (yield* organizationBySlug(tx, buyer)) !== null) return { slug: buyer }
  // The same name may have been added since, for another order for example.
  const chosen = chooseBuyer({ buyer: buyerName }, yield* campaignReads.buyers(tx, seller.id), seller)
  return chosen.ok ? chosen.choice : { newName: buyerName }
}

export type RequesterMove = "requester accepts" | "requester declines" | "requester withdraws"

/** What the requester does with an order: withdraws it, or accepts or declines an offer. Accepting what was seen books the line. */
export async function answerOffer(
  context: Context,
  { linkHash, codeHash }: Pick<Order, "linkHash" | "codeHash">,
  move: RequesterMove,
  { message = "", seen }: { readonly message?: string; readonly seen?: string } = {},
): Promise<AnsweredOrder> {
  const isDeclined = move === "requester declines"
  const refused = isDeclined ? refusedBy(reasonErrors(message)) : null
  if (refused !== null) return refused
  const by = { actor: REQUESTER, at: context.clock() }
  const packageId = move === "requester accepts" ? newId(context.random) : null
  const change = { ...(isDeclined && { message }), packageId }
  return transact(context, function* (tx): Step<MovedOrder> {
    const order = yield* orderReads.findByCode(tx, linkHash, codeHash)
    // The seller may have changed the offer since it was shown.
    if (order !== null && move === "requester accepts" && seen !== String(order.movedAt))
      return { outcome: "moved", order }
    return yield* moveOrder(tx, order, move, change, by)
  })
}

const ENDED_AT_ONCE = 100

/** Notes the end of orders that nobody answered in time, of offers whose days are over, and of those whose product is gone. How many. */
export const endOrders = verb(function* (tx, by: Change) {
  const { db, saleOrder, product } = tx
  const isGone = notExists(db.select().from(product).where(eq(product.productId, saleOrder.productId)))
  const { id, state, movedAt, offered } = saleOrder
  const offers = yield* all(db.select({ id, state, movedAt, offered }).from(saleOrder).where(eq(state, "offered")))
  const over = offers.filter((offer) => stateAt(offer, by.at) === "ended").map((offer) => offer.id)
  const isOver = or(isGone, lte(movedAt, endedBefore(by.at)), inArray(id, over.slice(0, ENDED_AT_ONCE)))
  const isStale = and(inArray(state, OPEN_STATES), isOver)
  const rows = yield* all(db.select().from(saleOrder).where(isStale).limit(ENDED_AT_ONCE))
  for (const row of rows) yield* moveOrder(tx, row, "time ends", {}, by)
  return rows.length
})
