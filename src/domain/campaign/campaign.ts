/** What people edit of a campaign. */
export interface CampaignFields {
  readonly name: string
  readonly buyerId: number
}

/** A digest of what a form shows. If it differs from the stored one, another person has changed the campaign. */
export const campaignVersion = ({ name, buyerId }: CampaignFields): string =>
  Bun.hash(JSON.stringify([name, buyerId])).toString(36)
