import { and, asc, eq, type SQL } from "drizzle-orm"
import type { CreativeFormat } from "../../domain/adcp/schema/creative-format.ts"
import type { Product } from "../../domain/adcp/schema/product.ts"
import { maskKeys } from "../../domain/api-key.ts"
import type { ReadTx, Tx } from "../database.ts"
import { firstOf, hasRows } from "../sql-text.ts"
import type { Row } from "../tables/tables.ts"

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
export const storedProducts = (read: ReadTx): Promise<StoredProduct[]> => productsWhere(read, undefined)

export const productById = (read: ReadTx, productId: string): Promise<StoredProduct | null> =>
  firstOf(productsWhere(read, eq(read.product.productId, productId)))

/** The products that an organization sells, in the order of their IDs. */
export const productsSoldBy = (read: ReadTx, sellerId: number): Promise<StoredProduct[]> =>
  productsWhere(read, eq(read.product.sellerId, sellerId))

async function productsWhere({ db, product }: ReadTx, where: SQL | undefined): Promise<StoredProduct[]> {
  const rows = await db.select().from(product).where(where).orderBy(asc(product.productId))
  return rows.map(({ productId, body, sellerId }) => ({ id: productId, product: parsed<Product>(body), sellerId }))
}

/** If the text isn't JSON because the database was edited by hand, returns an object that fails every check. */
function parsed<Body>(text: string): Body {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {} as Body
  }
}

/** Adds a product, or replaces the one with its ID. */
export async function saveProduct(tx: Tx, { id, product, sellerId }: StoredProduct): Promise<void> {
  const changes = { body: maskKeys(JSON.stringify(product)), sellerId }
  await tx.db
    .insert(tx.product)
    .values({ productId: id, ...changes })
    .onConflictDoUpdate({ target: tx.product.productId, set: changes })
}

/** Deletes a product, and hides it from all keys. False if it doesn't exist. */
export async function deleteStoredProduct(tx: Tx, productId: string): Promise<boolean> {
  const { product } = tx
  return hasRows(tx.db.delete(product).where(eq(product.productId, productId)).returning())
}

export async function storedFormats({ db, creativeFormat }: ReadTx): Promise<StoredFormats> {
  const rows = await db.select().from(creativeFormat).orderBy(asc(creativeFormat.formatId))
  return new Map(rows.map(({ formatId, body }) => [formatId, body === null ? null : parsed<CreativeFormat>(body)]))
}

/** Saves a format. Null hides the built-in format with this ID. */
export async function saveFormat(tx: Tx, formatId: string, format: CreativeFormat | null): Promise<void> {
  const changes = { body: format && maskKeys(JSON.stringify(format)) }
  await tx.db
    .insert(tx.creativeFormat)
    .values({ formatId, ...changes })
    .onConflictDoUpdate({ target: tx.creativeFormat.formatId, set: changes })
}

/** Deletes what the operator stored for a format. A built-in format is then shown again. */
export async function deleteStoredFormat({ db, creativeFormat }: Tx, formatId: string): Promise<void> {
  await db.delete(creativeFormat).where(eq(creativeFormat.formatId, formatId))
}

/** A product that is shown to a key. */
export type KeyOpening = Row<"opening">

/** The products that are shown to a key. */
export const openingsOfKey = (read: ReadTx, buyerKeyId: string): Promise<KeyOpening[]> =>
  openingsWhere(read, eq(read.opening.buyerKeyId, buyerKeyId))

/** The keys that a product is shown to. */
export const openingsOfProduct = (read: ReadTx, productId: string): Promise<KeyOpening[]> =>
  openingsWhere(read, eq(read.opening.productId, productId))

export const allOpenings = (read: ReadTx): Promise<KeyOpening[]> => openingsWhere(read, undefined)

const openingsWhere = async ({ db, opening }: ReadTx, where: SQL | undefined): Promise<KeyOpening[]> =>
  db.select().from(opening).where(where).orderBy(asc(opening.buyerKeyId), asc(opening.productId))

/** Shows a product to a key in these territories. Without territories, it hides the product. */
export async function saveOpening(
  { db, opening }: Tx,
  { buyerKeyId, productId, territories }: KeyOpening,
): Promise<void> {
  if (territories.length === 0) {
    await db.delete(opening).where(and(eq(opening.buyerKeyId, buyerKeyId), eq(opening.productId, productId)))
    return
  }
  await db
    .insert(opening)
    .values({ buyerKeyId, productId, territories })
    .onConflictDoUpdate({ target: [opening.buyerKeyId, opening.productId], set: { territories } })
}

/**
 * A number that grows with every change that affects the sales agent's answers. A cache of such rows must read it
 * before the rows, and again before each use.
 */
export async function catalogueRevision(read: ReadTx): Promise<number> {
  const [row] = await read.rows("SELECT number FROM revision WHERE name = 'catalogue'", [], { number: Number })
  return row?.number ?? 0
}
