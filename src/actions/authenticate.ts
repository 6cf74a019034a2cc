import { fingerprintOf, looksValid } from "../domain/api-key.ts"
import type { Context } from "./context.ts"
import type { Reporter } from "./report-delivery.ts"

/** The organization that a bearer secret acts for, or null. One indexed read and no cache: a revoked key stops at once. */
export async function authenticateIngest({ store, clock }: Context, secret: string): Promise<Reporter | null> {
  if (!looksValid(secret, "ingest")) return null
  const key = await store.ingestKeys.findActive(fingerprintOf(secret))
  if (key === null) return null
  store.ingestKeys.noteUse(key.id, clock())
  const { id, organizationId, timeZone } = key
  return { organizationId, timeZone, source: { kind: "key", reference: id, detail: "" } }
}

/** The agent key that a bearer secret is, or null. One indexed read and no cache, like the ingest keys. */
export async function authenticateAgent({ store, clock }: Context, secret: string): Promise<{ id: string } | null> {
  if (!looksValid(secret, "agent")) return null
  const key = await store.agentKeys.findActive(fingerprintOf(secret))
  if (key !== null) store.agentKeys.noteUse(key.id, clock())
  return key
}
