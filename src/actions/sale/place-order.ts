import { withOperatorFormats } from "../../domain/adcp/catalogue/built-in.ts"
import { keyOfToken, productOfToken, readOrderToken } from "../../domain/adcp/order-token.ts"
import { hiddenReason } from "../../domain/adcp/view.ts"
import { randomCharacters } from "../../domain/api-key.ts"
import { type Company, isCalled } from "../../domain/campaign/campaign.ts"
import type { Errors } from "../../domain/errors.ts"
import { createToken, hashToken } from "../../domain/people/session.ts"
import { type OrderedProduct, orderedProduct } from "../../domain/sale/order.ts"
import { type OrderTexts, readRequester, readTerms } from "../../domain/sale/read-order.ts"
import { MICROS_PER_SECOND } from "../../domain/time/moment.ts"
import { dayOf, type TimeZone } from "../../domain/time/time-zone.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { openingsOfKey, storedFormats, storedProducts } from "../../storage/catalogue/catalogue.ts"
import type { ReadTx } from "../../storage/database.ts"
import { buyerKeys } from "../../storage/keys.ts"
import { organizationById, sellers } from "../../storage/organizations.ts"
import { addOrder, type Order, ordersSince } from "../../storage/sales.ts"
import { agentSettings, orderSecret } from "../catalogue/agent-settings.ts"
import type { Context } from "../context.ts"
import { publicUrl, sendLetter } from "../mail.ts"

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
  const parts = readOrderToken(token)
  if (parts === null || !(await agentSettings(context.database.read)).takesOrders) return null
  const secret = await orderSecret(context)
  const { read } = context.database
  const active = (await buyerKeys(read)).filter(({ revokedAt }) => revokedAt === null)
  const key = keyOfToken(secret, parts, active)
  if (key === null) return null
  const openings = await openingsOfKey(read, key.id)
  const productId = productOfToken(
    secret,
    parts,
    key.id,
    openings.map((opening) => opening.productId),
  )
  const opening = openings.find((each) => each.productId === productId)
  const stored = (await storedProducts(read)).find(({ id }) => id === productId)
  if (opening === undefined || stored === undefined) return null
  if (hiddenReason(stored.product, opening, context.clock()) !== null) return null
  const own = withOperatorFormats(await storedFormats(read))
  const product = orderedProduct(stored.product, opening.territories, own)
  return { buyerKeyId: key.id, product, seller: await sellerOf(read, stored.sellerId) }
}

/** The organization that sells a product: the only one that sells anything, if the product names none. */
async function sellerOf(read: ReadTx, sellerId: number | null): Promise<OrderLink["seller"]> {
  if (sellerId !== null) return organizationById(read, sellerId)
  const [only, ...others] = await sellers(read, 2)
  return others.length === 0 ? (only ?? null) : null
}

const HOUR = 3_600 * MICROS_PER_SECOND
const ORDERS_PER_LINK = 5
const ORDERS_PER_KEY = 20

type PlacedOrder = { readonly code: string } | { readonly errors: Errors }

const TOO_MANY = "Too many orders came by this link in the last hour. Try again later, or contact the seller."

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
    const { byLink, byKey } = await ordersSince(tx, order, at - HOUR)
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
  const key = (await buyerKeys(read)).find(({ id }) => id === buyerKeyId)
  const buyer = key?.buyerId == null ? null : await organizationById(read, key.buyerId)
  return buyer !== null && isCalled(buyer, requester.organization) ? buyer : null
}
