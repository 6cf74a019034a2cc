import type { CatalogueReads, StoredFormat, StoredProduct } from "../port/store.ts"
import { openingsOf } from "./openings.ts"
import { all, asc, type ReadTx, type Step, type Steps } from "./step.ts"

/** What need not be read at one moment with anything else. */
export function catalogueReads({ query }: Pick<Steps, "query">): Omit<CatalogueReads, "revision" | "contents"> {
  return {
    products: () => query(storedProducts),
    formats: () => query(storedFormats),
    openings: (agentKeyId) => query((tx) => openingsOf(tx, agentKeyId)),
  }
}

export function* storedProducts({ db, product }: ReadTx): Step<StoredProduct[]> {
  const rows = yield* all(db.select().from(product).orderBy(asc(product.productId)))
  return rows.map(({ productId, body }) => ({ productId, body: bodyOf(body) }))
}

export function* storedFormats({ db, creativeFormat }: ReadTx): Step<StoredFormat[]> {
  const rows = yield* all(db.select().from(creativeFormat).orderBy(asc(creativeFormat.formatId)))
  return rows.map(({ formatId, body }) => ({ formatId, body: bodyOf(body) }))
}

/** A stored product or format. */
export function bodyOf(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown)
}
