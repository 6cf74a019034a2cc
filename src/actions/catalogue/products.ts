import { withOperatorFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { checkProduct } from "../../domain/adcp/catalogue/check.ts"
import { digestOf } from "../../domain/adcp/digest.ts"
import type { Product } from "../../domain/adcp/schema/product.ts"
import type { Opening } from "../../domain/adcp/view.ts"
import { isObject, type Problem } from "../../domain/schema/explain.ts"
import { addAuditEntry } from "../../storage/audit.ts"
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
import type { ReadTx, Tx } from "../../storage/database.ts"
import { buyerKeyById } from "../../storage/keys.ts"
import type { Actor, Context } from "../context.ts"

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

/** Everything that is wrong with a product, without saving it. */
const problemsOfProduct = async (read: ReadTx, product: unknown): Promise<Problem[]> =>
  checkProduct(product, withOperatorFormats(await storedFormats(read)))

/** Adds a product. Its ID must be new. */
export async function addProduct(context: Context, actor: Actor, edit: ProductEdit): Promise<Saved> {
  return saveChecked<never>(context, actor, edit, (existing) => {
    if (existing === null) return null
    return [{ pointer: "/product_id", message: "another product has this product_id", keyword: "rule" }]
  })
}

/** Saves a product. "changed" if it isn't the version that the form began with, "not found" if it was deleted. */
export async function changeProduct(
  context: Context,
  actor: Actor,
  edit: ProductEdit,
  version: string,
): Promise<Saved | "changed" | "not found"> {
  return saveChecked(context, actor, edit, (existing) => {
    if (existing === null) return "not found"
    return productVersion(existing) === version ? null : "changed"
  })
}

/** Checks and saves a product in one transaction, unless `refuse` has a reason against it. */
async function saveChecked<Refusal extends string>(
  { database, clock }: Context,
  actor: Actor,
  { product, sellerId }: ProductEdit,
  refuse: (existing: StoredProduct | null) => Refusal | readonly Problem[] | null,
): Promise<Saved | Refusal> {
  return database.transact(async (tx) => {
    const problems = await problemsOfProduct(tx, product)
    if (problems.length > 0) return { problems }
    const id = productIdOf(product)
    const refusal = refuse(await productById(tx, id))
    if (refusal !== null) return typeof refusal === "string" ? refusal : { problems: refusal }
    const at = clock()
    await saveProduct(tx, { id, product: product as Product, sellerId }, at)
    await addAuditEntry(tx, { at, actor, organizationId: sellerId, text: `saved the product ${id}` })
    return { saved: true }
  })
}

export const productIdOf = (product: unknown): string => (isObject(product) ? String(product["product_id"]) : "")

/** Deletes a product, and hides it from all keys. False if it doesn't exist. */
export async function deleteProduct({ database, clock }: Context, actor: Actor, productId: string): Promise<boolean> {
  return database.transact(async (tx) => {
    const stored = await productById(tx, productId)
    if (stored === null || !(await deleteStoredProduct(tx, productId))) return false
    const text = `deleted the product ${productId}`
    await addAuditEntry(tx, { at: clock(), actor, organizationId: stored.sellerId, text })
    return true
  })
}

/** Shows a product to a key in these territories. Without territories, it hides it. False if the key or the product is gone. */
export async function showProduct(
  context: Context,
  actor: Actor,
  buyerKeyId: string,
  { productId, territories }: Opening,
): Promise<boolean> {
  return context.database.transact(async (tx) => {
    const product = await productById(tx, productId)
    return product !== null && (await show(tx, context, actor, product, { buyerKeyId, productId, territories }))
  })
}

/** Differs whenever the product is shown to other keys or in other territories. */
export const openingsVersion = (openings: readonly KeyOpening[]): string => digestOf(JSON.stringify(openings))

/** Changes for several keys at once where a product is shown. */
export async function changeOpenings(
  context: Context,
  actor: Actor,
  productId: string,
  changes: readonly Omit<KeyOpening, "productId">[],
  version: string,
): Promise<"saved" | "changed" | "not found"> {
  return context.database.transact(async (tx) => {
    const product = await productById(tx, productId)
    if (product === null) return "not found"
    if (openingsVersion(await openingsOfProduct(tx, productId)) !== version) return "changed"
    for (const change of changes) await show(tx, context, actor, product, { ...change, productId })
    return "saved"
  })
}

async function show(tx: Tx, { clock }: Context, actor: Actor, product: StoredProduct, opening: KeyOpening) {
  const { buyerKeyId, productId, territories } = opening
  const key = await buyerKeyById(tx, buyerKeyId)
  if (key === null || key.revokedAt !== null) return false
  await saveOpening(tx, opening)
  const text =
    territories.length === 0
      ? `hid the product ${productId} from the buyer key ${key.prefix}`
      : `showed the product ${productId} to the buyer key ${key.prefix} in ${territories.join(", ")}`
  await addAuditEntry(tx, { at: clock(), actor, organizationId: product.sellerId, text })
  return true
}
