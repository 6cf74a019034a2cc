import { campaignTables, lineTables } from "./campaigns.ts"
import { catalogueTables } from "./catalogue.ts"
import { affiliateTables, sourceTables, totalTables } from "./delivery.ts"
import type { Kit } from "./kit.ts"
import { alertTables, callTables, feedActivityTables, operationTables } from "./operations.ts"
import { peopleTables, signInTables } from "./people.ts"
import { orderTables, statementTables } from "./sales.ts"
import { uploadTables } from "./uploads.ts"

/** The tables that both engines have. Moments are microseconds since 1970 (UTC), dates are YYYY-MM-DD, flags are 0 or 1. */
export type Tables = ReturnType<typeof tables>

export function tables(kit: Kit) {
  const people = peopleTables(kit)
  const campaigns = { ...people, ...campaignTables(kit, people) }
  const lines = { ...campaigns, ...lineTables(kit, campaigns) }
  return {
    ...lines,
    ...signInTables(kit, people),
    ...catalogueTables(kit, people),
    ...sourceTables(kit, lines),
    ...totalTables(kit, lines),
    ...affiliateTables(kit, lines),
    ...uploadTables(kit, people),
    ...feedActivityTables(kit),
    ...callTables(kit),
    ...alertTables(kit),
    ...operationTables(kit, people),
    ...orderTables(kit, people),
    ...statementTables(kit, campaigns),
  }
}
