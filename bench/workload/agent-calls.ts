import type { BenchRequest } from "../load/requests-file.ts"
import { BRIEF } from "./products.ts"

export function listCreativeFormats(): BenchRequest {
  return toolCall("list_creative_formats", {})
}

export function getProducts(key?: string, brief = BRIEF): BenchRequest {
  return toolCall("get_products", { buying_mode: "brief", brief }, key)
}

/** Asks for one product by its identifier. */
export function refineProduct(id: string, key?: string): BenchRequest {
  const refine = [{ scope: "product", product_id: id, action: "include" }]
  return toolCall("get_products", { buying_mode: "refine", refine }, key)
}

function toolCall(name: string, given: object, key?: string): BenchRequest {
  return {
    path: "/",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
  }
}
