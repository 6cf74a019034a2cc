import type { ImportPlan } from "../../domain/import-plan.ts"
import type { Interchange } from "../store.ts"
import { catalogueRevision } from "./catalogue.ts"
import type { Connection } from "./connection.ts"
import { applyPlan } from "./interchange-apply.ts"
import { knownThings, snapshotOf } from "./interchange-read.ts"

export function interchange(connection: Connection): Interchange {
  return {
    async known() {
      return connection.database.transaction(() => knownThings(connection))()
    },
    apply: (plan: ImportPlan, newKeys, checkedAt, change) =>
      connection.write.run(() =>
        catalogueRevision(connection) === checkedAt ? applyPlan(connection, plan, newKeys, change) : null,
      ),
    async snapshot() {
      return connection.database.transaction(() => snapshotOf(connection))()
    },
  }
}
