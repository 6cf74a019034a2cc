import { isObject } from "../../schema/batch.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { type FormatRef, resolveRef, uniqueRefs } from "../schema/format/format-id.ts"
import type { Product } from "../schema/product/product.ts"
import type { OwnFormats } from "./check.ts"
import { formatOptions } from "./format-options.ts"
import { changeRefsOfFormat, changeRefsOfProduct } from "./refs.ts"
import { openedForecast, territorySentence } from "./territory.ts"

/** The public form of a format: our own references get this agent's address. */
export function emitFormat(format: CreativeFormat, agentUrl: string): CreativeFormat {
  const address = (ref: FormatRef) => resolveRef(ref, agentUrl)
  return { ...changeRefsOfFormat(format, address), format_id: address(format.format_id) }
}

/** The product as one key sees it: our own formats get this agent's address, and only opened territories appear. */
export function emitProduct(product: Product, territories: readonly string[], own: OwnFormats, agentUrl: string) {
  const addressed = changeRefsOfProduct(product, (ref) => resolveRef(ref, agentUrl))
  // A stored brief_relevance does not belong to this caller's brief.
  const { brief_relevance: _, forecast: __, ext: ___, ...rest } = addressed
  const forecast = openedForecast(product.forecast, territories)
  return {
    ...rest,
    description: describe(product.description, territories),
    ...formatsOf(addressed, own, agentUrl),
    ...(forecast ? { forecast } : {}),
    ext: withTerritories(product.ext, territories),
  }
}

function describe(description: string, territories: readonly string[]): string {
  const text = description.trimEnd()
  const end = /[.!?…]$/.test(text) ? "" : "."
  return `${text}${end} ${territorySentence(territories)}`
}

/** A link and matches are said with an answer: those of another one, copied into a file, are not repeated. */
function withTerritories(ext: Product["ext"], territories: readonly string[]) {
  const { adbooth: ours, ...given } = (ext ?? {}) as Record<string, unknown>
  const { order_url: _, matches: __, ...own } = isObject(ours) ? ours : {}
  return { ...given, adbooth: { ...own, territories: [...territories].sort() } }
}

/**
 * Formats by reference, and the same as options. Options that an earlier version stored are shown as they are, and those that they are linked
 * with are named.
 */
function formatsOf(product: Product, own: OwnFormats, agentUrl: string) {
  const { format_ids = [], format_options = [] } = product as StoredProduct
  const refs = uniqueRefs([...format_ids, ...format_options.flatMap((option) => option.v1_format_ref ?? [])], agentUrl)
  if (refs.length === 0) return {}
  const options = format_options.length > 0 ? undefined : formatOptions(refs, own, agentUrl)
  return { format_ids: refs, ...(options !== undefined && { format_options: options }) }
}

type StoredProduct = Product & {
  readonly format_options?: readonly { readonly v1_format_ref?: readonly FormatRef[] }[]
}
