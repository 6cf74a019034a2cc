import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { KeyRecord } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { and, eq, exec, first, isNull, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact, verb } from "../context.ts"
import { activeKey, type KeyChange, makeKey } from "./key.ts"

/** The organization that a key acts for: whose purchases it may read. */
export type Buyer = Pick<Organization, "id" | "slug">

/** Creates an agent key for a buyer. Null when an active key has this label: import files identify keys by label. */
export async function createAgentKey(context: Context, label: string, actor: string, buyer: Buyer | null = null) {
  const made = makeKey(context, "agent", label)
  const by = { actor, at: made.record.createdAt }
  const isNew = await transact(context, (tx) => addAgentKey(tx, { ...made.record, buyer }, by))
  return isNew ? made : null
}

type NewAgentKey = KeyRecord & { readonly buyer?: Buyer | null }

export function* addAgentKey(tx: Tx, { buyer, ...key }: NewAgentKey, by: Change): Step<boolean> {
  const { db, agentKey } = tx
  const hasLabel = and(eq(agentKey.label, key.label), isNull(agentKey.revokedAt))
  if ((yield* first(db.select({ id: agentKey.id }).from(agentKey).where(hasLabel))) !== undefined) return false
  yield* exec(db.insert(agentKey).values({ ...key, buyerId: buyer?.id ?? null }))
  const details = { label: key.label, ...(buyer && { buyer: buyer.slug }) }
  yield* audit(tx, by, { action: "create agent_key", subject: key.id, details })
  return true
}

/** Says for which organization the active key with this id or prefix acts; null: for none. */
export const setAgentKeyBuyer = verb(changeBuyer)

export function* changeBuyer(tx: Tx, idOrPrefix: string, buyer: Buyer | null, by: Change): Step<KeyChange> {
  const { db, agentKey } = tx
  const key = yield* activeKey(tx, "agentKey", idOrPrefix)
  if (key === undefined) return { outcome: "not found" }
  const buyerId = buyer?.id ?? null
  yield* exec(db.update(agentKey).set({ buyerId }).where(eq(agentKey.id, key.id)))
  const details = { label: key.label, buyer: buyer?.slug ?? null }
  yield* audit(tx, by, { action: "change agent_key", subject: key.id, details })
  return { outcome: "done", ...key }
}

/** Revokes the active agent key with this id or prefix at once. */
export const revokeAgentKey = verb(endAgentKey)

export function* endAgentKey(tx: Tx, idOrPrefix: string, by: Change): Step<KeyChange> {
  const { db, agentKey } = tx
  const key = yield* activeKey(tx, "agentKey", idOrPrefix)
  if (key === undefined) return { outcome: "not found" }
  yield* exec(db.update(agentKey).set({ revokedAt: by.at }).where(eq(agentKey.id, key.id)))
  yield* audit(tx, by, { action: "revoke agent_key", subject: key.id, details: { label: key.label } })
  return { outcome: "done", ...key }
}
