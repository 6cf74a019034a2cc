import type { ExistingData, ImportPlan, PlannedLine } from "../../domain/import/import-plan.ts"
import type { Opening } from "../../domain/keys/opening.ts"
import type { Change } from "../../domain/people/audit.ts"
import type { Organization } from "../../domain/people/organization.ts"
import type { User } from "../../domain/people/user.ts"
import type { KeyRecord, StoredFormat, StoredProduct } from "./store.ts"

// The part of the port that files need: everything in, everything out.

export type ImportExport = ImportExportReads & ImportExportWrites

export interface ImportExportReads {
  /** What is stored already, as far as a file may refer to it. */
  known(): Promise<ExistingData>
  /** Everything that a file can hold, read at one moment. */
  snapshot(): Promise<Snapshot>
}

export interface ImportExportWrites {
  /**
   * Writes the whole plan in one transaction. `newKeys` has a fresh key for each label; those of known labels are not used.
   * Null, and nothing written, when the catalogue has changed since the revision that the plan was checked against, when figures were
   * reported meanwhile that a line of the plan would give another meaning, or when no operator would be left.
   */
  apply(
    plan: ImportPlan,
    newKeys: ReadonlyMap<string, KeyRecord>,
    checkedAt: number,
    change: Change,
  ): Promise<Imported | null>
}

export interface Count {
  readonly created: number
  readonly updated: number
}

export interface Imported {
  readonly organizations: Count
  readonly users: Count
  readonly campaigns: Count
  readonly lines: Count
  readonly formats: Count
  readonly products: Count
  readonly agentKeys: readonly {
    readonly id: string
    readonly label: string
    readonly prefix: string
    readonly isNew: boolean
  }[]
}

export interface Snapshot {
  readonly organizations: readonly Organization[]
  readonly users: readonly User[]
  readonly campaigns: readonly { readonly slug: string; readonly name: string; readonly buyer: string }[]
  readonly lines: readonly PlannedLine[]
  readonly formats: readonly StoredFormat[]
  readonly products: readonly StoredProduct[]
  readonly agentKeys: readonly { readonly label: string; readonly openings: readonly Opening[] }[]
}
