import type { Table } from "drizzle-orm"

/** What servers have to forget after a change: nothing, what they remember of terms and keys, or of the catalogue too. */
export type Forgets = "nothing" | "terms" | "catalogue"

/** What has to be known of a table besides its columns. Each table says it where it is defined. */
export interface TableProperties<Column extends string = string> {
  /** What servers forget when one of its rows changes. */
  readonly forgets: Forgets
  /**
   * How many rows it gets. Few: pages may read all of them. Many: people add some every week, for years, so pages find them by an index.
   * Bounded: programs add them, up to a number (limits.ts) of which a migration may look at each. Endless: programs add them, so that it may
   * not while servers run.
   */
  readonly rows: "few" | "many" | "bounded" | "endless"
  /** Which exports of everything have it: both; only the JSON, because it means nothing to people; or none, so that a copy signs nobody in. */
  readonly exported: "csv and json" | "json" | "never"
  /** Columns that a CSV leaves out: secrets, their hashes, and what only the program uses. */
  readonly hidden: readonly Column[]
  /** The columns that people know a row by. A CSV shows them where another table refers to it. */
  readonly knownBy?: readonly Column[]
  /** For what can be ended: by which column a row is recognized, and when it ended. What ended after a backup stays ended in it. */
  readonly ends?: { readonly knownBy: Column; readonly at: Column }
  /** Its rows are deleted from a backup that is restored, so that no sign-in or link works again that was ended since. */
  readonly isEmptiedByRestore?: true
  /** Its rows are data: they are not overwritten unasked. A new installation has none. */
  readonly isData?: true
  /** The organization in this column cannot be deleted while the row is there. */
  readonly keepsOrganization?: Column
  /** SQLite stores the rows in the tree of the primary key, because they are only ever found by it: one tree to write instead of two. */
  readonly isStoredByKey?: true
}

const PROPERTIES = Symbol("properties")

export const withProperties = <Made extends Table>(table: Made, properties: TableProperties): Made =>
  Object.assign(table, { [PROPERTIES]: properties })

/** The properties of a table that was made by a kit. */
export const propertiesOf = (table: Table): TableProperties =>
  (table as unknown as { readonly [PROPERTIES]: TableProperties })[PROPERTIES]
