import type { SharedHealth } from "../steps/operations.ts"

/** Something about the database that its operator wants to know. */
export interface Fact {
  readonly label: string
  readonly value: string
  /** The numbers in it, by their names in the metrics. */
  readonly figures?: Readonly<Record<string, number>>
}

export interface Health extends SharedHealth {
  /** Throws when the database cannot be read, or takes no writes as it is. */
  ping(): Promise<void>
  /** Whether the next write may fail: the last one did, for a reason that may last, or on PostgreSQL none was acknowledged lately. */
  isInDoubt(): boolean
  /** Why a write failed with this error, where the database knows more than the error says; otherwise null. */
  whyNotWritten(cause: unknown): Promise<string | null>
  /** Descriptions of what is wrong with the stored data; empty when nothing is. */
  integrity(): Promise<string[]>
  /** Whether this program works on the schema that is there: its own, or a newer one on which older programs still work. */
  schema(): Promise<{ readonly version: number; readonly expected: number; readonly fits: boolean }>
  sizeBytes(): Promise<number>
  /** What else there is to know about this kind of database: files, connections, standbys. */
  facts(): Promise<Fact[]>
  readonly engine: string
}
