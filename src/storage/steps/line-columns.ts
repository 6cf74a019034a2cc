import { type LineColumn, lineColumns } from "../../domain/campaign/line-fields.ts"

// SQL about the columns of a line that its seller fills in, for what each engine writes by hand.

const COLUMNS = lineColumns.map(({ column }) => column)
const WRITTEN = ["campaign_id", "seller_id", ...COLUMNS, "archived"]

export const LINE_SQL = {
  columns: COLUMNS.join(", "),
  /** Of a table named l, by the names that the program has. */
  selected: lineColumns.map(({ column, field }) => `l.${column} AS "${field}"`).join(", "),
  /** The values of an import, where b is the line as it is stored. */
  imported: (given: (column: LineColumn) => string) =>
    lineColumns
      .map((each) => {
        const value = given(each)
        return each.stays ? `CASE WHEN ${value} IS NULL THEN b.${each.column} ELSE nullif(${value}, '') END` : value
      })
      .join(", "),
  /** What an import replaces, and the same as a row. */
  replaced: WRITTEN.map((column) => `${column} = excluded.${column}`).join(", "),
  row: (table: string) => `(${WRITTEN.map((column) => `${table}.${column}`).join(", ")})`,
}
