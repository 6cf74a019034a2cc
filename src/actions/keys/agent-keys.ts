import type { Change } from "../../domain/people/audit.ts"
import type { KeyRecord } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { and, eq, exec, first, isNull, or, type ReadTx, type Step, type Tx } from "../../storage/steps/step.ts"
import { isStorable } from "../../storage/steps/storable.ts"
import { type Context, transact } from "../context.ts"
import { type KeyChange, type MadeKey, makeKey } from "./key.ts"

/** Creates an agent key for a buyer. Null when an active key has this label: import files identify keys by label. */
export async function createAgentKey(context: Context, label: string, actor: string): Promise<MadeKey | null> {
  const made = makeKey(context, "agent", label)
  const isNew = await transact(context, (tx) => addAgentKey(tx, made.record, { actor, at: made.record.createdAt }))
  return isNew ? made : null
}

export function* addAgentKey(tx: Tx, key: KeyRecord, by: Change): Step<boolean> {
  const { db, agentKey } = tx
  const hasLabel = and(eq(agentKey.label, key.label), isNull(agentKey.revokedAt))
  if ((yield* first(db.select({ id: agentKey.id }).from(agentKey).where(hasLabel))) !== undefined) return false
  yield* exec(db.insert(agentKey).values(key))
  yield* audit(tx, by, { action: "create agent_key", subject: key.id, details: { label: key.label } })
  return true
}

/** Revokes the active agent key with this id or prefix at once. */
export function revokeAgentKey(context: Context, idOrPrefix: string, actor: string): Promise<KeyChange> {
  return transact(context, (tx) => endAgentKey(tx, idOrPrefix, { actor, at: context.clock() }))
}

export function* endAgentKey(tx: Tx, idOrPrefix: string, by: Change): Step<KeyChange> {
  const { db, agentKey } = tx
  const key = yield* activeAgentKey(tx, idOrPrefix)
  if (key === undefined) return { outcome: "not found" }
  yield* exec(db.update(agentKey).set({ revokedAt: by.at }).where(eq(agentKey.id, key.id)))
  yield* audit(tx, by, { action: "revoke agent_key", subject: key.id, details: { label: key.label } })
  return { outcome: "done", ...key }
}

export function* activeAgentKey(
  { db, agentKey }: ReadTx,
  idOrPrefix: string,
): Step<{ readonly id: string; readonly label: string } | undefined> {
  if (!isStorable(idOrPrefix)) return undefined
  const { id, label, prefix, revokedAt } = agentKey
  const isNamed = or(eq(id, idOrPrefix), eq(prefix, idOrPrefix))
  return yield* first(
    db
      .select({ id, label })
      .from(agentKey)
      .where(and(isNamed, isNull(revokedAt))),
  )
}
