import { type Context, change } from "../../../src/actions/context.ts"
import { saveOrganization } from "../../../src/actions/organizations.ts"
import { organizationVersion } from "../../../src/domain/people/organization.ts"
import { addCampaign, type NewCampaign } from "../../../src/storage/campaigns/campaigns.ts"
import { addOrganization, type NewOrganization, organizationById } from "../../../src/storage/organizations.ts"

/** Creates an organization, and returns its ID. */
export const createOrganization = (context: Context, organization: NewOrganization): Promise<number> =>
  change(context, "test", async (tx, audit) => {
    const id = await addOrganization(tx, organization)
    await audit(id, `created the organization ${organization.name}`)
    return id
  })

/** Creates a campaign with this slug and buyer, and returns its ID. */
export const createCampaign = ({ database }: Context, campaign: NewCampaign): Promise<number> =>
  database.transact((tx) => addCampaign(tx, campaign))

/** Changes the time zone, as an admin does in the settings. */
export async function changeTimeZone(context: Context, organizationId: number, timeZone: string): Promise<void> {
  const stored = await organizationById(context.database.read, organizationId)
  if (stored === null) throw new Error(`Organization ${organizationId} doesn't exist.`)
  await saveOrganization(context, "test", organizationId, { timeZone }, organizationVersion(stored))
}
