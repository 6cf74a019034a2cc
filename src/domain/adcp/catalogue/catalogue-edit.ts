import type { Territories } from "../../keys/opening.ts"
import type { SchemaProblem } from "../../schema/check.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import type { FormatRef } from "../schema/format/format-id.ts"
import type { Product } from "../schema/product/product.ts"
import { catalogueFormats } from "./built-in/index.ts"
import { checkFormat, checkProduct, checkRefs } from "./check.ts"
import { refsOfFormat, refsOfProduct } from "./refs.ts"

/** The operator's products and formats by id; a null format hides the built-in one with that id. */
export interface CatalogueContents {
  readonly products: ReadonlyMap<string, unknown>
  readonly formats: ReadonlyMap<string, unknown>
}

/** The catalogue with who sells each product, by slug, of those that say so. */
export interface OwnedCatalogue extends CatalogueContents {
  readonly sellers: ReadonlyMap<string, string>
}

export type OpenTo = Readonly<{ keys: readonly string[]; territories: Territories }>

/** A change to the catalogue. Saving a null body hides a built-in format; deleting shows it again. */
export type CatalogueEdit =
  | {
      readonly what: "save product"
      readonly id: string
      readonly body: unknown
      /** The slug of who sells it; null: nobody says. Absent leaves it as it is. */
      readonly seller?: string | null
      /** The active keys that are to see it, too, and where. */
      readonly openTo?: OpenTo
    }
  | { readonly what: "delete product"; readonly id: string }
  | { readonly what: "save format"; readonly id: string; readonly body: unknown }
  | { readonly what: "delete format"; readonly id: string }

function edited({ products, formats }: CatalogueContents, edit: CatalogueEdit): CatalogueContents {
  const changed = (map: ReadonlyMap<string, unknown>) =>
    "body" in edit ? new Map([...map, [edit.id, edit.body]]) : new Map([...map].filter(([id]) => id !== edit.id))
  return edit.what.endsWith("product")
    ? { products: changed(products), formats }
    : { products, formats: changed(formats) }
}

/** Why an edit is refused: the object is invalid, or a stored one would refer to a missing format. */
export function problemsOfEdit(contents: CatalogueContents, edit: CatalogueEdit): readonly SchemaProblem[] {
  const after = edited(contents, edit)
  const own = catalogueFormats(after.formats)
  const problems = edit.what === "save product" ? checkProduct(edit.body, own, contents.products.get(edit.id)) : []
  if (edit.what === "save format" && edit.body !== null)
    problems.push(...checkFormat(edit.body, own, contents.formats.get(edit.id)))
  if (problems.length > 0) return problems
  return brokenReferences(after).map(({ sentence }) => ({ pointer: "", message: sentence }))
}

export function brokenReferences({ products, formats }: CatalogueContents) {
  const own = catalogueFormats(formats)
  const broken = (holder: string, refs: Iterable<[string, FormatRef]>) =>
    [...refs].flatMap(([pointer, ref]) =>
      checkRefs([[pointer, ref]], own).map(() => ({
        /** The format that is missing, or that does not accept the parameters of the reference. */
        formatId: ref.id,
        sentence: `is in use: ${holder} refers to the format "${ref.id}"`,
      })),
    )
  return [
    ...[...products].flatMap(([id, body]) => broken(`the product "${id}"`, refsOfProduct(body as Product))),
    ...[...own].flatMap(([id, body]) => broken(`the format "${id}"`, refsOfFormat(body as CreativeFormat))),
  ]
}
