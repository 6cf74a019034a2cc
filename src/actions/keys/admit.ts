import type { RateWindow } from "../../domain/callers/rate-limit.ts"
import { type Fingerprint, fingerprintIfValid } from "../../domain/keys/api-key.ts"
import { type Context, writesOf } from "../context.ts"
import type { Reporter } from "../delivery/report-delivery.ts"

/** Who a bearer secret reports for, and one request out of its window. Null for a wrong key; a revoked one stops at once. */
export async function admitIngest(context: Context, secret: string, window: RateWindow) {
  const fingerprint = fingerprintIfValid(secret, "ingest")
  if (fingerprint === null) return null
  const { admissions, ingestKeys } = writesOf(context)
  const now = context.clock()
  const admitted = await admissions.ingest(fingerprint, window, now)
  if (admitted === null) return null
  const { id, organizationId } = admitted.key
  ingestKeys.noteUse(id, now)
  const reporter: Reporter = { organizationId, source: { kind: "key", reference: id, detail: "" } }
  return { reporter, admission: admitted.admission }
}

/** The agent key of a fingerprint, and one request out of its window. Null for a wrong key; a revoked one stops at once. */
export async function admitAgent(context: Context, fingerprint: Fingerprint, window: RateWindow) {
  const { admissions, agentKeys } = writesOf(context)
  const now = context.clock()
  const admitted = await admissions.agent(fingerprint, window, now)
  if (admitted !== null) agentKeys.noteUse(admitted.key.id, now)
  return admitted
}

/** One request of a caller without a working key, counted by its address. */
export const admitCaller = (context: Context, window: RateWindow, caller: string) =>
  writesOf(context).admissions.caller(window, caller, context.clock())
