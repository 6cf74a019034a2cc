import { catalogueFormats } from "../../../src/domain/adcp/catalogue/built-in/index.ts"
import type { Product } from "../../../src/domain/adcp/schema/product/product.ts"
import { getProducts } from "../../../src/domain/adcp/tools/get-products.ts"
import { prepareView, type View } from "../../../src/domain/adcp/visibility.ts"
import type { Opening } from "../../../src/domain/keys/opening.ts"
import { type Json, payloadOf } from "./schema/answers.ts"
import { agentUrl, plainProduct } from "./schema/documents.ts"

/** The day on which these tests read briefs. */
export const TODAY = "2026-11-16"
const NOW = Date.parse(TODAY) * 1_000

export const own = catalogueFormats(new Map())

export function givenProduct(product_id: string, fields: Record<string, unknown> = {}): Product {
  return { ...structuredClone(plainProduct), product_id, ...fields } as unknown as Product
}

/** A caller to whom each of these products is opened, everywhere unless said otherwise. */
export function givenView(products: Product[], opened: Record<string, string[]> = {}, caller = "key-1"): View {
  const openings: Opening[] = products.map(({ product_id }) => ({
    productId: product_id,
    territories: opened[product_id] ?? ["*"],
  }))
  return prepareView({ caller, agentUrl, own, products, openings, now: NOW })
}

/** The payload of get_products, checked against the official schema. */
export function ask(view: View, args: Record<string, unknown>): Json {
  return payloadOf("get_products", getProducts(view, args))
}

export const idsIn = (payload: Json): string[] => payload.products.map((product: Json) => product.product_id)
