import type { agentKeyReads, ingestKeyReads } from "../steps/keys.ts"
import type { ReadTx, ResultOf } from "../steps/step.ts"

/** A key to store. The key itself is never stored, only its fingerprint. */
export type KeyRecord = Pick<
  ReadTx["agentKey"]["$inferSelect"],
  "id" | "label" | "prefix" | "fingerprint" | "createdAt"
>

export type ListedIngestKey = ResultOf<typeof ingestKeyReads.list>[number]
export type ListedKey = Omit<ListedIngestKey, "organization">
export type ListedAgentKey = ResultOf<typeof agentKeyReads.list>[number]
