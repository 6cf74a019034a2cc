import { builtInFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { ownFormats } from "../../domain/adcp/catalogue/check.ts"
import { refsOfProduct } from "../../domain/adcp/catalogue/refs.ts"
import type { CreativeFormat } from "../../domain/adcp/schema/format/creative-format.ts"
import type { Product } from "../../domain/adcp/schema/product/product.ts"
import type { Context } from "../context.ts"

export interface ListedFormat {
  readonly id: string
  readonly name: string
  readonly format: CreativeFormat
  /** replaced: the operator's version of a built-in format; hidden: not offered; own: the operator's. */
  readonly state: "built-in" | "replaced" | "hidden" | "own"
  readonly usedBy: readonly UsingProduct[]
}

type UsingProduct = Readonly<{ id: string; name: string }>

/** Every format of the installation, including hidden ones, sorted by id. */
export async function listFormats({ store }: Pick<Context, "store">): Promise<ListedFormat[]> {
  const { formats, products } = await store.catalogue.contents()
  const builtIn = ownFormats(builtInFormats)
  const users = usersOf(products)
  const ids = [...new Set([...builtIn.keys(), ...formats.keys()])].sort()
  return ids.flatMap((id): ListedFormat[] => {
    const stored = formats.get(id)
    const original = builtIn.get(id)
    const format = (stored ?? original) as CreativeFormat | undefined
    if (format === undefined) return []
    const state = !formats.has(id) ? "built-in" : stored === null ? "hidden" : original ? "replaced" : "own"
    return [{ id, name: format.name, format, state, usedBy: users.get(id) ?? [] }]
  })
}

function usersOf(products: ReadonlyMap<string, unknown>): Map<string, UsingProduct[]> {
  const users = new Map<string, UsingProduct[]>()
  for (const [productId, body] of products) {
    const named = refsOfProduct(body as Product).flatMap(([, ref]) => (ref.agent_url === undefined ? [ref.id] : []))
    for (const id of new Set(named)) {
      const existing = users.get(id) ?? []
      existing.push({ id: productId, name: (body as Product).name })
      users.set(id, existing)
    }
  }
  return users
}
