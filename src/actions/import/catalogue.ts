import { eq } from "drizzle-orm"
import { BUILT_IN_FORMATS, withOperatorFormats } from "../../domain/adcp/catalogue/built-in.ts"
import { brokenRefs, checkFormat, checkProduct, type StoredCatalogue } from "../../domain/adcp/catalogue/check.ts"
import { isTerritory, tidyTerritories } from "../../domain/adcp/catalogue/territory.ts"
import type { CreativeFormat } from "../../domain/adcp/schema/creative-format.ts"
import type { Product } from "../../domain/adcp/schema/product.ts"
import { readLabel } from "../../domain/api-key.ts"
import type { ImportFile } from "../../domain/import-file.ts"
import type { Problem } from "../../domain/schema/explain.ts"
import {
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
import { addProblem, checkSlug, countOf, type Importing, idOf, refuseRepeated } from "./importing.ts"

/** Checks formats, products, and which organizations sell them. */
export async function checkCatalogue(importing: Importing, file: ImportFile) {
  const { formats = [], hidden_formats: hidden = [], products = [], product_sellers: sellers = [] } = file
  const { tx } = importing
  const stored = new Map((await storedProducts(tx)).map((product) => [product.id, product]))
  const before = await storedFormats(tx)
  // They aren't checked yet, but they may refer to each other.
  const saved = formats.map((body) => [formatIdOf(body), body as CreativeFormat] as const)
  const changes = new Map<string, CreativeFormat | null>([...hidden.map((id) => [id, null] as const), ...saved])
  const after = new Map([...before, ...changes])

  refuseRepeated(importing, "/formats", formats, (body) => [formatIdOf(body), "format_id/id"])
  for (const [i, body] of formats.entries()) addWithin(importing, `/formats/${i}`, checkFormat(body))
  for (const [i, id] of hidden.entries())
    if (!before.has(id) && !BUILT_IN_FORMATS.has(id))
      addProblem(importing, `/hidden_formats/${i}`, `Unknown format "${id}".`)

  refuseRepeated(importing, "/products", products, (body) => [productIdOf(body), "product_id"])
  const sent = new Map(products.map((body) => [productIdOf(body), body as Product]))
  const own = withOperatorFormats(after)
  for (const [i, body] of products.entries()) addWithin(importing, `/products/${i}`, checkProduct(body, own))
  const kept = [...stored].filter(([id]) => !sent.has(id)).map(([id, { product }]) => [id, product] as const)
  refuseBroken(importing, file, { products: new Map(kept), formats: after })

  refuseRepeated(importing, "/product_sellers", sellers, ({ product_id }) => [product_id, "product_id"])
  for (const [i, { product_id, seller }] of sellers.entries()) {
    checkSlug(importing, seller, `/product_sellers/${i}/seller`)
    if (!stored.has(product_id) && !sent.has(product_id)) addUnknown(importing, `/product_sellers/${i}`, product_id)
  }

  return async function write() {
    for (const [id, format] of changes) await saveFormat(tx, id, format)
    for (const [id, product] of sent) await saveProduct(tx, { id, product, sellerId: stored.get(id)?.sellerId ?? null })
    for (const { product_id, seller } of sellers) {
      const sellerId = seller === null ? null : idOf(importing, seller)
      await tx.db.update(tx.product).set({ sellerId }).where(eq(tx.product.productId, product_id))
    }
    return {
      formats: countOf([...changes.keys()].map((id) => ({ known: before.get(id) }))),
      products: countOf([...sent.keys()].map((id) => ({ known: stored.get(id) }))),
    }
  }
}

/** A file must not hide or change a format that a stored product needs. */
function refuseBroken(
  importing: Importing,
  { formats = [], hidden_formats: hidden = [] }: ImportFile,
  after: StoredCatalogue,
) {
  // Formats that are wrong would break every reference.
  if (importing.problems.length > 0) return
  const changed = formats.map(formatIdOf)
  for (const { formatId, problem } of brokenRefs(after)) {
    if (changed.includes(formatId)) addProblem(importing, `/formats/${changed.indexOf(formatId)}`, problem.message)
    else if (hidden.includes(formatId))
      addProblem(importing, `/hidden_formats/${hidden.indexOf(formatId)}`, problem.message)
  }
}

const addUnknown = (importing: Importing, pointer: string, productId: string) =>
  addProblem(importing, `${pointer}/product_id`, `Unknown product "${productId}".`)

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

/** Checks buyer keys, and the products that they see. An active key with the same label stays. */
export async function checkBuyerKeys(importing: Importing, { agent_keys: entries = [], products = [] }: ImportFile) {
  const { tx, at } = importing
  refuseRepeated(importing, "/agent_keys", entries, ({ label }) => [label, "label"])
  const active = (await buyerKeys(tx)).filter(({ revokedAt }) => revokedAt === null)
  const productIds = new Set([...(await storedProducts(tx)).map(({ id }) => id), ...products.map(productIdOf)])
  const checked = entries.flatMap(({ label: typed, buyer, opened = [] }, i) => {
    const pointer = `/agent_keys/${i}`
    checkSlug(importing, buyer, `${pointer}/buyer`)
    for (const [o, { product_id, territories }] of opened.entries()) {
      if (!productIds.has(product_id)) addUnknown(importing, `${pointer}/opened/${o}`, product_id)
      checkTerritories(importing, territories, `${pointer}/opened/${o}/territories`)
    }
    const read = readLabel(typed)
    if ("label" in read) return [{ ...read, buyer, opened, known: active.find(({ label }) => label === read.label) }]
    addProblem(importing, `${pointer}/label`, read.error)
    return []
  })

  return async function write(): Promise<readonly ImportedKey[]> {
    const keys: ImportedKey[] = []
    for (const { label, buyer, opened, known } of checked) {
      const buyerId = buyer == null ? null : idOf(importing, buyer)
      if (known !== undefined && buyer !== undefined) await changeBuyerKey(tx, known.id, { buyerId })
      const key = known ?? (await storeBuyerKey(tx, { label, buyerId }, at))
      for (const { product_id, territories } of opened)
        await saveOpening(tx, { buyerKeyId: key.id, productId: product_id, territories: tidyTerritories(territories) })
      keys.push({ id: key.id, label, prefix: key.prefix, ...("key" in key && { key: key.key }) })
    }
    return keys
  }
}

function checkTerritories(importing: Importing, territories: readonly string[], pointer: string): void {
  if (territories.length === 0) addProblem(importing, pointer, 'Name a country, or "*" for everywhere.')
  for (const [i, code] of territories.entries())
    if (!isTerritory(code)) addProblem(importing, `${pointer}/${i}`, `"${code}" isn't the code of a country.`)
}
