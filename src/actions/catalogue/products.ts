import { withOperatorFormats } from "../../domain/adcp/catalogue/built-in.ts"
import { checkProduct, withOwnFormats } from "../../domain/adcp/catalogue/check.ts"
import type { Product } from "../../domain/adcp/schema/product.ts"
import { digestOf } from "../../domain/adcp/text.ts"
import { isObject, type Problem } from "../../domain/schema/explain.ts"
import {
  deleteStoredProduct,
  type KeyOpening,
  openingsOfProduct,
  productById,
  type StoredProduct,
  saveOpening,
  saveProduct,
  storedFormats,
} from "../../storage/catalogue/catalogue.ts"
import { buyerKeyById } from "../../storage/keys.ts"
import { type Actor, type Context, change } from "../context.ts"
import { agentUrl } from "../mail.ts"

/** What a form shows and saves of a product. */
interface ProductEdit {
  /** The AdCP product. It may be wrong in any way. */
  readonly product: unknown
  readonly sellerId: number | null
}

export type Saved = { readonly saved: true } | { readonly problems: readonly Problem[] }

/** Differs after every change of the product. */
export const productVersion = (stored: StoredProduct): string =>
  digestOf(JSON.stringify(stored.product), String(stored.sellerId))

/**
 * Saves a product. `version` is the one that the form began with, and null for a new product. "changed" if the
 * product has changed since, "not found" if it was deleted.
 */
export async function changeProduct(
  context: Context,
  actor: Actor,
  { sellerId, ...edit }: ProductEdit,
  version: string | null,
): Promise<Saved | "changed" | "not found"> {
  const product = withOwnFormats(edit.product, agentUrl(context))
  return change(context, actor, async (tx, audit) => {
    const problems = checkProduct(product, withOperatorFormats(await storedFormats(tx)))
    if (problems.length > 0) return { problems }
    const id = productIdOf(product)
    const existing = await productById(tx, id)
    if (version === null && existing !== null) return { problems: [TAKEN] }
    if (version !== null && existing === null) return "not found"
    if (version !== null && existing !== null && productVersion(existing) !== version) return "changed"
    await saveProduct(tx, { id, product: product as Product, sellerId })
    await audit(sellerId, `saved the product ${id}`)
    return { saved: true }
  })
}

const TAKEN: Problem = { pointer: "/product_id", message: "another product has this product_id", keyword: "rule" }

export const productIdOf = (product: unknown): string => (isObject(product) ? String(product["product_id"] ?? "") : "")

/** Deletes a product, and hides it from all keys. False if it doesn't exist. */
export async function deleteProduct(context: Context, actor: Actor, productId: string): Promise<boolean> {
  return change(context, actor, async (tx, audit) => {
    const stored = await productById(tx, productId)
    if (stored === null || !(await deleteStoredProduct(tx, productId))) return false
    await audit(stored.sellerId, `deleted the product ${productId}`)
    return true
  })
}

/** Differs whenever the product is shown to other keys or in other territories. */
export const openingsVersion = (openings: readonly KeyOpening[]): string => digestOf(JSON.stringify(openings))

/** Changes where a product is shown to some keys. Without territories, it's hidden. Revoked keys stay as they are. */
export async function changeOpenings(
  context: Context,
  actor: Actor,
  productId: string,
  changes: readonly Omit<KeyOpening, "productId">[],
  version: string,
): Promise<"saved" | "changed" | "not found"> {
  return change(context, actor, async (tx, audit) => {
    const product = await productById(tx, productId)
    if (product === null) return "not found"
    if (openingsVersion(await openingsOfProduct(tx, productId)) !== version) return "changed"
    for (const { buyerKeyId, territories } of changes) {
      const key = await buyerKeyById(tx, buyerKeyId)
      if (key === null || key.revokedAt !== null) continue
      await saveOpening(tx, { buyerKeyId, productId, territories })
      const text =
        territories.length === 0
          ? `hid the product ${productId} from the buyer key ${key.prefix}`
          : `showed the product ${productId} to the buyer key ${key.prefix} in ${territories.join(", ")}`
      await audit(product.sellerId, text)
    }
    return "saved"
  })
}
