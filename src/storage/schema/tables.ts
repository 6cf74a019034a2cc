import { affiliateTables } from "./affiliates.ts"
import { callTables } from "./calls.ts"
import { campaignTables } from "./campaigns.ts"
import { catalogueTables } from "./catalogue.ts"
import { deliveryTables } from "./delivery.ts"
import { feedActivityTables } from "./feed-activity.ts"
import type { Kit } from "./kit.ts"
import { alertTables, operationTables } from "./operations.ts"
import { peopleTables } from "./people.ts"
import { saleTables } from "./sales.ts"
import { uploadTables } from "./uploads.ts"

/** The tables that both engines have. Moments are microseconds since 1970 (UTC), dates are YYYY-MM-DD, flags are 0 or 1. */
export type Tables = ReturnType<typeof tables>

export function tables(kit: Kit) {
  const people = peopleTables(kit)
  const campaigns = campaignTables(kit, people)
  const others = { ...people, ...campaigns }
  return {
    ...others,
    ...catalogueTables(kit, people),
    ...deliveryTables(kit, others),
    ...affiliateTables(kit, others),
    ...uploadTables(kit, people),
    ...feedActivityTables(kit),
    ...callTables(kit),
    ...alertTables(kit),
    ...operationTables(kit, people),
    ...saleTables(kit, others),
  }
}
