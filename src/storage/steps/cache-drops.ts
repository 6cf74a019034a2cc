import { getTableName, type Table } from "drizzle-orm"
import type { Tx } from "./step.ts"

/** What servers have to forget after a change: nothing, what they remember of terms and keys, or of the catalogue too. */
export type Forgets = "nothing" | "terms" | "catalogue"

// No server keeps anything of these in memory.
const NEVER_REMEMBERED = new Set(
  [
    "user membership session recovery_code one_time_link invitation share_link setting alert alert_message",
    "upload upload_part upload_column agent_call audit_entry refusal feed_count rejected_item order_link sale_order sale_statement",
    "delivery_day outdated_days",
  ].flatMap((names) => names.split(" ")),
)
const CATALOGUE = new Set(["product", "creative_format", "opening"])

/** A transaction that notes which tables it changes, but not by SQL in `statement`: then the step calls `movesCatalogue`. */
export function notingWrites(given: Tx): { readonly tx: Tx; readonly forgets: () => Forgets } {
  const { db } = given
  const written = new Set<string>()
  const noting =
    <Begun>(begin: (table: never) => Begun) =>
    (table: Table): Begun => {
      written.add(getTableName(table))
      return begin.call(db, table as never)
    }
  const changing = { insert: noting(db.insert), update: noting(db.update), delete: noting(db.delete) }
  const tx: Tx = {
    ...given,
    db: Object.assign(Object.create(db) as Tx["db"], changing),
    insertMany(table, ...rows) {
      written.add(table)
      return given.insertMany(table, ...rows)
    },
    movesCatalogue: () => void written.add("opening"),
  }
  return { tx, forgets: () => whatToForget(written) }
}

function whatToForget(written: ReadonlySet<string>): Forgets {
  if (written.isSubsetOf(NEVER_REMEMBERED)) return "nothing"
  return written.isDisjointFrom(CATALOGUE) ? "terms" : "catalogue"
}
