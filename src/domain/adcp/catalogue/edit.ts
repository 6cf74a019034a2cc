import type { Problem } from "../../schema/problem.ts"
import type { CreativeFormat } from "../schema/creative-format.ts"
import type { Product } from "../schema/product.ts"
import { withOperatorFormats } from "./built-in/index.ts"
import { checkRefs, type PlacedRef, refsOfFormat, refsOfProduct } from "./references.ts"

/** The operator's products and formats, by ID. A format that is null hides the built-in one. */
export interface StoredCatalogue {
  readonly products: ReadonlyMap<string, Product>
  readonly formats: ReadonlyMap<string, CreativeFormat | null>
}

/** A reference to a format that is missing, or that doesn't take its parameters. */
export interface BrokenRef {
  readonly formatId: string
  readonly message: string
}

/** The references that break if the catalog becomes this one. */
export function brokenRefs({ products, formats }: StoredCatalogue): BrokenRef[] {
  const own = withOperatorFormats(formats)
  const brokenIn = (holder: string, refs: readonly PlacedRef[]): BrokenRef[] =>
    refs.flatMap(([pointer, ref]) =>
      checkRefs([[pointer, ref]], own).length === 0
        ? []
        : [{ formatId: ref.id, message: `is in use: ${holder} refers to the format "${ref.id}"` }],
    )
  return [
    ...[...products].flatMap(([id, product]) => brokenIn(`the product "${id}"`, refsOfProduct(product))),
    ...[...own].flatMap(([id, format]) => brokenIn(`the format "${id}"`, refsOfFormat(format))),
  ]
}

/** Why a format can't be changed, replaced or removed like this. */
export const brokenProblems = (after: StoredCatalogue): Problem[] =>
  brokenRefs(after).map(({ message }) => ({ pointer: "", message, keyword: "rule" }))
