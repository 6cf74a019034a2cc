import type { Opening } from "../../domain/keys/opening.ts"
import type { Moment } from "../../domain/time/moment.ts"

/** A key to store. The key itself is never stored, only its fingerprint. */
export interface KeyRecord {
  readonly id: string
  readonly label: string
  readonly prefix: string
  readonly fingerprint: string
  readonly createdAt: Moment
}

export interface ListedKey {
  readonly id: string
  readonly label: string
  readonly prefix: string
  readonly createdAt: Moment
  readonly lastUsedAt: Moment | null
  readonly revokedAt: Moment | null
}

export interface ListedIngestKey extends ListedKey {
  /** The slug of the organization that owns it. */
  readonly organization: string
}

export interface ListedAgentKey extends ListedKey {
  readonly openings: readonly Opening[]
  /** The slug of the organization that it acts for; null: none. */
  readonly buyer: string | null
  readonly buyerName: string | null
}
