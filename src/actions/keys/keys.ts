import { fingerprintOf, type KeyKind, mint, prefixOf } from "../../domain/keys/api-key.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { KeyRecord } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import type { ReadTx, Step, Tx } from "../../storage/steps/step.ts"
import { and, eq, exec, first, isNull, isThere, or } from "../../storage/steps/step.ts"
import { type Context, transact, verb } from "../context.ts"
import { newId } from "../new-id.ts"

/** Creates an ingest key for the organization. The secret is only in the result. */
export async function createIngestKey(context: Context, { id }: { readonly id: number }, label: string, actor: string) {
  const made = makeKey(context, "ingest", label)
  await transact(context, (tx) => addIngestKey(tx, made.record, id, { actor, at: made.record.createdAt }))
  return made
}

export function* addIngestKey(tx: Tx, key: KeyRecord, organizationId: number, by: Change): Step<void> {
  yield* exec(tx.db.insert(tx.ingestKey).values({ ...key, organizationId }))
  const details = { label: key.label }
  yield* audit(tx, by, { action: "create ingest_key", subject: key.id, organizationId, details })
}

/** Revokes the active ingest key with this id or prefix at once; with an owner, only if that organization owns it. */
export const revokeIngestKey = verb(function* (tx, idOrPrefix: string, ownerId: number | null, by: Change) {
  const key = yield* activeKey(tx, "ingestKey", idOrPrefix, ownerId)
  if (key === undefined) return { outcome: "not found" } as const
  const { id, organizationId } = tx.ingestKey
  const ending = tx.db.update(tx.ingestKey).set({ revokedAt: by.at }).where(eq(id, key.id))
  const owner = yield* first(ending.returning({ organizationId }))
  yield* audit(tx, by, { action: "revoke ingest_key", subject: key.id, ...owner })
  return { outcome: "done", ...key } as const
})

/** A new key: the secret for its owner, which is shown once and not stored, and the record to store. */
export function makeKey({ clock, random }: Pick<Context, "clock" | "random">, kind: KeyKind, label: string) {
  const secret = mint(kind, random)
  const [prefix, fingerprint] = [prefixOf(secret), fingerprintOf(secret)]
  const record: KeyRecord = { id: newId(random), label, prefix, fingerprint, createdAt: clock() }
  return { secret, record }
}

/** The active key with this id or prefix; with an owner, only if that organization owns it. */
export function* activeKey(tx: ReadTx, kind: "agentKey" | "ingestKey", idOrPrefix: string, ownerId?: number | null) {
  const { id, label, prefix, revokedAt } = tx[kind]
  const isNamed = or(eq(id, idOrPrefix), eq(prefix, idOrPrefix))
  const isOurs = ownerId == null ? undefined : eq(tx.ingestKey.organizationId, ownerId)
  const keys = tx.db.select({ id, label }).from(tx[kind])
  return yield* first(keys.where(and(isNamed, isOurs, isNull(revokedAt))))
}

/** The organization that a key acts for: whose purchases it may read. */
type Buyer = Pick<Organization, "id" | "slug">

/** Creates an agent key for a buyer. Null when an active key has this label: import files identify keys by label. */
export async function createAgentKey(context: Context, label: string, actor: string, buyer: Buyer | null = null) {
  const made = makeKey(context, "agent", label)
  const by = { actor, at: made.record.createdAt }
  const isNew = await transact(context, (tx) => addAgentKey(tx, { ...made.record, buyer }, by))
  return isNew ? made : null
}

export function* addAgentKey(tx: Tx, { buyer, ...key }: KeyRecord & { readonly buyer?: Buyer | null }, by: Change) {
  const { db, agentKey } = tx
  const hasLabel = and(eq(agentKey.label, key.label), isNull(agentKey.revokedAt))
  if (yield* isThere(db.select({ id: agentKey.id }).from(agentKey).where(hasLabel))) return false
  yield* exec(db.insert(agentKey).values({ ...key, buyerId: buyer?.id ?? null }))
  const details = { label: key.label, ...(buyer && { buyer: buyer.slug }) }
  yield* audit(tx, by, { action: "create agent_key", subject: key.id, details })
  return true
}

/** Says for which organization the active key with this id or prefix acts; null: for none. */
export const setAgentKeyBuyer = verb(function* (tx, idOrPrefix: string, buyer: Buyer | null, by: Change) {
  const { db, agentKey } = tx
  const key = yield* activeKey(tx, "agentKey", idOrPrefix)
  if (key === undefined) return { outcome: "not found" } as const
  const buyerId = buyer?.id ?? null
  yield* exec(db.update(agentKey).set({ buyerId }).where(eq(agentKey.id, key.id)))
  const details = { label: key.label, buyer: buyer?.slug ?? null }
  yield* audit(tx, by, { action: "change agent_key", subject: key.id, details })
  return { outcome: "done", ...key } as const
})

/** Revokes the active agent key with this id or prefix at once. */
export const revokeAgentKey = verb(function* (tx, idOrPrefix: string, by: Change) {
  const { db, agentKey } = tx
  const key = yield* activeKey(tx, "agentKey", idOrPrefix)
  if (key === undefined) return { outcome: "not found" } as const
  yield* exec(db.update(agentKey).set({ revokedAt: by.at }).where(eq(agentKey.id, key.id)))
  yield* audit(tx, by, { action: "revoke agent_key", subject: key.id, details: { label: key.label } })
  return { outcome: "done", ...key } as const
})
