import type { Moment } from "../../domain/time/moment.ts"
import type { agentKeyReads, ingestKeyReads } from "../steps/keys.ts"
import type { ResultOf } from "../steps/step.ts"

/** A key to store. The key itself is never stored, only its fingerprint. */
export interface KeyRecord {
  readonly id: string
  readonly label: string
  readonly prefix: string
  readonly fingerprint: string
  readonly createdAt: Moment
}

export type ListedIngestKey = ResultOf<typeof ingestKeyReads.list>[number]
export type ListedKey = Omit<ListedIngestKey, "organization">
export type ListedAgentKey = ResultOf<typeof agentKeyReads.list>[number]
