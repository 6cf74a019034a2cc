import { UserError } from "../../domain/user-error.ts"
import type { TableProperties } from "../schema/table-properties.ts"
import { describedTables } from "../schema/tables.ts"

/** A table as both engines have it: the columns that are stored, and those by which its rows are told apart and ordered. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly Column[]
  readonly key: readonly Column[]
  /** Whether new rows are numbered by the database. */
  readonly isNumbered: boolean
  readonly exported: TableProperties["exported"]
  /** The columns that people know a row by. */
  readonly knownBy: readonly string[]
}

export interface Column {
  readonly name: string
  readonly kind: "whole" | "real" | "text"
  /** Whether a CSV leaves it out. */
  readonly isHidden: boolean
}

export const namesOf = (columns: TableShape["columns"]): string => columns.map(({ name }) => `"${name}"`).join(", ")

/** Copies are made by the version that wrote the data. */
export function refuseOtherVersion(version: number, needed: number, name: string): void {
  if (version === needed) return
  const advice =
    version < needed
      ? 'Start "adbooth serve" of this version on it once: it updates the database.'
      : "Use the newer version of adbooth that wrote it."
  throw new UserError(`${name} has schema ${version}; this program needs ${needed}. Nothing was changed. ${advice}`)
}

/** Text of whole lines, one for each row (copy-text.ts says how), from the smallest key to the largest. */
export type Lines = AsyncIterable<string> | Iterable<string>

/** A database at one moment. */
export interface ReadSide {
  /** What to call it in messages; never with a password. */
  readonly name: string
  lines(table: TableShape): Lines
  count(table: TableShape): Promise<number>
  /** The key of a row with U+0000 in a text, which PostgreSQL cannot hold; null when there is none. */
  rowWithNul(table: TableShape): Promise<string | null>
  /** The revision of the catalogue: agents that remember an older one ask again. */
  catalogueRevision(): Promise<number>
}

/** A database that is filled in one transaction, or one that nobody else sees yet. */
export interface WriteSide extends Pick<ReadSide, "name" | "lines" | "count"> {
  readonly holdsNul: boolean
  write(table: TableShape, lines: Lines): Promise<void>
  /** Lets new rows be numbered after the copied ones, and moves the catalogue's revision past the given one. */
  finish(tables: readonly TableShape[], catalogueRevision: number): Promise<void>
}

/** Something that can be copied from: a data directory or a database. */
export interface CopySource {
  readonly name: string
  /** As it is now, while others may write. */
  snapshot(): Promise<ReadSide & AsyncDisposable>
  /** Held so that nobody writes until it is disposed of; or, as a sentence, who still has it open. */
  standStill(): Promise<(ReadSide & AsyncDisposable) | string>
}

/** Something that can be copied to. Disposing of it without `keep` leaves what was there before. */
export interface CopyTarget {
  readonly name: string
  /** Throws when there is data already. */
  begin(): Promise<CopyInProgress>
}

export interface CopyInProgress extends AsyncDisposable {
  readonly side: WriteSide
  /** Makes the copy the database. */
  keep(): Promise<void>
}

// What holds when a backup takes the place of data, in either engine.

export const DATA_TABLES = describedTables.filter(({ properties }) => properties.isData).map(({ name }) => name)

/** The tables of what can be ended: the column that identifies a row, and the one that says when it ended. */
export const REVOCABLE = describedTables.flatMap(({ name, columnName, properties: { ends } }) =>
  ends === undefined ? [] : [[name, columnName(ends.knownBy), columnName(ends.at)] as const],
)

/** How the audit trail says that a campaign was deleted, and with it the links that share it. */
export const CAMPAIGN_DELETED = "remove campaign"
