import { slugFrom } from "../people/organization.ts"

/** The fields of a campaign that people edit, as typed. The buyer is a name. */
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

/**
 * A slug for a new buyer. It always ends in random characters, because a number would reveal that another seller has
 * this buyer.
 */
export const buyerSlug = (name: string): string =>
  `${slugFrom(name).slice(0, 50) || "buyer"}-${crypto.randomUUID().slice(0, SUFFIX_CHARACTERS)}`
