import { isObject } from "../../schema/batch.ts"
import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { type FormatRef, isOwnRef, refKey, resolveRef, uniqueRefs } from "../schema/format/format-id.ts"
import { type FormatOption, optionFrom } from "../schema/format/format-option.ts"
import type { Product } from "../schema/product/product.ts"
import type { OwnFormats } from "./check.ts"
import { changeRefsOfFormat, changeRefsOfProduct } from "./refs.ts"
import { openedForecast, territorySentence } from "./territory.ts"

/** The public form of a format: our own references get this agent's address. */
export function emitFormat(format: CreativeFormat, agentUrl: string): CreativeFormat {
  const address = (ref: FormatRef) => resolveRef(ref, agentUrl)
  return { ...changeRefsOfFormat(format, address), format_id: address(format.format_id) }
}

/**
 * The product as one key sees it: our own formats get this agent's address, formats are listed both as format_ids and as
 * format_options, and only opened territories appear.
 */
export function emitProduct(product: Product, territories: readonly string[], own: OwnFormats, agentUrl: string) {
  const addressed = changeRefsOfProduct(product, (ref) => resolveRef(ref, agentUrl))
  // A stored brief_relevance does not belong to this caller's brief.
  const { brief_relevance: _, forecast: __, ext: ___, ...rest } = addressed
  const forecast = openedForecast(product.forecast, territories)
  return {
    ...rest,
    description: describe(product.description, territories),
    ...bothForms(addressed, own, agentUrl),
    ...(forecast ? { forecast } : {}),
    ext: withTerritories(product.ext, territories),
  }
}

function describe(description: string, territories: readonly string[]): string {
  const text = description.trimEnd()
  const end = /[.!?…]$/.test(text) ? "" : "."
  return `${text}${end} ${territorySentence(territories)}`
}

/** Last of all: what each key sees of its own is written there, at the end of the product's JSON. */
function withTerritories(ext: Product["ext"], territories: readonly string[]) {
  const { adbooth: ours, ...given } = (ext ?? {}) as Record<string, unknown>
  return { ...given, adbooth: { ...(isObject(ours) && ours), territories: [...territories].sort() } }
}

/** Both lists have the same formats: each v1_format_ref is a format_id, each format_id has an option. */
function bothForms(product: Product, own: OwnFormats, agentUrl: string) {
  const stated = product.format_options ?? []
  const linked = stated.flatMap((option) => option.v1_format_ref ?? [])
  const refs = uniqueRefs([...(product.format_ids ?? []), ...linked], agentUrl)
  const linkedKeys = new Set(linked.map((ref) => refKey(ref, agentUrl)))
  const missing = refs.filter((ref) => !linkedKeys.has(refKey(ref, agentUrl)))
  const derived = missing.map((ref) => [ref, optionOf(ref, own, agentUrl)] as const)
  const format_options = [...linkStated(stated, derived), ...missingOptions(stated, derived)]
  return { ...(refs.length > 0 ? { format_ids: refs } : {}), ...(format_options.length > 0 ? { format_options } : {}) }
}

/** The option for a reference to one of our own formats of a known kind. */
function optionOf(ref: FormatRef, own: OwnFormats, agentUrl: string): FormatOption | undefined {
  const format = isOwnRef(ref, agentUrl) ? own.get(ref.id) : undefined
  return format && optionFrom(format, ref)
}

/** Whether an option without a link is the same format as a derived one: same kind and size. */
function isMeant(option: FormatOption, derived: FormatOption | undefined): boolean {
  if (option.v1_format_ref || option.canonical_formats_only || derived?.format_kind !== option.format_kind) return false
  const [stated, named] = [option.params, derived.params] as { width?: number; height?: number }[]
  return stated?.width === undefined || (stated.width === named?.width && stated.height === named?.height)
}

type Derived = readonly (readonly [FormatRef, FormatOption | undefined])[]

const linkStated = (stated: FormatOption[], derived: Derived): FormatOption[] =>
  stated.map((option) => {
    const links = derived.filter(([, each]) => isMeant(option, each)).map(([ref]) => ref)
    return links.length === 0 ? option : { ...option, v1_format_ref: links }
  })

/** Options for the remaining format_ids. All or none: a partial list would contradict the other one. */
function missingOptions(stated: FormatOption[], derived: Derived): FormatOption[] {
  const rest = derived.filter(([, each]) => !stated.some((option) => isMeant(option, each))).map(([, each]) => each)
  return rest.every((option) => option !== undefined) ? rest : []
}
