import { and, asc, eq } from "drizzle-orm"
import type { CreativeFormat } from "../../domain/adcp/schema/creative-format.ts"
import type { Product } from "../../domain/adcp/schema/product.ts"
import type { Opening } from "../../domain/adcp/view.ts"
import { maskKeys } from "../../domain/api-key.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"

/**
 * Products and formats were checked when they were saved. Check them again before showing them, because the database
 * may have been edited by hand.
 */
export interface StoredProduct {
  readonly id: string
  readonly product: Product
  /** The organization that sells it. Null if it isn't known. */
  readonly sellerId: number | null
}

/** The operator's formats by ID. Null hides the built-in one. */
export type StoredFormats = ReadonlyMap<string, CreativeFormat | null>

/** Every product, in the order of their IDs. */
export async function storedProducts(read: ReadTx): Promise<StoredProduct[]> {
  const { product } = read
  const rows = await read.db.select().from(product).orderBy(asc(product.productId))
  return rows.map(storedProduct)
}

export async function productById(read: ReadTx, productId: string): Promise<StoredProduct | null> {
  const { product } = read
  const [row] = await read.db.select().from(product).where(eq(product.productId, productId))
  return row === undefined ? null : storedProduct(row)
}

/** The products that an organization sells, in the order of their IDs. */
export async function productsSoldBy(read: ReadTx, sellerId: number): Promise<StoredProduct[]> {
  const { product } = read
  const rows = await read.db
    .select()
    .from(product)
    .where(eq(product.sellerId, sellerId))
    .orderBy(asc(product.productId))
  return rows.map(storedProduct)
}

const storedProduct = (row: ReadTx["product"]["$inferSelect"]): StoredProduct => ({
  id: row.productId,
  product: parsed<Product>(row.body),
  sellerId: row.sellerId,
})

/** If the text isn't JSON because the database was edited by hand, returns an object that fails every check. */
function parsed<Body>(text: string): Body {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {} as Body
  }
}

/** Adds a product, or replaces the one with its ID. */
export async function saveProduct(tx: Tx, { id, product, sellerId }: StoredProduct, at: Moment): Promise<void> {
  const changes = { body: maskKeys(JSON.stringify(product)), sellerId, updatedAt: at }
  await tx.db
    .insert(tx.product)
    .values({ productId: id, createdAt: at, ...changes })
    .onConflictDoUpdate({ target: tx.product.productId, set: changes })
}

/** Deletes a product, and hides it from all keys. False if it doesn't exist. */
export async function deleteStoredProduct(tx: Tx, productId: string): Promise<boolean> {
  const { product } = tx
  const deleted = await tx.db
    .delete(product)
    .where(eq(product.productId, productId))
    .returning({ id: product.productId })
  return deleted.length > 0
}

export async function storedFormats(read: ReadTx): Promise<StoredFormats> {
  const { creativeFormat } = read
  const rows = await read.db.select().from(creativeFormat).orderBy(asc(creativeFormat.formatId))
  return new Map(rows.map(({ formatId, body }) => [formatId, body === null ? null : parsed<CreativeFormat>(body)]))
}

/** Saves a format. Null hides the built-in format with this ID. */
export async function saveFormat(tx: Tx, formatId: string, format: CreativeFormat | null, at: Moment): Promise<void> {
  const changes = { body: format && maskKeys(JSON.stringify(format)), updatedAt: at }
  await tx.db
    .insert(tx.creativeFormat)
    .values({ formatId, createdAt: at, ...changes })
    .onConflictDoUpdate({ target: tx.creativeFormat.formatId, set: changes })
}

/** Deletes what the operator stored for a format. A built-in format is then shown again. */
export async function deleteStoredFormat(tx: Tx, formatId: string): Promise<boolean> {
  const { creativeFormat } = tx
  const isIt = eq(creativeFormat.formatId, formatId)
  const deleted = await tx.db.delete(creativeFormat).where(isIt).returning({ id: creativeFormat.formatId })
  return deleted.length > 0
}

export interface KeyOpening extends Opening {
  readonly buyerKeyId: string
}

/** The products that are shown to a key. */
export async function openingsOfKey(read: ReadTx, buyerKeyId: string): Promise<KeyOpening[]> {
  const { opening } = read
  return read.db.select().from(opening).where(eq(opening.buyerKeyId, buyerKeyId)).orderBy(asc(opening.productId))
}

/** The keys that a product is shown to. */
export async function openingsOfProduct(read: ReadTx, productId: string): Promise<KeyOpening[]> {
  const { opening } = read
  return read.db.select().from(opening).where(eq(opening.productId, productId)).orderBy(asc(opening.buyerKeyId))
}

export async function allOpenings(read: ReadTx): Promise<KeyOpening[]> {
  const { opening } = read
  return read.db.select().from(opening).orderBy(asc(opening.buyerKeyId), asc(opening.productId))
}

/** Shows a product to a key in these territories. Without territories, it hides the product. */
export async function saveOpening(tx: Tx, { buyerKeyId, productId, territories }: KeyOpening): Promise<void> {
  const { opening } = tx
  if (territories.length === 0) {
    await tx.db.delete(opening).where(and(eq(opening.buyerKeyId, buyerKeyId), eq(opening.productId, productId)))
    return
  }
  const set = { territories: [...territories] }
  await tx.db
    .insert(opening)
    .values({ buyerKeyId, productId, ...set })
    .onConflictDoUpdate({ target: [opening.buyerKeyId, opening.productId], set })
}

/**
 * A number that grows with every change that affects the sales agent's answers. A cache of such rows must read it
 * before the rows, and again before each use.
 */
export async function catalogueRevision(read: ReadTx): Promise<number> {
  const [row] = await read.rows("SELECT number FROM revision WHERE name = 'catalogue'", [], { number: Number })
  return row?.number ?? 0
}
