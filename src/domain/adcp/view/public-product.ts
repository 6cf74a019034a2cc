import { isObject } from "../../schema/is-object.ts"
import { type FormatOption, formatOptions } from "../catalogue/format-option.ts"
import type { OwnFormats } from "../catalogue/references.ts"
import { forecastIn, territorySentence } from "../catalogue/territory.ts"
import { type PublicRef, publicRef, refKey } from "../schema/format-ref.ts"
import type { Product } from "../schema/product.ts"

/** A product as one key sees it. Links to order and matches are added with each answer. */
export interface PublicProduct extends Omit<Product, "format_ids" | "ext"> {
  readonly format_ids: readonly PublicRef[]
  readonly format_options: readonly FormatOption[]
  readonly ext: Readonly<Record<string, unknown>> & { readonly adbooth: object }
}

/** Only the territories that the product is shown in appear in it. */
export function publicProduct(
  product: Product,
  territories: readonly string[],
  own: OwnFormats,
  agentUrl: string,
): PublicProduct {
  const { forecast, placements, ...rest } = product
  const refs = [...new Map(product.format_ids.map((ref) => [refKey(ref, agentUrl), ref])).values()]
  const forecastHere = forecast === undefined ? null : forecastIn(forecast, territories)
  return {
    ...rest,
    description: describe(product.description, territories),
    format_ids: refs.map((ref) => publicRef(ref, agentUrl)),
    format_options: formatOptions(refs, own, agentUrl),
    ...(placements !== undefined && { placements: placements.map((each) => publicPlacement(each, agentUrl)) }),
    ...(forecastHere !== null && { forecast: forecastHere }),
    ext: publicExt(product, territories),
  }
}

function describe(description: string, territories: readonly string[]): string {
  const text = description.trimEnd()
  return `${text}${/[.!?…]$/.test(text) ? "" : "."} ${territorySentence(territories)}`
}

type Placement = NonNullable<Product["placements"]>[number]

const publicPlacement = (placement: Placement, agentUrl: string): Placement => ({
  ...placement,
  ...(placement.format_ids && { format_ids: placement.format_ids.map((ref) => publicRef(ref, agentUrl)) }),
})

/** A product that was copied from an answer may still have the link and the matches of that answer. */
function publicExt({ ext = {} }: Product, territories: readonly string[]): PublicProduct["ext"] {
  const { adbooth, ...others } = ext as Record<string, unknown>
  const { order_url: _, matches: __, ...own } = isObject(adbooth) ? adbooth : {}
  return { ...others, adbooth: { ...own, territories: [...territories].sort() } }
}
