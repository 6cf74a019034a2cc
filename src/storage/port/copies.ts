/** A backup, or a copy of a database, that was opened, checked and counted. */
export interface VerifiedBackup {
  readonly schemaVersion: number
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
}

export type Backup = VerifiedBackup & Readonly<{ file: string; bytes: number }>

export interface Restored extends VerifiedBackup {
  /** Where the previous database was saved; null when there was none. */
  readonly aside: string | null
}

export interface Rollback {
  /** The copy that was made before the upgrade. */
  readonly copy: string
  /** The number of migrations in the database as it is, and in the copy. */
  readonly schema: { readonly from: number; readonly to: number }
  /** By table: rows that are not in the copy, or, below zero, rows that were deleted since. */
  readonly difference: Readonly<Record<string, number>>
  /** Where the upgraded database was saved; null when nothing was done. */
  readonly aside: string | null
}

/** Everything as it is at one moment, to be written down in another form. */
export interface Everything extends AsyncDisposable {
  readonly tables: readonly StoredTable[]
  /** Everything as JSON, one object on each line, from which `restore` makes the same installation. */
  jsonLines(): AsyncIterable<string>
}

export interface StoredTable {
  readonly name: string
  readonly columns: readonly StoredColumn[]
  /** Whether it is exported as a CSV. */
  readonly isForPeople: boolean
  /** The columns that people know a row by, if there are any. */
  readonly knownBy: readonly string[]
  /** Some at a time. */
  rows(): AsyncIterable<readonly (readonly (string | number | null)[])[]>
}

export interface StoredColumn {
  readonly name: string
  readonly kind: "whole" | "real" | "text"
  /** Whether a CSV leaves it out. */
  readonly isHidden: boolean
}

export interface MoveOptions {
  /** Told now and then how many rows of a table a step has done. */
  readonly progress?: ((step: "copy" | "check", table: string, rows: number) => void) | undefined
  /** Called again and again while the source is still in use. Throws or returns when to look again. */
  readonly waitUntilFree: (whoUsesIt: string) => Promise<void>
  /** Called when the copy begins: from here on nobody can write to the source. */
  readonly begins: () => void
}

export interface Copied {
  /** SHA-256 of all rows of a table in the order of their keys, the same from every engine. */
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly digest: string }>>
  /** The sum of the current totals of all lines. */
  readonly delivered: number
}

export type Moved = Copied & Readonly<{ from: string; to: string }>
