import type { SQL } from "drizzle-orm"
import { sql } from "drizzle-orm"
import type { Opening } from "../../domain/keys/opening.ts"
import { all, asc, desc, eq, type ReadTx, type Step } from "./step.ts"

export const ingestKeyReads = {
  /** The keys of one organization, or all with null; newest first, revoked keys included. */
  list({ db, ingestKey, organization }: ReadTx, organizationId: number | null) {
    const isWanted = organizationId === null ? undefined : eq(ingestKey.organizationId, organizationId)
    const keys = db.select({ ...listed(ingestKey), organization: organization.slug }).from(ingestKey)
    const owned = keys.innerJoin(organization, eq(organization.id, ingestKey.organizationId)).where(isWanted)
    return all(owned.orderBy(...newestFirst(ingestKey)))
  },
}

export const agentKeyReads = {
  /** Newest first, revoked keys included. */
  *list(tx: ReadTx) {
    const { db, agentKey, organization } = tx
    const columns = { ...listed(agentKey), buyer: organization.slug, buyerName: organization.name }
    const rows = db.select(columns).from(agentKey).leftJoin(organization, eq(organization.id, agentKey.buyerId))
    const keys = yield* all(rows.orderBy(...newestFirst(agentKey)))
    const openings = yield* openingsByKey(tx)
    return keys.map((key) => ({ ...key, openings: openings.get(key.id) ?? [] }))
  },
}

type KeyTable = ReadTx["agentKey"] | ReadTx["ingestKey"]

/** All but the fingerprint. */
function listed({ id, label, prefix, createdAt, lastUsedAt, revokedAt }: KeyTable) {
  return { id, label, prefix, createdAt, lastUsedAt, revokedAt }
}

const newestFirst = ({ createdAt, label, id }: KeyTable) => [desc(createdAt), asc(label), asc(id)]

/** The products that are open to a key, by product id. */
export function* openingsOf(tx: ReadTx, agentKeyId: string): Step<Opening[]> {
  return (yield* openingsByKey(tx, eq(tx.opening.agentKeyId, agentKeyId))).get(agentKeyId) ?? []
}

/** The products of a key by their ids alone, written by hand: of thousands the rest would be read and thrown away. */
export function* openedIds({ statement }: ReadTx, agentKeyId: string): Step<string[]> {
  const ids = sql`SELECT product_id AS id FROM opening WHERE agent_key_id = ${agentKeyId}`
  return (yield* all(statement<{ id: string }>(ids))).map(({ id }) => id)
}

export function* openingsByKey({ db, opening }: ReadTx, which?: SQL): Step<Map<string, Opening[]>> {
  const rows = db.select().from(opening).where(which).orderBy(asc(opening.agentKeyId), asc(opening.productId))
  const byKey = Map.groupBy(yield* all(rows), ({ agentKeyId }) => agentKeyId)
  const openingOf = ({ productId, territories }: Opening) => ({ productId, territories })
  return new Map([...byKey].map(([id, opened]) => [id, opened.map(openingOf)]))
}
