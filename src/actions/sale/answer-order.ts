import { maskKeys } from "../../domain/api-key.ts"
import { type LineFields, type LineTexts, readLine } from "../../domain/campaign/line.ts"
import { type Errors, errorsIn } from "../../domain/errors.ts"
import { afterMove, type OrderMove, stateAt } from "../../domain/sale/order.ts"
import { noteProblem } from "../../domain/sale/read-order.ts"
import { writeNumber } from "../../domain/typed-number.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { campaignBySlug } from "../../storage/campaigns/campaigns.ts"
import type { Tx } from "../../storage/database.ts"
import { changeOrder, type Order, type OrderReader, orderByCode, orderById } from "../../storage/sales.ts"
import { buyerIdOf, type CampaignSeller, openCampaign, type ReadCampaignFields, readCampaign } from "../campaigns.ts"
import type { Actor, Context } from "../context.ts"
import { insertLine } from "../lines.ts"
import { sendLetter } from "../mail.ts"
import { knownBuyerOf, REQUESTER } from "./place-order.ts"

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

type Answered = { readonly order: Order } | { readonly errors: Errors } | { readonly questions: Errors } | "not found"

const TOO_LATE: Readonly<Record<string, string>> = {
  accepted: "This order was accepted already. Nothing was created.",
  declined: "This order was declined already.",
  withdrawn: "The buyer has withdrawn this order.",
  expired: "This order has expired.",
}

/** Accepts an order: one transaction creates the buyer, the campaign and the line, and moves the order. */
export async function acceptOrder(
  context: Context,
  actor: Actor,
  seller: CampaignSeller,
  id: string,
  texts: Partial<AcceptTexts>,
  confirmed: Errors,
): Promise<Answered> {
  const { database, clock } = context
  const { organization, knowsEverybody } = seller
  const reader = { organizationId: organization.id, isOperator: knowsEverybody }
  const answered = await database.transact(async (tx): Promise<Answered> => {
    const at = clock()
    const order = await orderById(tx, reader, id)
    if (order === null) return "not found"
    if (afterMove(order, "accept", at) === null) return { errors: { "": TOO_LATE[stateAt(order, at)] ?? "" } }
    const read = await readAccept(tx, seller, order, texts)
    if ("errors" in read) return read
    if (read.question !== undefined && confirmed["buyer"] !== read.question)
      return { questions: { buyer: read.question } }
    const change = { at, actor }
    const buyerId = await buyerIdOf(tx, change, organization.id, read.buyer)
    const campaignId =
      read.campaignId ?? (await openCampaign(tx, change, organization.id, { name: read.name, buyerId })).id
    const added = await insertLine(tx, change, { sellerId: organization.id, campaignId }, read.line)
    if ("errors" in added) throw new Error("The line of an order has no external ID, so it can't be refused.")
    return { order: await move(tx, change, order, "accept", { sellerId: organization.id, packageId: added.packageId }) }
  })
  if (typeof answered === "object" && "order" in answered) await tellBuyer(context, answered.order)
  return answered
}

interface Change {
  readonly at: number
  readonly actor: Actor
}

interface ReadAccept extends ReadCampaignFields {
  /** Null for a new campaign. */
  readonly campaignId: number | null
  readonly line: LineFields
}

async function readAccept(
  tx: Tx,
  seller: CampaignSeller,
  order: Order,
  texts: Partial<AcceptTexts>,
): Promise<ReadAccept | { readonly errors: Errors }> {
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
  if (Object.keys(errors).length > 0 || "errors" in read || "errors" in line) return { errors }
  return { ...read, campaignId: existing?.id ?? null, line: line.fields }
}

/** The terms of the order as a form would hold them. */
function lineTexts({ terms }: Order, texts: Partial<AcceptTexts>): Omit<LineTexts, "name"> {
  const { price, quantity, from, to } = terms
  const flight = { flightStart: from, flightEnd: to, currency: price.currency, externalId: "" }
  if (price.basis === null) {
    const { pricingBasis = "", booked = "", rate = "" } = texts
    return { ...flight, pricingBasis, booked: pricingBasis === "flat_rate" ? "" : booked, rate }
  }
  return {
    ...flight,
    pricingBasis: price.basis,
    booked: quantity === null ? "" : writeNumber(quantity),
    rate: writeNumber(price.price),
  }
}

/** Declines an order with a sentence, for example what to order instead. */
export async function declineOrder(
  context: Context,
  actor: Actor,
  reader: OrderReader,
  id: string,
  typed: string,
): Promise<Exclude<Answered, { readonly questions: Errors }>> {
  const { database, clock } = context
  const problem = typed === "" ? "Say why, in a sentence." : noteProblem(typed)
  if (problem !== undefined) return { errors: { message: problem } }
  const answered = await database.transact(async (tx) => {
    const at = clock()
    const order = await orderById(tx, reader, id)
    if (order === null) return "not found"
    if (afterMove(order, "decline", at) === null) return { errors: { "": TOO_LATE[stateAt(order, at)] ?? "" } }
    const change = { message: maskKeys(typed), sellerId: order.sellerId ?? reader.organizationId }
    return { order: await move(tx, { at, actor }, order, "decline", change) }
  })
  if (typeof answered === "object" && "order" in answered) await tellBuyer(context, answered.order)
  return answered
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
    if (afterMove(order, "withdraw", at) === null) return false
    await move(tx, { at, actor: REQUESTER }, order, "withdraw", {})
    return true
  })
}

const VERBS = { accept: "accepted", decline: "declined", withdraw: "withdrew" } as const

async function move(
  tx: Tx,
  { at, actor }: Change,
  order: Order,
  move: OrderMove,
  fields: Partial<Pick<Order, "message" | "sellerId" | "packageId">>,
): Promise<Order> {
  const state = afterMove(order, move, at) ?? order.state
  const change = { state, movedAt: at, movedBy: actor, ...fields }
  await changeOrder(tx, order.id, change)
  const organizationId = fields.sellerId ?? order.sellerId
  const text = `${VERBS[move]} the order ${order.id} of ${order.requester.organization}`
  await addAuditEntry(tx, { at, actor, organizationId, text })
  return { ...order, ...change }
}

/** The answer is on the order's own page, whose address only the buyer has. */
async function tellBuyer(context: Context, { id, state, requester, product, message }: Order): Promise<void> {
  const text =
    state === "accepted"
      ? `Your order of ${product.name} was accepted. Its page shows what is delivered.\n`
      : `Your order of ${product.name} was declined:\n\n${message}\n`
  await sendLetter(context, {
    id: `order-${id}-${state}`,
    to: requester.email,
    subject: `Your order was ${state}`,
    text,
  })
}
