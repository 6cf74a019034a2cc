import { organizationsLeftWithoutAdmin, wouldLeaveNoOperator } from "../../../domain/import/last-of-its-kind.ts"
import type { ImportExport } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { applyPlan, wouldChangeFigures } from "./apply-import.ts"
import { PLAN_SQL } from "./plan-sql.ts"
import { knownRights, knownThings, snapshotOf } from "./read-export.ts"

// A hundred thousand lines take some seconds.
const LONG = { withinMs: 120_000 }

export function importExport({ read, change }: Connection): ImportExport {
  return {
    known: () => read(knownThings, LONG),
    apply: (plan, newKeys, checkedRevision, by) =>
      change(
        async (transaction) => {
          if (transaction.catalogue !== checkedRevision) return null
          await transaction.rows(PLAN_SQL.useMemory)
          if (await wouldChangeFigures(transaction, plan)) return null
          const { operators, admins } = await knownRights(transaction)
          const isOutdated =
            wouldLeaveNoOperator(operators, plan.users) || organizationsLeftWithoutAdmin(admins, plan.users).length > 0
          return isOutdated ? null : applyPlan(transaction, plan, newKeys, by)
        },
        { ...LONG, moves: "catalogue" },
      ),
    snapshot: () => read(snapshotOf, LONG),
  }
}
