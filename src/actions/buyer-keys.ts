import { createSecret, fingerprintOf, isKey, prefixOf, randomCharacters, readLabel } from "../domain/api-key.ts"
import { type Errors, errorsIn } from "../domain/errors.ts"
import type { Admission, RateWindow } from "../domain/rate-limit.ts"
import { addAuditEntry } from "../storage/audit.ts"
import {
  activeBuyerKeyId,
  addBuyerKey,
  isLabelTaken,
  markBuyerKeyRevoked,
  setBuyerOfKey,
} from "../storage/catalogue/buyer-keys.ts"
import type { Tx } from "../storage/database.ts"
import type { Actor, Context } from "./context.ts"

const ID_CHARACTERS = 8

interface NewKey {
  readonly label: string
  /** The organization that the key acts for. Null if it acts for none. */
  readonly buyerId: number | null
}

/** The secret is returned here and never again. */
interface CreatedKey {
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
async function storeNewKey(tx: Tx, { label, buyerId }: NewKey, createdAt: number): Promise<CreatedKey> {
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

/** The ID of the active key with this secret. Null if it's unknown, revoked, or not a buyer key. */
export async function findBuyerKey({ database }: Context, secret: string): Promise<string | null> {
  return isKey(secret, "buyer") ? activeBuyerKeyId(database.read, fingerprintOf(secret)) : null
}

/** Counts a request of a key in a window, and notes that the key was used. */
export async function admitBuyerKey(context: Context, buyerKeyId: string, window: RateWindow): Promise<Admission> {
  const { database, clock } = context
  const now = clock()
  database.later.usedBuyerKey(buyerKeyId, now)
  return database.limits.admit(`buyer ${buyerKeyId}`, window, now)
}

/** Counts a request of a caller without a key. */
export const admitAddress = ({ database, clock }: Context, address: string, window: RateWindow): Promise<Admission> =>
  database.limits.admit(`address ${address}`, window, clock())
