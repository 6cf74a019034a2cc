import { catalogueFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { isValidProduct } from "../../domain/adcp/catalogue/check.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import { hiddenBecause } from "../../domain/adcp/visibility.ts"
import { hashToken } from "../../domain/keys/api-key.ts"
import { normalTerritories, type Opening, readTerritories } from "../../domain/keys/opening.ts"
import type { Change } from "../../domain/people/audit.ts"
import { orderedProduct } from "../../domain/sale/order.ts"
import { mayBeOfKey, orderCode, orderTokens } from "../../domain/sale/order-token.ts"
import { MICROS_PER_DAY, type Moment } from "../../domain/time/moment.ts"
import type { Order, OrderLink, StoreReads } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { storedFormats } from "../../storage/steps/catalogue.ts"
import { openedIds, openingsOf } from "../../storage/steps/keys.ts"
import { settingOf } from "../../storage/steps/operations.ts"
import type { ReadTx, ResultOf, Step, Tx } from "../../storage/steps/step.ts"
import { all, and, eq, first, gt, isNull } from "../../storage/steps/step.ts"
import { readShare, type TypedShare } from "../campaigns/share-links.ts"
import { type Context, query, transact, verb } from "../context.ts"
import { ownSecret, setSetting } from "../settings.ts"

const isOn = (setting: string | null) => setting !== "off"

/** Whether products can be ordered: yes, until somebody chooses otherwise. */
export const takesOrders = async ({ settings }: Pick<StoreReads, "settings">) => isOn(await settings.get("take_orders"))

/** Off ends every link at once; orders that were placed stay. */
export const switchTakingOrders = verb(function* (tx, isWanted: boolean, by: Change) {
  const details = { take_orders: isWanted ? "on" : "off" }
  yield* setSetting(tx, "take_orders", details.take_orders)
  // What agents are shown of each product changes.
  tx.movesCatalogue?.()
  yield* audit(tx, by, { action: "change take_orders", subject: "installation", details })
})

export const orderSecret = (context: Pick<Context, "store" | "random">) => ownSecret(context, "order_secret")

/** What makes the links of a key; null while no orders are taken. It only reads: listing products writes nothing. */
export const linksOfKeys = (context: Pick<Context, "store">) =>
  query(context, function* (tx) {
    const secret = isOn(yield* settingOf(tx, "take_orders")) ? yield* settingOf(tx, "order_secret") : null
    return secret === null ? null : (agentKeyId: string) => orderTokens(secret, agentKeyId)
  })

/** The product behind a link as its key sees it. Null for a link that has ended, of whatever cause, and for one that never was. */
export async function openOrderLink(context: Context, token: string) {
  const secret = await orderSecret(context)
  return query(context, (tx) => openedLink(tx, token, secret, context.clock()))
}

type Found = Opening & Readonly<{ agentKeyId: string | null; orderLinkId: number | null }>
export type OpenedLink = NonNullable<ResultOf<typeof openedLink>>

const NOTHING: Opening = { productId: "", territories: [] }

/** One that has ended is looked for in the same places as one that never was, so that no time tells them apart. */
export function* openedLink(tx: ReadTx, token: string, secret: string, now: Moment) {
  const linkHash = hashToken(token)
  const isTaken = isOn(yield* settingOf(tx, "take_orders"))
  const [byHand, byKey] = [yield* madeByHand(tx, linkHash, now), yield* ofKey(tx, token, secret)]
  const found = byHand ?? byKey
  const shown = yield* shownProduct(tx, found ?? NOTHING, now)
  if (!isTaken || found === null || shown === null) return null
  return { linkHash, agentKeyId: found.agentKeyId, orderLinkId: found.orderLinkId, ...shown }
}

/** The product as it is now, for the buyer who ordered it; null where it is no longer sold to anybody or has expired. */
export function productToday(context: Context, { productId, agentKeyId, product }: Order) {
  return query(context, function* (tx) {
    const opened = agentKeyId === null ? [] : yield* openingsOf(tx, agentKeyId)
    const { territories } = opened.find((opening) => opening.productId === productId) ?? product
    const shown = yield* shownProduct(tx, { productId, territories: [...territories] }, context.clock())
    return shown?.product ?? null
  })
}

/** With who sells it, where the product says so. */
function* shownProduct(tx: ReadTx, found: Opening, now: Moment) {
  const { db, product } = tx
  const stored = yield* first(db.select().from(product).where(eq(product.productId, found.productId)))
  const body: unknown = stored === undefined ? null : JSON.parse(stored.body)
  const formats = (yield* storedFormats(tx)).map(({ formatId, body: format }) => [formatId, format] as const)
  const own = catalogueFormats(new Map(formats))
  if (stored === undefined || !isValidProduct(body, own)) return null
  if (hiddenBecause(body as Product, found, now) !== undefined) return null
  return { product: orderedProduct(body as Product, found.territories, own), sellerId: stored.sellerId }
}

function* madeByHand({ db, orderLink }: ReadTx, tokenHash: string, now: Moment): Step<Found | null> {
  const works = and(eq(orderLink.tokenHash, tokenHash), isNull(orderLink.endedAt), gt(orderLink.expiresAt, now))
  const link = yield* first(db.select().from(orderLink).where(works))
  if (link === undefined) return null
  const territories = JSON.parse(link.territories) as string[]
  return { agentKeyId: null, orderLinkId: link.id, productId: link.productId, territories }
}

function* ofKey(tx: ReadTx, token: string, secret: string): Step<Found | null> {
  const { db, agentKey } = tx
  const keys = yield* all(db.select({ id: agentKey.id }).from(agentKey).where(isNull(agentKey.revokedAt)))
  const [agentKeyId = ""] = keys.flatMap(({ id }) => (mayBeOfKey(token, secret, id) ? id : []))
  const tokenOf = orderTokens(secret, agentKeyId)
  const productId = (yield* openedIds(tx, agentKeyId)).find((id) => tokenOf(id) === token) ?? ""
  const isIt = and(eq(tx.opening.agentKeyId, agentKeyId), eq(tx.opening.productId, productId))
  const opening = yield* first(db.select().from(tx.opening).where(isIt))
  return opening === undefined ? null : { agentKeyId, orderLinkId: null, productId, territories: opening.territories }
}

/** Worked out like those of keys, so that the page of an order can be named again, and nothing stored opens anything. */
const handMadeToken = (secret: string, { createdAt, expiresAt, label, productId }: MadeLink) =>
  orderTokens(secret, `link ${createdAt} ${expiresAt} ${label}`)(productId)

type MadeLink = Pick<OrderLink, "createdAt" | "expiresAt" | "label" | "productId">

/** Where an order's own page is; null where its link is no longer known. */
export async function requesterPath(context: Context, { id, agentKeyId, orderLinkId, productId }: Order) {
  const secret = await orderSecret(context)
  const link = (await context.store.orderLinks.list(productId)).find((each) => each.id === orderLinkId)
  const token = agentKeyId === null ? link && handMadeToken(secret, link) : orderTokens(secret, agentKeyId)(productId)
  return token === undefined ? null : `/order/${token}/${orderCode(secret, id)}`
}

/** Makes a link to order a product, for one buyer. Its path is only in the result. */
export async function makeOrderLink(
  context: Context,
  productId: string,
  typed: TypedShare & { readonly territories: string },
  actor: string,
) {
  const { lasts, errors: wrong } = readShare(typed)
  const read = readTerritories(typed.territories)
  const errors = {
    ...wrong,
    ...(!read.ok && { territories_add: read.message }),
    ...(read.ok && read.codes.length === 0 && { territories_add: "Choose at least one country, or everywhere." }),
  }
  if (!read.ok || Object.keys(errors).length > 0) return { errors }
  const createdAt = context.clock()
  const made = { productId, label: typed.label, createdAt, expiresAt: createdAt + lasts * MICROS_PER_DAY }
  const token = handMadeToken(await orderSecret(context), made)
  const codes = JSON.stringify(normalTerritories(read.codes))
  const link = { ...made, tokenHash: hashToken(token), territories: codes }
  await transact(context, (tx) => storeOrderLink(tx, link, { actor, at: createdAt }))
  return { path: `/order/${token}` }
}

export function* storeOrderLink(tx: Tx, link: Tx["orderLink"]["$inferInsert"], by: Change): Step<void> {
  // The same form sent twice at one moment makes one link.
  const inserting = tx.db.insert(tx.orderLink).values(link).onConflictDoNothing({ target: tx.orderLink.tokenHash })
  const made = yield* first(inserting.returning({ id: tx.orderLink.id }))
  if (made === undefined) return
  const details = { label: link.label, product: link.productId }
  yield* audit(tx, by, { action: "create order_link", subject: `${made.id}`, details })
}

/** Ends a link at once. False unless it worked. */
export const endOrderLink = verb(function* (tx, id: number, by: Change) {
  const { db, orderLink } = tx
  const isActive = and(eq(orderLink.id, id), isNull(orderLink.endedAt))
  const ending = db.update(orderLink).set({ endedAt: by.at }).where(isActive)
  if ((yield* first(ending.returning({ id: orderLink.id }))) === undefined) return false
  yield* audit(tx, by, { action: "end order_link", subject: `${id}` })
  return true
})
