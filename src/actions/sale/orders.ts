import { isTokenOfKey, orderToken } from "../../domain/adcp/order-token.ts"
import { maskKeys, randomCharacters } from "../../domain/api-key.ts"
import { type Company, isCalled } from "../../domain/campaign/campaign.ts"
import { type LineTexts, readLine } from "../../domain/campaign/line.ts"
import { type Errors, errorsIn, hasErrors } from "../../domain/errors.ts"
import { createToken, hashToken } from "../../domain/people/session.ts"
import { type OrderedProduct, orderedProduct, stateAt } from "../../domain/sale/order.ts"
import { noteProblem, type OrderTexts, readRequester, readTerms } from "../../domain/sale/read-order.ts"
import { MICROS_PER_HOUR, type Moment } from "../../domain/time/moment.ts"
import { dayOf, type TimeZone } from "../../domain/time/time-zone.ts"
import { writeNumber, writePrice } from "../../domain/typed-number.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { campaignBySlug } from "../../storage/campaigns/campaigns.ts"
import { productById } from "../../storage/catalogue/catalogue.ts"
import type { ReadTx, Tx } from "../../storage/database.ts"
import { buyerKeyById, buyerKeys } from "../../storage/keys.ts"
import { organizationById, sellers } from "../../storage/organizations.ts"
import {
  addOrder,
  changeOrder,
  type Order,
  type OrderChange,
  type OrderReader,
  orderByCode,
  orderById,
  ordersSince,
} from "../../storage/sales.ts"
import { buyerIdOf, type CampaignSeller, openCampaign, readCampaign } from "../campaigns.ts"
import { agentViews } from "../catalogue/views.ts"
import { type Actor, auditAs, type Context } from "../context.ts"
import { insertLine } from "../lines.ts"
import { publicUrl, sendLetter } from "../mail.ts"
import { orderSecret } from "../settings.ts"

/** What an order link opens: a product as its buyer key sees it. */
export interface OrderLink {
  readonly buyerKeyId: string
  readonly product: OrderedProduct
  /** The seller. Null if it isn't known. */
  readonly seller: { readonly id: number; readonly name: string; readonly timeZone: TimeZone } | null
}

/**
 * Finds the product behind an order link. Null for a guessed link, and likewise if the key was revoked, the product is hidden,
 * expired or deleted, or orders are off.
 */
export async function openOrderLink(context: Context, token: string): Promise<OrderLink | null> {
  const { read } = context.database
  const secret = await orderSecret(context)
  const active = (await buyerKeys(read)).filter(({ revokedAt }) => revokedAt === null)
  const key = active.find(({ id }) => isTokenOfKey(secret, token, id))
  if (key === undefined) return null
  const { products, own, orderUrl } = (await agentViews(context).of(key.id)).products
  const seen = products.find(({ id }) => orderToken(secret, key.id, id) === token)
  // Without orders, there are no links.
  if (seen === undefined || orderUrl === null) return null
  const stored = await productById(read, seen.id)
  const product = orderedProduct(seen.stored, seen.territories, own)
  return { buyerKeyId: key.id, product, seller: await sellerOf(read, stored?.sellerId ?? null) }
}

/** The organization that sells a product: the only one that sells anything, if the product names none. */
async function sellerOf(read: ReadTx, sellerId: number | null): Promise<OrderLink["seller"]> {
  if (sellerId !== null) return organizationById(read, sellerId)
  const [only, ...others] = await sellers(read, 2)
  return others.length === 0 ? (only ?? null) : null
}

const ORDERS_PER_LINK = 5
const ORDERS_PER_KEY = 20

type PlacedOrder = { readonly code: string } | { readonly errors: Errors }

const TOO_MANY = "Too many orders were sent in the last hour. Try again later, or contact the seller."

/** Asks for a product. The order's own page is found by the link and the code, which is returned here and never again. */
export async function placeOrder(
  context: Context,
  token: string,
  { buyerKeyId, product, seller }: OrderLink,
  texts: Partial<OrderTexts>,
): Promise<PlacedOrder> {
  const { database, clock } = context
  const at = clock()
  const read = readTerms(texts, product, dayOf(at, seller?.timeZone ?? "UTC"))
  const who = readRequester(texts)
  if ("errors" in read || "errors" in who)
    return { errors: { ...("errors" in read && read.errors), ...("errors" in who && who.errors) } }
  const { terms } = read
  const { requester } = who
  const code = createToken()
  const order = {
    id: randomCharacters(12),
    buyerKeyId,
    ...{ codeHash: hashToken(code), linkHash: hashToken(token) },
    ...{ state: "asked" as const, askedAt: at, movedAt: at, movedBy: REQUESTER },
    ...{ product, productId: product.id, requester, terms, message: "", sellerId: seller?.id ?? null, packageId: null },
  }
  const isPlaced = await database.transact(async (tx) => {
    const { byLink, byKey } = await ordersSince(tx, order, at - MICROS_PER_HOUR)
    if (byLink >= ORDERS_PER_LINK || byKey >= ORDERS_PER_KEY) return false
    await addOrder(tx, order)
    const text = `${requester.organization} asked for ${product.name} (order ${order.id})`
    await addAuditEntry(tx, { at, actor: REQUESTER, organizationId: order.sellerId, text })
    return true
  })
  if (!isPlaced) return { errors: { "": TOO_MANY } }
  await sendReceipt(context, order, `${publicUrl(context)}/order/${token}/${code}`)
  return { code }
}

/** Names a buyer without an account in the audit log. */
export const REQUESTER = "requester"

/** The text is fixed, because a stranger can type any address. */
async function sendReceipt(context: Context, { id, requester }: Order, address: string): Promise<void> {
  const text = `Your order was sent to the seller. Its page shows the answer:\n\n${address}\n\nIf you didn't order anything, ignore this message.\n`
  await sendLetter(context, { id: `order-${id}`, to: requester.email, subject: "Your order", text })
}

/** The buyer that the accept form begins with: only if the key acts for the organization that was typed. */
export async function knownBuyerOf(read: ReadTx, { buyerKeyId, requester }: Order): Promise<Company | null> {
  const key = await buyerKeyById(read, buyerKeyId)
  const buyer = key?.buyerId == null ? null : await organizationById(read, key.buyerId)
  return buyer !== null && isCalled(buyer, requester.organization) ? buyer : null
}

/** What the seller types to accept an order. The terms are the order's, unless its pricing model leaves them open. */
interface AcceptTexts {
  readonly buyer: string
  /** The slug of one of the buyer's campaigns. Empty for a new one. */
  readonly campaign: string
  readonly campaignName: string
  readonly lineName: string
  readonly pricingBasis: string
  readonly booked: string
  readonly rate: string
}

/** Accepts an order: one transaction creates the buyer, the campaign and the line, and moves the order. */
export function acceptOrder(
  context: Context,
  actor: Actor,
  seller: CampaignSeller,
  id: string,
  texts: Partial<AcceptTexts>,
  confirmed: Errors,
) {
  const sellerId = seller.organization.id
  const reader = { organizationId: sellerId, isOperator: seller.knowsEverybody }
  return answerOrder(context, reader, id, async (tx, order, at) => {
    const read = await readAccept(tx, seller, order, texts)
    if ("errors" in read) return read
    if (read.question !== undefined && confirmed["buyer"] !== read.question)
      return { questions: { buyer: read.question } }
    const audit = auditAs(tx, actor, at)
    const buyerId = await buyerIdOf(tx, audit, sellerId, read.buyer)
    const campaignId = read.campaignId ?? (await openCampaign(tx, audit, sellerId, { name: read.name, buyerId })).id
    const packageId = await insertLine(tx, audit, { sellerId, campaignId }, read.line)
    return moveOrder(tx, order, { state: "accepted", movedAt: at, movedBy: actor, sellerId, packageId })
  })
}

/** Declines an order with a reason, such as what to order instead. */
export async function declineOrder(context: Context, actor: Actor, reader: OrderReader, id: string, typed: string) {
  const problem = typed === "" ? "Say why in a sentence." : noteProblem(typed)
  if (problem !== undefined) return { errors: { reason: problem } }
  return answerOrder(context, reader, id, (tx, order, at) => {
    const sellerId = order.sellerId ?? reader.organizationId
    const change = { state: "declined" as const, movedAt: at, movedBy: actor, message: maskKeys(typed), sellerId }
    return moveOrder(tx, order, change)
  })
}

const TOO_LATE: Readonly<Record<string, string>> = {
  accepted: "This order was accepted already. Nothing was created.",
  declined: "This order was declined already.",
  withdrawn: "The buyer has withdrawn this order.",
  expired: "This order has expired.",
}

/** Accepts or declines an order that is still open, and then tells the buyer. */
async function answerOrder<Refusal extends object>(
  context: Context,
  reader: OrderReader,
  id: string,
  answer: (tx: Tx, order: Order, at: Moment) => Promise<{ readonly order: Order } | Refusal>,
) {
  const answered = await context.database.transact(async (tx) => {
    const at = context.clock()
    const order = await orderById(tx, reader, id)
    if (order === null) return "not found"
    const state = stateAt(order, at)
    return state === "asked" ? answer(tx, order, at) : { errors: { "": TOO_LATE[state] ?? "" } }
  })
  if (typeof answered === "object" && "order" in answered) await tellBuyer(context, answered.order)
  return answered
}

async function readAccept(tx: Tx, seller: CampaignSeller, order: Order, texts: Partial<AcceptTexts>) {
  const { buyer = "", campaign = "", campaignName = "", lineName = "" } = texts
  const existing = campaign === "" ? null : await campaignBySlug(tx, seller.organization.id, campaign)
  const read = await readCampaign(
    tx,
    seller,
    { name: existing?.name ?? campaignName, buyer },
    await knownBuyerOf(tx, order),
  )
  const line = readLine({ ...lineTexts(order, texts), name: lineName })
  const buyerId = "buyer" in read && "id" in read.buyer ? read.buyer.id : null
  const isTheirs = existing?.isSeller && existing.buyerId === buyerId
  const refused = "errors" in read ? read.errors : {}
  const { name: lineNameError, ...lineErrors } = "errors" in line ? line.errors : {}
  const errors = errorsIn({
    buyer: refused["buyer"],
    campaign: campaign === "" || isTheirs ? undefined : "Choose one of this buyer’s campaigns, or a new one.",
    campaignName: refused["name"],
    lineName: lineNameError,
    ...lineErrors,
  })
  if (hasErrors(errors) || "errors" in read || "errors" in line) return { errors }
  return { ...read, campaignId: existing?.id ?? null, line: line.fields }
}

/** The terms of the order as a form would hold them. */
function lineTexts({ terms }: Order, texts: Partial<AcceptTexts>): Partial<LineTexts> {
  const { price, quantity, from, to } = terms
  const flight = { flightStart: from, flightEnd: to, currency: price.currency }
  if (price.basis === null) {
    const { pricingBasis = "", booked = "", rate = "" } = texts
    return { ...flight, pricingBasis, booked: pricingBasis === "flat_rate" ? "" : booked, rate }
  }
  return {
    ...flight,
    pricingBasis: price.basis,
    booked: quantity === null ? "" : writeNumber(quantity),
    rate: writePrice(price.price),
  }
}

/** Withdraws an order from its own page. False if it was answered meanwhile, null if the order doesn't exist. */
export async function withdrawOrder(
  { database, clock }: Context,
  linkHash: string,
  codeHash: string,
): Promise<boolean | null> {
  return database.transact(async (tx) => {
    const at = clock()
    const order = await orderByCode(tx, linkHash, codeHash)
    if (order === null) return null
    if (stateAt(order, at) !== "asked") return false
    await moveOrder(tx, order, { state: "withdrawn", movedAt: at, movedBy: REQUESTER })
    return true
  })
}

async function moveOrder(tx: Tx, before: Order, change: OrderChange): Promise<{ readonly order: Order }> {
  const order = { ...before, ...change }
  await changeOrder(tx, order.id, change)
  const { movedAt: at, movedBy: actor, sellerId: organizationId } = order
  const verb = order.state === "withdrawn" ? "withdrew" : order.state
  const text = `${verb} the order ${order.id} of ${order.requester.organization}`
  await addAuditEntry(tx, { at, actor, organizationId, text })
  return { order }
}

/** The answer is on the order's own page, whose address only the buyer has. */
async function tellBuyer(context: Context, { id, state, requester, product, message }: Order): Promise<void> {
  const text =
    state === "accepted"
      ? `Your order for ${product.name} was accepted. Its page shows what has been delivered.\n`
      : `Your order for ${product.name} was declined:\n\n${message}\n`
  await sendLetter(context, {
    id: `order-${id}-${state}`,
    to: requester.email,
    subject: `Your order was ${state}`,
    text,
  })
}
