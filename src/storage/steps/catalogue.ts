import type { CatalogueContents } from "../../domain/adcp/catalogue/catalogue-edit.ts"
import type { CatalogueReads, StoredFormat, StoredProduct } from "../port/store.ts"
import { openingsOf } from "./openings.ts"
import { all, asc, type BulkSteps, type ReadTx, type Step, type Steps, type Tx } from "./step.ts"

export function catalogueReads({
  query,
  queryMoment,
}: Pick<Steps, "query"> & Pick<BulkSteps, "queryMoment">): Omit<CatalogueReads, "revision"> {
  return {
    contents: () => queryMoment(contents),
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

function* contents(
  tx: ReadTx & Pick<Tx, "catalogueRevision">,
): Step<CatalogueContents & { readonly revision: number }> {
  return {
    revision: tx.catalogueRevision(),
    products: new Map((yield* storedProducts(tx)).map(({ productId, body }) => [productId, body])),
    formats: new Map((yield* storedFormats(tx)).map(({ formatId, body }) => [formatId, body])),
  }
}

function bodyOf(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown)
}
