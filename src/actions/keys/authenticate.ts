import { fingerprintOf, looksValid } from "../../domain/keys/api-key.ts"
import { type MaybePromise, thenMaybe } from "../../domain/maybe-promise.ts"
import { type Context, writesOf } from "../context.ts"
import type { Reporter } from "../delivery/report-delivery.ts"

/** The organization of an active ingest key, or null. */
export function authenticateIngest(context: Context, secret: string): MaybePromise<Reporter | null> {
  if (!looksValid(secret, "ingest")) return null
  return thenMaybe(context.store.ingestKeys.findActive(fingerprintOf(secret)), (key) => {
    if (key === null) return null
    const { id, organizationId } = key
    writesOf(context).ingestKeys.noteUse(id, context.clock())
    return { organizationId, source: { kind: "key", reference: id, detail: "" } }
  })
}

/** The active agent key with this secret, or null. */
export function authenticateAgent(context: Context, secret: string): MaybePromise<{ id: string } | null> {
  if (!looksValid(secret, "agent")) return null
  return thenMaybe(context.store.agentKeys.findActive(fingerprintOf(secret)), (key) => {
    if (key !== null) writesOf(context).agentKeys.noteUse(key.id, context.clock())
    return key
  })
}
