import { asc, eq } from "drizzle-orm"
import type { CatalogueEdit } from "../../../domain/adcp/catalogue/catalogue-edit.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { Catalogue, StoredFormat, StoredProduct } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"
import { creativeFormat, opening, product } from "../schema.ts"
import { addAuditEntry } from "./audit.ts"

const REVISIONS = "SELECT terms, catalogue FROM revision"

/** Products and formats with the revision, in one statement, which sees one moment. */
const CONTENTS = `
  SELECT catalogue AS revision,
    (SELECT coalesce(json_agg(json_build_array(product_id, body) ORDER BY product_id), '[]') FROM product)::text AS products,
    (SELECT coalesce(json_agg(json_build_array(format_id, body) ORDER BY format_id), '[]') FROM creative_format)::text AS formats
  FROM revision`

export function catalogue({ read, change, caches }: Connection): Catalogue {
  async function readRevision(): Promise<number> {
    const [found] = await read(({ rows }) => rows<{ terms: number; catalogue: number }>(REVISIONS))
    if (found === undefined) throw new Error("the table revision is empty")
    caches.saw(found.terms, found.catalogue)
    return found.catalogue
  }

  return {
    // The request's first read has brought it along; what another replica has changed since is for the next request.
    revision: async () => (caches.isFresh() ? caches.catalogue() : readRevision()),
    products: () => read(allProducts),
    formats: () => read(allFormats),
    async openings(agentKeyId) {
      const same = eq(opening.agentKeyId, agentKeyId)
      const found = await read(({ drizzle }) =>
        drizzle.select().from(opening).where(same).orderBy(asc(opening.productId)),
      )
      return found.map(({ productId, territories }) => ({
        productId,
        territories: JSON.parse(territories) as string[],
      }))
    },
    async contents() {
      const [found] = await read(({ rows }) => rows<{ revision: number; products: string; formats: string }>(CONTENTS))
      if (found === undefined) throw new Error("the table revision is empty")
      return {
        revision: found.revision,
        products: bodiesById(found.products),
        formats: bodiesById(found.formats),
      }
    },
    edit: (edit, checkedRevision, by) =>
      change(
        async (transaction) => {
          if (transaction.catalogue !== checkedRevision) return false
          await makeEdit(transaction, edit, by.at)
          const hides = edit.what === "save format" && edit.body === null
          await addAuditEntry(transaction, by, { action: hides ? "hide format" : edit.what, subject: edit.id })
          return true
        },
        { moves: "catalogue" },
      ),
  }
}

async function makeEdit({ drizzle }: Session, edit: CatalogueEdit, at: Moment): Promise<void> {
  switch (edit.what) {
    case "save product": {
      const saved = { body: JSON.stringify(edit.body), updatedAt: at }
      const inserting = drizzle.insert(product).values({ productId: edit.id, ...saved, createdAt: at })
      await inserting.onConflictDoUpdate({ target: product.productId, set: saved })
      return
    }
    case "delete product":
      await drizzle.delete(product).where(eq(product.productId, edit.id))
      return
    case "save format": {
      const saved = { body: edit.body === null ? null : JSON.stringify(edit.body), updatedAt: at }
      const inserting = drizzle.insert(creativeFormat).values({ formatId: edit.id, ...saved, createdAt: at })
      await inserting.onConflictDoUpdate({ target: creativeFormat.formatId, set: saved })
      return
    }
    case "delete format":
      await drizzle.delete(creativeFormat).where(eq(creativeFormat.formatId, edit.id))
  }
}

async function allProducts({ drizzle }: Session): Promise<StoredProduct[]> {
  const found = await drizzle.select().from(product).orderBy(asc(product.productId))
  return found.map(({ productId, body }) => ({ productId, body: bodyOf(body) }))
}

async function allFormats({ drizzle }: Session): Promise<StoredFormat[]> {
  const found = await drizzle.select().from(creativeFormat).orderBy(asc(creativeFormat.formatId))
  return found.map(({ formatId, body }) => ({ formatId, body: bodyOf(body) }))
}

/** A JSON list of ids and bodies, as a statement put them together. */
export function bodiesById(list: string | readonly (readonly [string, string | null])[]): Map<string, unknown> {
  const pairs = typeof list === "string" ? (JSON.parse(list) as (readonly [string, string | null])[]) : list
  return new Map(pairs.map(([id, body]) => [id, bodyOf(body)]))
}

function bodyOf(body: string | null): unknown {
  return body === null ? null : (JSON.parse(body) as unknown)
}
