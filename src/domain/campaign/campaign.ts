import { slugFrom } from "../people/organization.ts"

/** What people edit of a campaign, as typed. The buyer is a name. */
export interface CampaignTexts {
  readonly name: string
  readonly buyer: string
}

/** A digest of what a form shows. If it differs from the stored one, another person has changed the campaign. */
export const campaignVersion = ({ name, buyer }: CampaignTexts): string =>
  Bun.hash(JSON.stringify([name, buyer])).toString(36)

/** A slug for a campaign: from its name, with a number if the seller has another campaign with that slug. */
export function freeSlug(name: string, taken: ReadonlySet<string>): string {
  const wanted = slugFrom(name) || "campaign"
  let slug = wanted
  for (let number = 2; taken.has(slug); number++) slug = `${wanted}-${number}`
  return slug
}

const SUFFIX_CHARACTERS = 6

/** A slug for a new buyer. It always ends at random, because a number would tell a seller that another one sells to this buyer. */
export const buyerSlug = (name: string): string =>
  `${slugFrom(name).slice(0, 50) || "buyer"}-${crypto.randomUUID().slice(0, SUFFIX_CHARACTERS)}`
