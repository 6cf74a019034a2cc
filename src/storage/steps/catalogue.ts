import { isObject } from "../../domain/schema/batch.ts"
import { openingsOf } from "./keys.ts"
import { ofSeller, type SellerScope } from "./organizations.ts"
import { all, asc, eq, gt, isThere, type ReadTx, type ResultOf, type Tx } from "./step.ts"

export const catalogueReads = {
  products: storedProducts,
  hasProducts: ({ db, product: { productId, sellerId }, product }: ReadTx, scope: SellerScope) =>
    isThere(db.select({ productId }).from(product).where(ofSeller(sellerId, scope)).limit(1)),
  formats: storedFormats,
  openings: openingsOf,
  formatTexts,
  productTexts,
}

/** By id; those of one seller, or all. */
export function* storedProducts({ db, product }: ReadTx, scope: SellerScope | null = null) {
  const { productId, body, sellerId } = product
  const rows = db.select({ productId, body }).from(product).where(ofSeller(sellerId, scope))
  return (yield* all(rows.orderBy(asc(productId)))).map((row) => ({ ...row, body: bodyOf(row.body) }))
}

/** Who sells each product, by slug, of those that say so. */
export function* productSellers({ db, product: { productId, sellerId }, product, organization }: ReadTx) {
  const rows = db.select({ productId, seller: organization.slug }).from(product)
  return yield* all(rows.innerJoin(organization, eq(organization.id, sellerId)).orderBy(asc(productId)))
}

/** The formats that the operator defined, by id; a null body hides the built-in format with this id. */
export function* storedFormats(tx: ReadTx) {
  return (yield* formatTexts(tx)).map(({ formatId, body }) => ({ formatId, body: bodyOf(body) }))
}

/** Products with their sellers, formats and the revision, to be read at one moment. */
export function* catalogueContents(tx: ReadTx & Pick<Tx, "catalogueRevision">) {
  return {
    revision: tx.catalogueRevision(),
    products: new Map((yield* storedProducts(tx)).map(({ productId, body }) => [productId, body])),
    formats: new Map((yield* storedFormats(tx)).map(({ formatId, body }) => [formatId, body])),
    sellers: new Map((yield* productSellers(tx)).map(({ productId, seller }) => [productId, seller])),
  }
}

// The same as it is stored: a server that knows most of it need not read it again.

function formatTexts({ db, creativeFormat }: ReadTx) {
  return all(db.select().from(creativeFormat).orderBy(asc(creativeFormat.formatId)))
}

const PRODUCTS_AT_ONCE = 200

/** Those with ids above this one, a few hundred at a time: there may be thousands. None are left where there are none. */
function productTexts({ db, product, product: { productId } }: ReadTx, after: string) {
  const next = db.select().from(product).where(gt(productId, after)).orderBy(asc(productId))
  return all(next.limit(PRODUCTS_AT_ONCE))
}

export type FormatTexts = ResultOf<typeof formatTexts>
export type ProductTexts = ResultOf<typeof productTexts>

/** What somebody broke by hand, so that it is no object any more, is an empty one, which is not valid. Null is a format that is hidden. */
export function bodyOf(text: string | null): unknown {
  if (text === null) return null
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}
