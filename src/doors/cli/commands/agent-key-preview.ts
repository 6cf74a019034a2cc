import type { Command } from "commander"
import { type MissingProduct, type PreviewQuestion, previewAgentKey } from "../../../actions/keys/preview-agent-key.ts"
import type { PricingOption } from "../../../domain/adcp/schema/product/pricing-option.ts"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { jsonObjectOf } from "../../../domain/text/json-object.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { print, table } from "../io.ts"
import { noAgentKey } from "../keys.ts"

export function addPreview(key: Command, context: CliContext): void {
  withData(key.command("preview"))
    .description("show what a key sees, as its agent gets it")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .option("--brief <TEXT>", "rank the products by this brief")
    .option("--filters <JSON>", 'filters of get_products, such as \'{"countries":["DE"]}\'')
    .option("--missing", "list the other products too, with the reason that each is missing")
    .action(async (idOrPrefix: string, options: PreviewOptions) => {
      const log = { error: (event: string, cause: unknown) => context.io.err(`${event}: ${String(cause)}\n`) }
      const question = questionOf(options)
      const preview = await onStore(context, options, (on) => previewAgentKey({ ...on, log }, idOrPrefix, question))
      if (preview === null) throw noAgentKey(idOrPrefix)
      if (preview.error !== undefined) throw new UserError(preview.error)
      const { id, label } = preview
      const products = preview.products.slice(0)
      const missing = options.missing === true ? { missing: preview.missing.slice(0) } : {}
      print(
        context.io,
        options,
        { id, label, products, ...missing },
        asText(label, options, products, missing.missing ?? []),
      )
    })
}

interface PreviewOptions extends CommonOptions {
  readonly brief?: string
  readonly filters?: string
  readonly missing?: boolean
}

function questionOf({ brief, filters }: PreviewOptions): PreviewQuestion {
  if (filters === undefined) return { brief }
  const read = jsonObjectOf(filters)
  if (read === undefined) throw new UserError('--filters must be a JSON object, such as {"countries":["DE"]}.')
  return { brief, filters: read }
}

function asText(
  label: string,
  { filters }: PreviewOptions,
  products: readonly Product[],
  missing: readonly MissingProduct[],
): string {
  const others = missing.map(({ id, name, why }) => [id, name, why])
  const listed = others.length === 0 ? "" : `\n${table(["MISSING", "NAME", "WHY"], others)}`
  const isFilteredOut = filters !== undefined && products.length === 0
  return `${isFilteredOut ? `No product that ${label} sees matches.\n` : seenText(label, products)}${listed}`
}

function seenText(label: string, products: readonly Product[]): string {
  if (products.length === 0) {
    return `${label} sees no products yet. Open one: adbooth agent-key open ID_OR_PREFIX PRODUCT_ID --territories DE,AT\n`
  }
  const withReason = products.some((product) => product.brief_relevance !== undefined)
  const header = ["PRODUCT", "NAME", "TERRITORIES", "PRICES", ...(withReason ? ["WHY"] : [])]
  const rows = products.map((product) => [
    product.product_id,
    product.name,
    territoriesOf(product).join(","),
    product.pricing_options.map(priceOf).join(", "),
    ...(withReason ? [product.brief_relevance ?? ""] : []),
  ])
  return table(header, rows)
}

function territoriesOf({ ext }: Product): readonly string[] {
  return (ext as { adbooth: { territories: readonly string[] } }).adbooth.territories
}

function priceOf(option: PricingOption): string {
  const floor = "floor_price" in option ? option.floor_price : undefined
  const price = option.fixed_price === undefined ? `from ${floor}` : String(option.fixed_price)
  return `${option.pricing_model} ${price} ${option.currency}`
}
