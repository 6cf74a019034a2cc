import { fingerprintOf, type KeyKind, mint, prefixOf } from "../../domain/keys/api-key.ts"
import type { KeyRecord } from "../../storage/port/store.ts"
import { and, eq, first, isNull, isStorable, or, type ReadTx } from "../../storage/steps/step.ts"
import type { Context } from "../context.ts"
import { newId } from "../new-id.ts"

/** A new key: the secret for its owner, which is shown once and not stored, and the record to store. */
export function makeKey({ clock, random }: Pick<Context, "clock" | "random">, kind: KeyKind, label: string) {
  const secret = mint(kind, random)
  const [prefix, fingerprint] = [prefixOf(secret), fingerprintOf(secret)]
  const record: KeyRecord = { id: newId(random), label, prefix, fingerprint, createdAt: clock() }
  return { secret, record }
}

/** The outcome of changing an active key, which is found by its id or prefix. */
export type KeyChange =
  | { readonly outcome: "done"; readonly id: string; readonly label: string }
  | { readonly outcome: "not found" }

/** The active key with this id or prefix; with an owner, only if that organization owns it. */
export function* activeKey(tx: ReadTx, kind: "agentKey" | "ingestKey", idOrPrefix: string, ownerId?: number | null) {
  if (!isStorable(idOrPrefix)) return undefined
  const { id, label, prefix, revokedAt } = tx[kind]
  const isNamed = or(eq(id, idOrPrefix), eq(prefix, idOrPrefix))
  const isOurs = ownerId == null ? undefined : eq(tx.ingestKey.organizationId, ownerId)
  const keys = tx.db.select({ id, label }).from(tx[kind])
  return yield* first(keys.where(and(isNamed, isOurs, isNull(revokedAt))))
}
