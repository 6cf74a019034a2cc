import { type Context, change } from "../../../src/actions/context.ts"
import { saveOrganization } from "../../../src/actions/organizations.ts"
import { organizationVersion } from "../../../src/domain/people/organization.ts"
import type { NewCampaign } from "../../../src/storage/campaigns/campaigns.ts"
import { type NewOrganization, organizationById } from "../../../src/storage/organizations.ts"
import { addRow } from "../../../src/storage/sql-text.ts"

/** Creates an organization, and returns its ID. */
export const createOrganization = (context: Context, organization: NewOrganization): Promise<number> =>
  change(context, "test", async (tx, audit) => {
    const id = await addRow(tx, "organization", organization)
    await audit(id, `created the organization ${organization.name}`)
    return id
  })

/** Creates a campaign with this slug and buyer, and returns its ID. */
export const createCampaign = ({ database }: Context, campaign: NewCampaign): Promise<number> =>
  database.transact((tx) => addRow(tx, "campaign", campaign))

/** Changes the time zone, as an admin does in the settings. */
export async function changeTimeZone(context: Context, organizationId: number, timeZone: string): Promise<void> {
  const stored = await organizationById(context.database.read, organizationId)
  if (stored === null) throw new Error(`Organization ${organizationId} doesn't exist.`)
  await saveOrganization(context, "test", organizationId, { timeZone }, organizationVersion(stored))
}
