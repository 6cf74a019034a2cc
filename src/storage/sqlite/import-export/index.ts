import {
  type ImportPlan,
  organizationsLeftWithoutAdmin,
  wouldLeaveNoOperator,
} from "../../../domain/import/import-plan.ts"
import type { ImportExport } from "../../port/store.ts"
import { catalogueRevision } from "../engine/catalogue-revision.ts"
import type { Connection } from "../engine/connection.ts"
import { applyPlan } from "./apply-import.ts"
import { knownAdmins, knownOperators, knownThings, snapshotOf } from "./read-export.ts"
import { stagePlan } from "./stage-import.ts"

export function importExport(connection: Connection): ImportExport {
  return {
    async known() {
      return connection.database.transaction(() => knownThings(connection))()
    },
    async apply(plan: ImportPlan, newKeys, checkedRevision, change) {
      using staged = stagePlan(connection, plan)
      return await connection.write.run(() => {
        const isOutdated =
          catalogueRevision(connection) !== checkedRevision ||
          staged.wouldChangeFigures() ||
          wouldLeaveNoOperator(knownOperators(connection), plan.users) ||
          organizationsLeftWithoutAdmin(knownAdmins(connection), plan.users).length > 0
        return isOutdated ? null : applyPlan(connection, plan, staged, newKeys, change)
      })
    },
    async snapshot() {
      return connection.database.transaction(() => snapshotOf(connection))()
    },
  }
}
