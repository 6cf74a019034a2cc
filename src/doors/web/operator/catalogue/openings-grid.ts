import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import type { PersonVisit } from "../../visit.ts"
import type { AgentKeyRow } from "../agent-keys.tsx"

// Keeps the page small; the rest is on the next pages or found with the filter.
const PRODUCTS_SHOWN = 30
export const KEYS_SHOWN = 6

/** One page of the table of products and keys. */
export interface Grid {
  readonly revision: number
  readonly keys: readonly AgentKeyRow[]
  readonly allKeys: readonly AgentKeyRow[]
  readonly products: readonly { readonly id: string; readonly name: string }[]
  readonly hasProducts: boolean
  readonly page: number
  readonly isLast: boolean
  readonly key: string
  readonly text: string
}

export async function gridOf({ context: { store }, url }: PersonVisit): Promise<Grid> {
  const [contents, listed] = await Promise.all([store.catalogue.contents(), store.agentKeys.list()])
  const allKeys = listed.filter(({ revokedAt }) => revokedAt === null)
  const key = url.searchParams.get("key") ?? ""
  const text = (url.searchParams.get("text") ?? "").trim()
  const wanted = text.toLowerCase()
  const all = [...contents.products].map(([id, body]) => ({ id, name: (body as Product).name }))
  const matching = all.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted))
  const number = Math.max(1, Number.parseInt(url.searchParams.get("page") ?? "1", 10) || 1)
  const first = (number - 1) * PRODUCTS_SHOWN
  return {
    revision: contents.revision,
    keys: key === "" ? allKeys.slice(0, KEYS_SHOWN) : allKeys.filter(({ id }) => id === key),
    allKeys,
    products: matching.slice(first, first + PRODUCTS_SHOWN),
    hasProducts: all.length > 0,
    page: number,
    isLast: first + PRODUCTS_SHOWN >= matching.length,
    key,
    text,
  }
}

export const cellName = (keyId: string, productId: string) => `open:${keyId}:${productId}`

export function territoriesOf({ openings }: AgentKeyRow, productId: string): string {
  return openings.find((opening) => opening.productId === productId)?.territories.join(", ") ?? ""
}
