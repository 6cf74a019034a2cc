import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { KeyRecord } from "../../storage/port/store.ts"
import { audit } from "../../storage/steps/audit.ts"
import { eq, exec, first, type Step, type Tx } from "../../storage/steps/step.ts"
import { type Context, transact, verb } from "../context.ts"
import { activeKey, type KeyChange, makeKey } from "./key.ts"

/** Creates an ingest key for the organization. The secret is only in the result. */
export async function createIngestKey(
  context: Context,
  { id }: Pick<Organization, "id">,
  label: string,
  actor: string,
) {
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
export const revokeIngestKey = verb(endIngestKey)

export function* endIngestKey(tx: Tx, idOrPrefix: string, ownerId: number | null, by: Change): Step<KeyChange> {
  const { db, ingestKey } = tx
  const key = yield* activeKey(tx, "ingestKey", idOrPrefix, ownerId)
  if (key === undefined) return { outcome: "not found" }
  const { id, organizationId } = ingestKey
  const ending = db.update(ingestKey).set({ revokedAt: by.at }).where(eq(id, key.id))
  const owner = yield* first(ending.returning({ organizationId }))
  yield* audit(tx, by, { action: "revoke ingest_key", subject: key.id, ...owner })
  return { outcome: "done", ...key }
}
