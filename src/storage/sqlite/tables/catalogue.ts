import type { CatalogueReads } from "../../port/store.ts"
import { storedFormats, storedProducts } from "../../steps/catalogue.ts"
import { catalogueRevision } from "../engine/catalogue-revision.ts"
import type { Connection } from "../engine/connection.ts"
import { runNow, txOn } from "../engine/steps.ts"

/** What every call of an agent asks first, and what has to be read at one moment. */
export function catalogue(connection: Connection): Pick<CatalogueReads, "revision" | "contents"> {
  const { database, reading } = connection
  const revision = reading.cached(1, catalogueRevision)
  const tx = txOn(connection)
  const contents = database.transaction(() => ({
    revision: tx.catalogueRevision(),
    products: new Map(runNow(storedProducts(tx)).map(({ productId, body }) => [productId, body])),
    formats: new Map(runNow(storedFormats(tx)).map(({ formatId, body }) => [formatId, body])),
  }))
  return { revision: async () => revision(connection) ?? 0, contents: async () => contents() }
}
