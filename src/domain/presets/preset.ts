import type { UploadKind } from "../upload/columns.ts"

/** How the export of one system is read. */
export interface Preset {
  readonly name: string
  /** The system and its export, as people know them. */
  readonly title: string
  readonly kind: UploadKind
  /** Where the columns are described. */
  readonly documentation: readonly string[]
  /** What a column means, by its name in the file: a field of the API, or external_id for the seller's own line ID. */
  readonly columns: Readonly<Record<string, string>>
  /**
   * cumulative: each row is a total up to its day. daily: each row is a part of one day. events: each row counts 1 on its day. lifetime: each
   * row is a part of the total since the start, without a day.
   */
  readonly rows: "cumulative" | "daily" | "events" | "lifetime"
  /** With rows events: what each row is one of. */
  readonly counts?: string
  /** Rows that do not count, such as cancelled orders: those with one of these values in the column. */
  readonly skip?: readonly { readonly column: string; readonly equals: readonly string[] }[]
  /** What a seller should know. */
  readonly note: string
}

/** Columns that a file must have to be recognized. */
export function requiredColumns({ columns, skip = [] }: Preset): string[] {
  return [...new Set([...Object.keys(columns), ...skip.map(({ column }) => column)])]
}

export const rowsInWords = ({ rows, counts }: Pick<Preset, "rows" | "counts">): string =>
  ({
    cumulative: "each row is a total up to its day",
    daily: "figures of single days, added up",
    events: `each row counts as one of the ${counts} of its day`,
    lifetime: "totals to date, as of when the file was made",
  })[rows]
