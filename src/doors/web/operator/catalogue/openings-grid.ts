import type { Product } from "../../../../domain/adcp/schema/product/product.ts"
import { nextTurn } from "../../../../domain/event-loop.ts"
import { EVERYWHERE } from "../../../../domain/keys/opening.ts"
import type { ListedAgentKey } from "../../../../storage/port/store.ts"
import type { PersonVisit } from "../../visit.ts"
import { pricesOf } from "./prices.tsx"
import { capitalized, spoken } from "./words.ts"

// Keeps the page small; the rest is on the next pages or found with the filter.
const PRODUCTS_SHOWN = 30
export const KEYS_SHOWN = 6

interface GridProduct {
  readonly id: string
  readonly name: string
  /** Channels and prices, in a few words. */
  readonly about: string
}

/** One page of the table of products and keys. */
export interface Grid {
  readonly revision: number
  readonly keys: readonly ListedAgentKey[]
  readonly allKeys: readonly ListedAgentKey[]
  readonly products: readonly GridProduct[]
  /** How many products match the filters. */
  readonly matching: number
  /** Every country in which anything is open. */
  readonly countries: readonly string[]
  readonly hasProducts: boolean
  readonly page: number
  readonly isLast: boolean
  readonly filter: GridFilter
}

export interface GridFilter {
  readonly text: string
  readonly key: string
  readonly country: string
  /** Only products that are open to nobody. */
  readonly unseen: boolean
}

export const isFiltered = ({ text, key, country, unseen }: GridFilter): boolean =>
  text !== "" || key !== "" || country !== "" || unseen

export async function gridOf({ context: { store }, url: { searchParams } }: PersonVisit): Promise<Grid> {
  const contents = await store.catalogue.contents()
  await nextTurn()
  const listed = await store.agentKeys.list()
  const allKeys = listed.filter(({ revokedAt }) => revokedAt === null)
  const asked = (name: string) => (searchParams.get(name) ?? "").trim()
  const filter = { text: asked("text"), key: asked("key"), country: asked("country"), unseen: asked("unseen") !== "" }
  const all = [...contents.products].map(([id, body]) => ({ id, product: body as Product }))
  const isOpenAsAsked = openAsAsked(filter, allKeys)
  const text = filter.text.toLowerCase()
  const matching = all.filter(
    ({ id, product }) => `${id} ${product.name}`.toLowerCase().includes(text) && isOpenAsAsked(id),
  )
  const number = Math.max(1, Number.parseInt(searchParams.get("page") ?? "1", 10) || 1)
  const first = (number - 1) * PRODUCTS_SHOWN
  return {
    revision: contents.revision,
    keys: filter.key === "" ? allKeys.slice(0, KEYS_SHOWN) : allKeys.filter(({ id }) => id === filter.key),
    allKeys,
    products: matching
      .slice(first, first + PRODUCTS_SHOWN)
      .map(({ id, product }) => ({ id, name: product.name, about: aboutProduct(product) })),
    matching: matching.length,
    countries: countriesOf(allKeys),
    hasProducts: all.length > 0,
    page: number,
    isLast: first + PRODUCTS_SHOWN >= matching.length,
    filter,
  }
}

/** Whether a product is open as the filter asks: looks once at every opening, not for every product. */
function openAsAsked(filter: GridFilter, keys: readonly ListedAgentKey[]): (productId: string) => boolean {
  const seen = new Set<string>()
  const openThere = new Set<string>()
  for (const key of keys) {
    const isAsked = filter.key === "" || key.id === filter.key
    for (const { productId, territories } of key.openings) {
      if (territories.length > 0) seen.add(productId)
      if (isAsked && (territories.includes(filter.country) || territories.includes(EVERYWHERE)))
        openThere.add(productId)
    }
  }
  return (id) => !(filter.unseen && seen.has(id)) && (filter.country === "" || openThere.has(id))
}

function countriesOf(keys: readonly ListedAgentKey[]): string[] {
  const all = keys.flatMap(({ openings }) => openings.flatMap(({ territories }) => territories))
  return [...new Set(all)].filter((code) => code !== EVERYWHERE).sort()
}

function aboutProduct(product: Product): string {
  const channels = (product.channels ?? []).map(spoken).join(", ")
  return [capitalized(channels), pricesOf(product)].filter((text) => text !== "").join(" · ")
}

export const cellName = (keyId: string, productId: string) => `open:${keyId}:${productId}`

export function territoriesOf({ openings }: ListedAgentKey, productId: string): readonly string[] {
  return openings.find((opening) => opening.productId === productId)?.territories ?? []
}
