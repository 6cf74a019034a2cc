import { and, desc, eq, isNull } from "drizzle-orm"
import type { Moment } from "../../domain/time/moment.ts"
import type { ReadTx, Tx } from "../database.ts"

export interface BuyerKey {
  /** Eight random characters. */
  readonly id: string
  readonly label: string
  readonly prefix: string
  readonly createdAt: Moment
  readonly lastUsedAt: Moment | null
  readonly revokedAt: Moment | null
  /** The organization that the key acts for. Null if it acts for none. */
  readonly buyerId: number | null
}

interface NewBuyerKey extends Pick<BuyerKey, "id" | "label" | "prefix" | "createdAt" | "buyerId"> {
  readonly fingerprint: string
}

const columnsOf = ({ buyerKey }: ReadTx) => {
  const { id, label, prefix, createdAt, lastUsedAt, revokedAt, buyerId } = buyerKey
  return { id, label, prefix, createdAt, lastUsedAt, revokedAt, buyerId }
}

/** Every buyer key, newest first. Call `later.flush` first, for a page. */
export async function buyerKeys(read: ReadTx): Promise<BuyerKey[]> {
  const { buyerKey } = read
  return read.db.select(columnsOf(read)).from(buyerKey).orderBy(desc(buyerKey.createdAt), desc(buyerKey.id))
}

export async function buyerKeyById(read: ReadTx, id: string): Promise<BuyerKey | null> {
  const { buyerKey } = read
  const [key] = await read.db.select(columnsOf(read)).from(buyerKey).where(eq(buyerKey.id, id))
  return key ?? null
}

/** The ID of the active key with this fingerprint. Null if it's unknown or revoked. */
export async function activeBuyerKeyId(read: ReadTx, fingerprint: string): Promise<string | null> {
  const query = "SELECT id FROM buyer_key WHERE fingerprint = $1 AND revoked_at IS NULL"
  const [key] = await read.rows(query, [fingerprint], { id: String })
  return key?.id ?? null
}

/** Whether an active key has this label. */
export async function isLabelTaken(read: ReadTx, label: string): Promise<boolean> {
  const { buyerKey } = read
  const isActive = and(eq(buyerKey.label, label), isNull(buyerKey.revokedAt))
  return (await read.db.select({ id: buyerKey.id }).from(buyerKey).where(isActive)).length > 0
}

export async function addBuyerKey(tx: Tx, key: NewBuyerKey): Promise<void> {
  await tx.db.insert(tx.buyerKey).values(key)
}

/** Marks an active key as revoked. Returns its prefix, or null if no active key has this ID. */
export async function markBuyerKeyRevoked(tx: Tx, id: string, now: Moment): Promise<string | null> {
  const { buyerKey } = tx
  const isActive = and(eq(buyerKey.id, id), isNull(buyerKey.revokedAt))
  const revoked = await tx.db
    .update(buyerKey)
    .set({ revokedAt: now })
    .where(isActive)
    .returning({ prefix: buyerKey.prefix })
  return revoked[0]?.prefix ?? null
}

/**
 * Sets the organization that an active key acts for. Returns the key's prefix, or null if no active key has this ID.
 */
export async function setBuyerOfKey(tx: Tx, id: string, buyerId: number | null): Promise<string | null> {
  const { buyerKey } = tx
  const isActive = and(eq(buyerKey.id, id), isNull(buyerKey.revokedAt))
  const changed = await tx.db.update(buyerKey).set({ buyerId }).where(isActive).returning({ prefix: buyerKey.prefix })
  return changed[0]?.prefix ?? null
}
