import { eq } from "drizzle-orm"
import { BUILT_IN_FORMATS, withOperatorFormats } from "../../domain/adcp/catalogue/built-in.ts"
import { brokenRefs, checkFormat, checkProduct } from "../../domain/adcp/catalogue/check.ts"
import { COUNTRIES, EVERYWHERE, tidyTerritories } from "../../domain/adcp/catalogue/territory.ts"
import type { CreativeFormat } from "../../domain/adcp/schema/creative-format.ts"
import type { Product } from "../../domain/adcp/schema/product.ts"
import { readLabel } from "../../domain/api-key.ts"
import type { ImportedBuyerKey, ImportFile } from "../../domain/import-file.ts"
import type { Problem } from "../../domain/schema/explain.ts"
import {
  type StoredFormats,
  saveFormat,
  saveOpening,
  saveProduct,
  storedFormats,
  storedProducts,
} from "../../storage/catalogue/catalogue.ts"
import { buyerKeys, changeBuyerKey } from "../../storage/keys.ts"
import { formatIdOf } from "../catalogue/formats.ts"
import { productIdOf } from "../catalogue/products.ts"
import { storeBuyerKey } from "../keys.ts"
import { addProblem, type Count, type Importing, isSound, organizationId, refuseRepeated } from "./importing.ts"

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
  for (const [i, body] of formats.entries()) addWithin(importing, `/formats/${i}`, checkFormat(body))
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
  for (const { formatId, problem } of brokenRefs({ products, formats: after })) {
    const [list, at] = changed.includes(formatId)
      ? ["formats", changed.indexOf(formatId)]
      : ["hidden_formats", hidden.indexOf(formatId)]
    if (at >= 0) addProblem(importing, `/${list}/${at}`, problem.message)
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

export interface ImportedKey {
  readonly id: string
  readonly label: string
  readonly prefix: string
  /** Only for a new key. It's shown once. */
  readonly key?: string
}

/** Creates buyer keys, and shows products to them. An active key with the same label stays. */
export async function importBuyerKeys(
  importing: Importing,
  entries: readonly ImportedBuyerKey[],
): Promise<readonly ImportedKey[]> {
  refuseRepeated(importing, "/agent_keys", entries, ({ label }) => [label, "label"])
  const active = (await buyerKeys(importing.tx)).filter(({ revokedAt }) => revokedAt === null)
  const products = new Set((await storedProducts(importing.tx)).map(({ id }) => id))
  const imported: ImportedKey[] = []
  for (const [i, entry] of entries.entries()) {
    const pointer = `/agent_keys/${i}`
    const read = readLabel(entry.label)
    if ("error" in read) addProblem(importing, `${pointer}/label`, read.error)
    const buyer = entry.buyer ?? null
    const buyerId = buyer === null ? null : organizationId(importing, buyer, `${pointer}/buyer`)
    checkOpenings(importing, entry, products, pointer)
    if (!isSound(importing) || "error" in read) continue
    const known = active.find(({ label }) => label === read.label)
    if (known !== undefined && entry.buyer !== undefined) await changeBuyerKey(importing.tx, known.id, { buyerId })
    const created = known ?? (await storeBuyerKey(importing.tx, { label: read.label, buyerId }, importing.at))
    await showProducts(importing, entry, created.id)
    imported.push({
      id: created.id,
      label: read.label,
      prefix: created.prefix,
      ...("key" in created && { key: created.key }),
    })
  }
  return imported
}

/** Products of an unsound file aren't stored, so they are only checked if nothing else is wrong. */
function checkOpenings(
  importing: Importing,
  { opened = [] }: ImportedBuyerKey,
  products: ReadonlySet<string>,
  pointer: string,
): void {
  const mayCheckProducts = isSound(importing)
  for (const [o, { product_id, territories }] of opened.entries()) {
    const at = `${pointer}/opened/${o}`
    if (mayCheckProducts && !products.has(product_id))
      addProblem(importing, `${at}/product_id`, `Unknown product "${product_id}".`)
    if (territories.length === 0) addProblem(importing, `${at}/territories`, 'Name a country, or "*" for everywhere.')
    for (const [t, code] of territories.entries())
      if (code !== EVERYWHERE && !COUNTRIES.has(code))
        addProblem(importing, `${at}/territories/${t}`, `"${code}" isn't the code of a country.`)
  }
}

async function showProducts({ tx }: Importing, { opened = [] }: ImportedBuyerKey, buyerKeyId: string): Promise<void> {
  for (const { product_id, territories } of opened)
    await saveOpening(tx, { buyerKeyId, productId: product_id, territories: tidyTerritories(territories) })
}
