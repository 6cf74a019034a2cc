import type { Opening } from "../../domain/keys/opening.ts"
import type { Change } from "../../domain/people/audit.ts"
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

/** The outcome of changing an active key, which is found by its id or prefix. */
export type KeyChange =
  | { readonly outcome: "done"; readonly id: string; readonly label: string }
  | { readonly outcome: "not found" }

export type IngestKeys = IngestKeyReads & IngestKeyWrites

export interface IngestKeyReads {
  /** The keys of one organization, or all with null; newest first, revoked keys included. */
  list(organizationId: number | null): Promise<ListedIngestKey[]>
}

export interface IngestKeyWrites {
  create(key: KeyRecord, organizationId: number, change: Change): Promise<void>
  /** Revokes an active key; with an owner, only a key of that organization. */
  revoke(idOrPrefix: string, ownerId: number | null, change: Change): Promise<KeyChange>
  /** Notes that the key was used. Written with the next commit, or by `flushWriteBuffer`. */
  noteUse(id: string, at: Moment): void
}

export type AgentKeys = AgentKeyReads & AgentKeyWrites

export interface AgentKeyReads {
  /** Newest first, revoked keys included. */
  list(): Promise<(ListedKey & { readonly openings: readonly Opening[] })[]>
}

export interface AgentKeyWrites {
  /** False when an active key has this label already. */
  create(key: KeyRecord, change: Change): Promise<boolean>
  revoke(idOrPrefix: string, change: Change): Promise<KeyChange>
  /** Opens the product to the key, or changes the territories it is open for. */
  open(idOrPrefix: string, opening: Opening, change: Change): Promise<KeyChange | { readonly outcome: "no product" }>
  close(idOrPrefix: string, productId: string, change: Change): Promise<KeyChange | { readonly outcome: "not open" }>
  /** Notes that the key was used. Written with the next commit, or by `flushWriteBuffer`. */
  noteUse(id: string, at: Moment): void
  /**
   * Makes all these changes. A change without territories closes the product to the key. False, and nothing is written, when the
   * catalogue is no longer at the revision `seenRevision`.
   */
  changeOpenings(changes: readonly OpeningChange[], seenRevision: number, change: Change): Promise<boolean>
}

export interface OpeningChange extends Opening {
  readonly agentKeyId: string
}
