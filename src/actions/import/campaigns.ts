import { eq } from "drizzle-orm"
import type { ImportedCampaign } from "../../domain/import/import-file.ts"
import { slugProblem } from "../../domain/people/organization.ts"
import { nameProblem, storedName } from "../../domain/people/person.ts"
import { addCampaign, updateCampaign } from "../../storage/campaigns/campaigns.ts"
import { linesInUse } from "../../storage/campaigns/lines.ts"
import {
  addProblem,
  type Count,
  type Importing,
  isSound,
  organizationId,
  refuseRepeated,
  UNKNOWN_ID,
} from "./importing.ts"

interface StoredCampaign {
  readonly id: number
  readonly slug: string
  readonly ownerId: number | null
  readonly buyerId: number
}

export interface ImportedCampaigns extends Count {
  /** The ID of each campaign, in the order of the file. */
  readonly ids: readonly number[]
}

/** Creates or updates the campaigns of the file. */
export async function importCampaigns(
  importing: Importing,
  entries: readonly ImportedCampaign[],
): Promise<ImportedCampaigns> {
  const { tx } = importing
  refuseRepeated(importing, "/campaigns", entries, ({ slug, owner = "" }) => [`${slug} ${owner}`, "slug"])
  const { id, slug, ownerId, buyerId } = tx.campaign
  const stored = await tx.db.select({ id, slug, ownerId, buyerId }).from(tx.campaign)
  const ids: number[] = []
  let created = 0
  for (const [i, entry] of entries.entries()) {
    const known = checkCampaign(importing, entry, stored, `/campaigns/${i}`)
    const { buyerId, owner } = organizationsOf(importing, entry, `/campaigns/${i}`)
    if (known === undefined) created++
    else if (known.buyerId !== buyerId && buyerId !== UNKNOWN_ID)
      await refuseNewBuyer(importing, known, `/campaigns/${i}/buyer`)
    if (!isSound(importing)) {
      ids.push(known?.id ?? UNKNOWN_ID)
      continue
    }
    const fields = {
      name: storedName(entry.name),
      buyerId,
      ...(entry.archived !== undefined && { archived: Number(entry.archived) }),
    }
    if (known === undefined)
      ids.push(await addCampaign(tx, { ...fields, slug: entry.slug, ...(owner !== null && { ownerId: owner }) }))
    else {
      await updateCampaign(tx, known.id, fields)
      ids.push(known.id)
    }
  }
  return { created, updated: entries.length - created, ids }
}

/** The new buyer would see all totals, and in the app a person has to confirm that. */
async function refuseNewBuyer(importing: Importing, { id }: StoredCampaign, pointer: string): Promise<void> {
  const { db, line } = importing.tx
  const lines = await db.select({ id: line.id }).from(line).where(eq(line.campaignId, id))
  const lineIds = lines.map((each) => each.id)
  if ((await linesInUse(importing.tx, lineIds)).size === 0) return
  addProblem(importing, pointer, "This can't change once totals are reported. The app can change it, and asks first.")
}

function organizationsOf(importing: Importing, { buyer, owner }: ImportedCampaign, pointer: string) {
  return {
    buyerId: organizationId(importing, buyer, `${pointer}/buyer`),
    owner: owner === undefined ? null : organizationId(importing, owner, `${pointer}/owner`),
  }
}

/** Reports the problems of an entry. Returns the campaign that it updates, if there is one. */
function checkCampaign(
  importing: Importing,
  { slug, name, owner }: ImportedCampaign,
  stored: readonly StoredCampaign[],
  pointer: string,
): StoredCampaign | undefined {
  const errors = { slug: slugProblem(slug), name: nameProblem(name) }
  for (const [field, error] of Object.entries(errors))
    if (error !== undefined) addProblem(importing, `${pointer}/${field}`, error)
  const same = stored.filter((campaign) => campaign.slug === slug)
  if (owner !== undefined) return same.find(({ ownerId }) => ownerId === importing.organizations.get(owner))
  const imported = same.find(({ ownerId }) => ownerId === null)
  if (imported === undefined && same.length > 1)
    addProblem(importing, `${pointer}/slug`, `Several sellers have a campaign "${slug}". Name its owner.`)
  return imported ?? same[0]
}
