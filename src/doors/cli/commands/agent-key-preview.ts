import type { Command } from "commander"
import { previewAgentKey } from "../../../actions/keys/preview-agent-key.ts"
import type { PricingOption } from "../../../domain/adcp/schema/product/pricing-option.ts"
import type { Product } from "../../../domain/adcp/schema/product/product.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { print, table } from "../io.ts"
import { noAgentKey } from "../keys.ts"

export function addPreview(key: Command, context: CliContext): void {
  withData(key.command("preview"))
    .description("show what a key sees, as its agent gets it")
    .argument("<ID_OR_PREFIX>", "as shown by agent-key list")
    .option("--brief <TEXT>", "rank the products by this brief")
    .action(async (idOrPrefix: string, options: CommonOptions & { brief?: string }) => {
      const log = { error: (event: string, cause: unknown) => context.io.err(`${event}: ${String(cause)}\n`) }
      const preview = await onStore(context, options, (on) =>
        previewAgentKey({ ...on, log }, idOrPrefix, options.brief),
      )
      if (preview === null) throw noAgentKey(idOrPrefix)
      print(context.io, options, preview, asText(preview.label, preview.products))
    })
}

function asText(label: string, products: readonly Product[]): string {
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
