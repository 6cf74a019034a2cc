import { getTableName, type Table } from "drizzle-orm"
import type { Forgets } from "../schema/table-properties.ts"
import { describedTable } from "../schema/tables.ts"
import type { Tx } from "./step.ts"

/** A transaction that notes which tables it changes, but not by SQL in `statement`: then the step calls `movesCatalogue`. */
export function notingWrites(given: Tx): { readonly tx: Tx; readonly forgets: () => Forgets } {
  const { db } = given
  const forgotten = new Set<Forgets>()
  const note = (table: string) => forgotten.add(describedTable(table).properties.forgets)
  const noting =
    <Begun>(begin: (table: never) => Begun) =>
    (table: Table): Begun => {
      note(getTableName(table))
      return begin.call(db, table as never)
    }
  const changing = { insert: noting(db.insert), update: noting(db.update), delete: noting(db.delete) }
  const tx: Tx = {
    ...given,
    db: Object.assign(Object.create(db) as Tx["db"], changing),
    insertMany(table, ...rows) {
      note(table)
      return given.insertMany(table, ...rows)
    },
    movesCatalogue: () => void forgotten.add("catalogue"),
  }
  return { tx, forgets: () => most(forgotten) }
}

function most(forgotten: ReadonlySet<Forgets>): Forgets {
  if (forgotten.has("catalogue")) return "catalogue"
  return forgotten.has("terms") ? "terms" : "nothing"
}
