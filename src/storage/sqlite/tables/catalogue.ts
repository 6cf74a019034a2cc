import { asc, eq } from "drizzle-orm"
import type { CatalogueEdit } from "../../../domain/adcp/catalogue/catalogue-edit.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { Catalogue, StoredFormat, StoredProduct } from "../../port/store.ts"
import { catalogueChanged, catalogueRevision } from "../engine/catalogue-revision.ts"
import type { Connection } from "../engine/connection.ts"
import { creativeFormat, opening, product } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

export function catalogue(connection: Connection): Catalogue {
  const { database, drizzle, reading, write } = connection
  const revision = reading.cached(1, catalogueRevision)
  return {
    revision: async () => revision(connection) ?? 0,
    async products() {
      return allProducts(connection)
    },
    async formats() {
      return allFormats(connection)
    },
    async openings(agentKeyId) {
      const rows = drizzle
        .select()
        .from(opening)
        .where(eq(opening.agentKeyId, agentKeyId))
        .orderBy(asc(opening.productId))
      return rows
        .all()
        .map(({ productId, territories }) => ({ productId, territories: JSON.parse(territories) as string[] }))
    },
    async contents() {
      return database.transaction(() => ({
        revision: catalogueRevision(connection),
        products: new Map(allProducts(connection).map(({ productId, body }) => [productId, body])),
        formats: new Map(allFormats(connection).map(({ formatId, body }) => [formatId, body])),
      }))()
    },
    edit: (edit, checkedRevision, change) =>
      write.run(() => {
        if (catalogueRevision(connection) !== checkedRevision) return false
        makeEdit(connection, edit, change.at)
        catalogueChanged(connection)
        const hides = edit.what === "save format" && edit.body === null
        addAuditEntry(connection, change, { action: hides ? "hide format" : edit.what, subject: edit.id })
        return true
      }),
  }
}

function makeEdit(connection: Connection, edit: CatalogueEdit, at: Moment): void {
  const { drizzle } = connection
  switch (edit.what) {
    case "save product":
      saveProduct(connection, { productId: edit.id, body: edit.body }, at)
      return
    case "delete product":
      drizzle.delete(product).where(eq(product.productId, edit.id)).run()
      return
    case "save format":
      saveFormat(connection, { formatId: edit.id, body: edit.body }, at)
      return
    case "delete format":
      drizzle.delete(creativeFormat).where(eq(creativeFormat.formatId, edit.id)).run()
  }
}

export function allProducts({ drizzle }: Connection): StoredProduct[] {
  const rows = drizzle.select().from(product).orderBy(asc(product.productId)).all()
  return rows.map((row) => ({ productId: row.productId, body: JSON.parse(row.body) as unknown }))
}

export function allFormats({ drizzle }: Connection): StoredFormat[] {
  const rows = drizzle.select().from(creativeFormat).orderBy(asc(creativeFormat.formatId)).all()
  return rows.map(({ formatId, body }) => ({ formatId, body: body === null ? null : (JSON.parse(body) as unknown) }))
}

/** Adds or replaces a product. Call it inside a transaction. */
export function saveProduct(
  { drizzle }: Connection,
  { productId, body }: StoredProduct,
  at: Moment,
): "created" | "updated" {
  const text = JSON.stringify(body)
  const { createdAt } = drizzle
    .insert(product)
    .values({ productId, body: text, createdAt: at, updatedAt: at })
    .onConflictDoUpdate({ target: product.productId, set: { body: text, updatedAt: at } })
    .returning({ createdAt: product.createdAt })
    .get()
  return createdAt === at ? "created" : "updated"
}

/** Adds, replaces or (with a null body) hides a format. Call it inside a transaction. */
export function saveFormat(
  { drizzle }: Connection,
  { formatId, body }: StoredFormat,
  at: Moment,
): "created" | "updated" {
  const text = body === null ? null : JSON.stringify(body)
  const { createdAt } = drizzle
    .insert(creativeFormat)
    .values({ formatId, body: text, createdAt: at, updatedAt: at })
    .onConflictDoUpdate({ target: creativeFormat.formatId, set: { body: text, updatedAt: at } })
    .returning({ createdAt: creativeFormat.createdAt })
    .get()
  return createdAt === at ? "created" : "updated"
}
