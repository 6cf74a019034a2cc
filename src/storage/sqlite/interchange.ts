import type { ImportPlan } from "../../domain/import-plan.ts"
import type { Interchange } from "../store.ts"
import { catalogueRevision } from "./catalogue.ts"
import type { Connection } from "./connection.ts"
import { applyPlan } from "./interchange-apply.ts"
import { knownThings, snapshotOf } from "./interchange-read.ts"
import { stagePlan } from "./interchange-stage.ts"

export function interchange(connection: Connection): Interchange {
  return {
    async known() {
      return connection.database.transaction(() => knownThings(connection))()
    },
    async apply(plan: ImportPlan, newKeys, checkedAt, change) {
      using staged = stagePlan(connection, plan)
      return await connection.write.run(() => {
        const isOfThePast = catalogueRevision(connection) !== checkedAt || staged.wouldChangeFigures()
        return isOfThePast ? null : applyPlan(connection, plan, staged, newKeys, change)
      })
    },
    async snapshot() {
      return connection.database.transaction(() => snapshotOf(connection))()
    },
  }
}
