import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { formatMoney } from "../../parts/format.tsx"

const MODELS: Readonly<Record<string, string>> = { cpm: "CPM", vcpm: "vCPM", cpc: "CPC", cpcv: "CPCV", cpa: "CPA" }

/** Every price on one line: €24.00 CPM, from £11.00 CPC. */
export function pricesOf({ pricing_options }: Product): string {
  return pricing_options
    .map((option) => {
      const { currency, fixed_price, pricing_model } = option
      const floor = "floor_price" in option ? option.floor_price : undefined
      const price = fixed_price ?? floor
      const amount = price === undefined ? currency : formatMoney(price, currency)
      const model = MODELS[pricing_model] ?? pricing_model.replaceAll("_", " ")
      return `${fixed_price === undefined && floor !== undefined ? "from " : ""}${amount} ${model}`
    })
    .join(", ")
}
