import { eq } from "drizzle-orm"
import { BUILT_IN_FORMATS, withOperatorFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { checkFormat } from "../../domain/adcp/catalogue/check-format.ts"
import { checkProduct } from "../../domain/adcp/catalogue/check-product.ts"
import { brokenRefs } from "../../domain/adcp/catalogue/edit.ts"
import type { CreativeFormat } from "../../domain/adcp/schema/creative-format.ts"
import type { Product } from "../../domain/adcp/schema/product.ts"
import type { ImportFile } from "../../domain/import/import-file.ts"
import type { Problem } from "../../domain/schema/problem.ts"
import {
  type StoredFormats,
  saveFormat,
  saveProduct,
  storedFormats,
  storedProducts,
} from "../../storage/catalogue/catalogue.ts"
import {
  addProblem,
  type Count,
  formatIdOf,
  type Importing,
  isSound,
  organizationId,
  productIdOf,
  refuseRepeated,
} from "./importing.ts"

type Formats = Pick<ImportFile, "formats" | "hidden_formats">

/** Saves the operator's formats, and hides built-in ones. Returns all formats as they are afterwards. */
export async function importFormats(
  importing: Importing,
  { formats = [], hidden_formats: hidden = [] }: Formats,
): Promise<Count & { readonly after: StoredFormats }> {
  const { tx, at } = importing
  const before = await storedFormats(tx)
  refuseRepeated(importing, "/formats", formats, (body) => [formatIdOf(body), "format_id/id"])
  const after = new Map(before)
  for (const id of hidden) after.set(id, null)
  // They were not checked yet, but they may refer to each other.
  for (const body of formats) after.set(formatIdOf(body), body as CreativeFormat)
  const own = withOperatorFormats(after)
  for (const [i, body] of formats.entries()) addWithin(importing, `/formats/${i}`, checkFormat(body, own))
  for (const [i, id] of hidden.entries())
    if (!before.has(id) && !BUILT_IN_FORMATS.has(id))
      addProblem(importing, `/hidden_formats/${i}`, `Unknown format "${id}".`)
  const ids = [...formats.map(formatIdOf), ...hidden]
  if (isSound(importing)) for (const id of ids) await saveFormat(tx, id, after.get(id) ?? null, at)
  const created = ids.filter((id) => !before.has(id)).length
  return { created, updated: ids.length - created, after }
}

/** Saves products, and which organizations sell them. */
export async function importProducts(
  importing: Importing,
  { products = [], product_sellers: sellers = [], ...file }: ImportFile,
  formats: StoredFormats,
): Promise<Count> {
  const { tx, at } = importing
  const stored = await storedProducts(tx)
  const before = new Map(stored.map((product) => [product.id, product]))
  refuseRepeated(importing, "/products", products, (body) => [productIdOf(body), "product_id"])
  refuseRepeated(importing, "/product_sellers", sellers, ({ product_id }) => [product_id, "product_id"])
  const own = withOperatorFormats(formats)
  for (const [i, body] of products.entries()) {
    addWithin(importing, `/products/${i}`, checkProduct(body, own))
    if (!isSound(importing)) continue
    const id = productIdOf(body)
    // It was checked against the schema of a product.
    await saveProduct(tx, { id, product: body as Product, sellerId: before.get(id)?.sellerId ?? null }, at)
  }
  const replaced = new Set(products.map(productIdOf))
  const kept = new Map(stored.filter(({ id }) => !replaced.has(id)).map(({ id, product }) => [id, product]))
  refuseBroken(importing, file, kept, formats)
  await importSellers(importing, sellers, new Set([...before.keys(), ...replaced]))
  const created = [...replaced].filter((id) => !before.has(id)).length
  return { created, updated: products.length - created }
}

/** A file must not hide or change a format that a stored product needs. */
function refuseBroken(
  importing: Importing,
  { formats = [], hidden_formats: hidden = [] }: Formats,
  products: ReadonlyMap<string, Product>,
  after: StoredFormats,
): void {
  if (!isSound(importing)) return
  const changed = formats.map(formatIdOf)
  for (const { formatId, message } of brokenRefs({ products, formats: after })) {
    const [list, at] = changed.includes(formatId)
      ? ["formats", changed.indexOf(formatId)]
      : ["hidden_formats", hidden.indexOf(formatId)]
    if (at >= 0) addProblem(importing, `/${list}/${at}`, message)
  }
}

async function importSellers(
  importing: Importing,
  entries: NonNullable<ImportFile["product_sellers"]>,
  products: ReadonlySet<string>,
): Promise<void> {
  const { tx } = importing
  for (const [i, { product_id, seller }] of entries.entries()) {
    const at = `/product_sellers/${i}`
    if (!products.has(product_id)) addProblem(importing, `${at}/product_id`, `Unknown product "${product_id}".`)
    const sellerId = seller === null ? null : organizationId(importing, seller, `${at}/seller`)
    if (isSound(importing)) await tx.db.update(tx.product).set({ sellerId }).where(eq(tx.product.productId, product_id))
  }
}

function addWithin({ problems }: Importing, pointer: string, found: readonly Problem[]): void {
  for (const problem of found) problems.push({ ...problem, pointer: pointer + problem.pointer })
}
