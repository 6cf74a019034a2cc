import { EVERYWHERE } from "../../domain/adcp/catalogue/territory.ts"
import { COUNTRIES, tidyTerritories } from "../../domain/adcp/catalogue/territory-input.ts"
import type { ImportedBuyerKey } from "../../domain/import/import-file.ts"
import { createSecret, fingerprintOf, prefixOf, randomCharacters } from "../../domain/keys/api-key.ts"
import { readLabel } from "../../domain/keys/label.ts"
import { addBuyerKey, type BuyerKey, buyerKeys, setBuyerOfKey } from "../../storage/catalogue/buyer-keys.ts"
import { saveOpening, storedProducts } from "../../storage/catalogue/catalogue.ts"
import { addProblem, type Importing, isSound, organizationId, refuseRepeated } from "./importing.ts"

export interface ImportedKey {
  readonly id: string
  readonly label: string
  readonly prefix: string
  /** Only for a new key. It's shown once. */
  readonly key?: string
}

const ID_CHARACTERS = 8

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
    if (known !== undefined && entry.buyer !== undefined) await setBuyerOfKey(importing.tx, known.id, buyerId)
    const key = known === undefined ? await create(importing, read.label, buyerId) : keyOf(known)
    await showProducts(importing, entry, key.id)
    imported.push(key)
  }
  return imported
}

const keyOf = ({ id, label, prefix }: BuyerKey): ImportedKey => ({ id, label, prefix })

async function create({ tx, at }: Importing, label: string, buyerId: number | null): Promise<ImportedKey> {
  const key = createSecret("buyer")
  const shown = { id: randomCharacters(ID_CHARACTERS), label, prefix: prefixOf(key) }
  await addBuyerKey(tx, { ...shown, buyerId, fingerprint: fingerprintOf(key), createdAt: at })
  return { ...shown, key }
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
