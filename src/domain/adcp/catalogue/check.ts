import { Value } from "@sinclair/typebox/value"
import type { Errors } from "../../errors.ts"
import { explain, isObject, type Problem, pathOf } from "../../schema/explain.ts"
import { CreativeFormat, canonicalUrl, type ProductFormatRef } from "../schema/creative-format.ts"
import { Product } from "../schema/product.ts"
import { withOperatorFormats } from "./built-in.ts"
import { type OwnFormats, unacceptedParameters } from "./format-options.ts"

const broken = (pointer: string, message: string, keyword = "rule"): Problem => ({ pointer, message, keyword })

/** Everything that is wrong with a product. If the list is empty, the product may be saved and shown. */
export function checkProduct(value: unknown, own: OwnFormats): Problem[] {
  const problems = explain(Product, value)
  if (!isObject(value) || problems.some(({ pointer }) => pointer.startsWith("/format_ids"))) return problems
  const refs = value["format_ids"] as Product["format_ids"]
  return [...problems, ...refs.flatMap((ref, i) => checkRef(ref, `/format_ids/${i}`, own))]
}

/**
 * Whether a stored product can be shown. It was checked when it was saved, but the database may have been edited by
 * hand.
 */
export const isValidProduct = (value: unknown, own: OwnFormats): value is Product =>
  Value.Check(Product, value) && value.format_ids.every((ref) => problemsOfRef(ref, own).length === 0)

/** A product that was copied from an answer names our own formats with our agent_url. Without it, they're checked. */
export function withOwnFormats<Value>(product: Value, agentUrl: string): Value {
  if (!isObject(product) || !Array.isArray(product["format_ids"])) return product
  const own = canonicalUrl(agentUrl)
  const format_ids = product["format_ids"].map((ref: unknown) => {
    if (!isObject(ref) || typeof ref["agent_url"] !== "string" || canonicalUrl(ref["agent_url"]) !== own) return ref
    const { agent_url: _, ...rest } = ref
    return rest
  })
  return { ...product, format_ids }
}

function checkRef(ref: ProductFormatRef, pointer: string, own: OwnFormats): Problem[] {
  const problems = problemsOfRef(ref, own).map((what) => broken(pointer, `${pathOf(pointer)}: ${what}`))
  if (ref.agent_url !== undefined || ref.format_kind === undefined) return problems
  const known = `${pathOf(pointer)}: leave out format_kind, because this server knows the kind of its own formats`
  return [...problems, broken(`${pointer}/format_kind`, known)]
}

/** A reference without agent_url must name one of our formats, so that buyers can look up every format. */
function problemsOfRef(ref: ProductFormatRef, own: OwnFormats): string[] {
  if (ref.agent_url !== undefined) return []
  const format = own.get(ref.id)
  if (format === undefined) return [`"${ref.id}" isn't a format of this catalog`]
  const agent = format.format_id.agent_url
  if (agent !== undefined) return [`"${ref.id}" is a format of ${agent}, so add that agent_url`]
  return unacceptedParameters(ref, format).map((name) => `the format "${ref.id}" doesn't accept ${name}`)
}

/** Everything that is wrong with a format. */
export function checkFormat(value: unknown): Problem[] {
  const problems = explain(CreativeFormat, value)
  if (problems.length > 0) return problems
  return checkTemplate(value as CreativeFormat)
}

export const isValidFormat = (value: unknown): value is CreativeFormat => Value.Check(CreativeFormat, value)

/** A render can take its size from the format_id only if the format accepts dimensions. */
function checkTemplate({ renders = [], accepts_parameters: parameters = [] }: CreativeFormat): Problem[] {
  return renders.flatMap((render, i) => {
    if (render.parameters_from_format_id === undefined || parameters.includes("dimensions")) return []
    const message = `renders[${i}] takes its size from the format_id, so accepts_parameters must include dimensions`
    return [broken(`/renders/${i}/parameters_from_format_id`, message)]
  })
}

/** The part of a document that a field of its form is about. */
export type FieldPointer = readonly [pointer: string, field: string]

/** The problems of a document by field of its form. The field "" is the form as a whole. */
export function errorsByField(problems: readonly Problem[], fields: readonly FieldPointer[]): Errors {
  const errors: Record<string, string> = {}
  for (const { pointer, message } of problems) {
    const field = fields.find(([start]) => `${pointer}/`.startsWith(`${start}/`))?.[1] ?? ""
    errors[field] ??= `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  }
  return errors
}

/** The operator's products and formats, by ID. A format that is null hides the built-in one. */
export interface StoredCatalogue {
  readonly products: ReadonlyMap<string, Product>
  readonly formats: ReadonlyMap<string, CreativeFormat | null>
}

/** A reference to a format that is missing, or that doesn't take its parameters. */
interface BrokenRef {
  readonly formatId: string
  readonly problem: Problem
}

/** The references that break if the catalog becomes this one. */
export function brokenRefs({ products, formats }: StoredCatalogue): BrokenRef[] {
  const own = withOperatorFormats(formats)
  return [...products].flatMap(([id, { format_ids = [] }]: [string, Partial<Product>]) =>
    format_ids
      .filter((ref) => problemsOfRef(ref, own).length > 0)
      .map((ref) => ({
        formatId: ref.id,
        problem: broken("", `is in use: the product "${id}" refers to the format "${ref.id}"`),
      })),
  )
}
