import { type Errors, errorsIn } from "../../domain/errors.ts"
import { createSecret, fingerprintOf, prefixOf, randomCharacters } from "../../domain/keys/api-key.ts"
import { readLabel } from "../../domain/keys/label.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import { addBuyerKey, isLabelTaken, markBuyerKeyRevoked, setBuyerOfKey } from "../../storage/catalogue/buyer-keys.ts"
import type { Tx } from "../../storage/database.ts"
import type { Actor, Context } from "../context.ts"

const ID_CHARACTERS = 8

export interface NewKey {
  readonly label: string
  /** The organization that the key acts for. Null if it acts for none. */
  readonly buyerId: number | null
}

/** The secret is returned here and never again. */
export interface CreatedKey {
  readonly id: string
  readonly key: string
  readonly prefix: string
}

/** Creates a buyer key. */
export async function createBuyerKey(
  context: Context,
  actor: Actor,
  { label: typed, buyerId }: NewKey,
): Promise<CreatedKey | { readonly errors: Errors }> {
  const read = readLabel(typed)
  if ("error" in read) return { errors: { label: read.error } }
  const { label } = read
  return context.database.transact(async (tx) => {
    const errors = errorsIn({
      label: (await isLabelTaken(tx, label)) ? "Another buyer key has this label." : undefined,
    })
    if (Object.keys(errors).length > 0) return { errors }
    const created = await storeNewKey(tx, { label, buyerId }, context.clock())
    const text = `created the buyer key ${created.prefix}`
    await addAuditEntry(tx, { at: context.clock(), actor, organizationId: null, text })
    return created
  })
}

/** Stores a new key, for a form or an import. */
export async function storeNewKey(tx: Tx, { label, buyerId }: NewKey, createdAt: number): Promise<CreatedKey> {
  const key = createSecret("buyer")
  const [id, prefix] = [randomCharacters(ID_CHARACTERS), prefixOf(key)]
  await addBuyerKey(tx, { id, label, prefix, fingerprint: fingerprintOf(key), createdAt, buyerId })
  return { id, key, prefix }
}

/** Revokes a key, from the next request on. False if it isn't an active key. */
export async function revokeBuyerKey({ database, clock }: Context, actor: Actor, id: string): Promise<boolean> {
  return database.transact(async (tx) => {
    const at = clock()
    const prefix = await markBuyerKeyRevoked(tx, id, at)
    if (prefix === null) return false
    await addAuditEntry(tx, { at, actor, organizationId: null, text: `revoked the buyer key ${prefix}` })
    return true
  })
}

/** Says which organization a key acts for, or that it acts for none. False if it isn't an active key. */
export async function changeBuyerOfKey(
  { database, clock }: Context,
  actor: Actor,
  id: string,
  buyerId: number | null,
): Promise<boolean> {
  return database.transact(async (tx) => {
    const prefix = await setBuyerOfKey(tx, id, buyerId)
    if (prefix === null) return false
    const text = `${buyerId === null ? "removed" : "chose"} the buyer that the key ${prefix} acts for`
    await addAuditEntry(tx, { at: clock(), actor, organizationId: buyerId, text })
    return true
  })
}
