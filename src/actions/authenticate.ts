import { fingerprintOf, looksValid } from "../domain/api-key.ts"
import { type Soon, soon } from "../domain/soon.ts"
import type { Context } from "./context.ts"
import type { Reporter } from "./report-delivery.ts"

/** The organization that a bearer secret acts for, or null. A revoked key stops at once. */
export function authenticateIngest({ store, clock }: Context, secret: string): Soon<Reporter | null> {
  if (!looksValid(secret, "ingest")) return null
  return soon(store.ingestKeys.findActive(fingerprintOf(secret)), (key) => {
    if (key === null) return null
    const { id, organizationId } = key
    store.ingestKeys.noteUse(id, clock())
    return { organizationId, source: { kind: "key", reference: id, detail: "" } }
  })
}

/** The agent key that a bearer secret is, or null. A revoked key stops at once. */
export function authenticateAgent({ store, clock }: Context, secret: string): Soon<{ id: string } | null> {
  if (!looksValid(secret, "agent")) return null
  return soon(store.agentKeys.findActive(fingerprintOf(secret)), (key) => {
    if (key !== null) store.agentKeys.noteUse(key.id, clock())
    return key
  })
}
