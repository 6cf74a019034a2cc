import type { CatalogueReads } from "../../port/store.ts"
import { bodyOf } from "../../steps/catalogue.ts"
import type { Connection } from "../engine/connection.ts"

const REVISIONS = "SELECT terms, catalogue FROM revision"

/** Products and formats with the revision, in one statement, which sees one moment. */
const CONTENTS = `
  SELECT catalogue AS revision,
    (SELECT coalesce(json_agg(json_build_array(product_id, body) ORDER BY product_id), '[]') FROM product)::text AS products,
    (SELECT coalesce(json_agg(json_build_array(format_id, body) ORDER BY format_id), '[]') FROM creative_format)::text AS formats
  FROM revision`

/** What every call of an agent asks first, and what has to be read at one moment. */
export function catalogue({ read, caches }: Connection): Pick<CatalogueReads, "revision" | "contents"> {
  async function readRevision(): Promise<number> {
    const [found] = await read(({ rows }) => rows<{ terms: number; catalogue: number }>(REVISIONS))
    if (found === undefined) throw new Error("the table revision is empty")
    caches.saw(found.terms, found.catalogue)
    return found.catalogue
  }

  return {
    // The request's first read has brought it along; what another replica has changed since is for the next request.
    revision: async () => (caches.isFresh() ? caches.catalogue() : readRevision()),
    async contents() {
      const [found] = await read(({ rows }) => rows<{ revision: number; products: string; formats: string }>(CONTENTS))
      if (found === undefined) throw new Error("the table revision is empty")
      return {
        revision: found.revision,
        products: bodiesById(found.products),
        formats: bodiesById(found.formats),
      }
    },
  }
}

/** A JSON list of ids and bodies, as a statement put them together. */
export function bodiesById(list: string | readonly (readonly [string, string | null])[]): Map<string, unknown> {
  const pairs = typeof list === "string" ? (JSON.parse(list) as (readonly [string, string | null])[]) : list
  return new Map(pairs.map(([id, body]) => [id, bodyOf(body)]))
}
