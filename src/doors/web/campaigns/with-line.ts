import { type LineViewer, viewerOf } from "../../../domain/delivery/line-viewer.ts"
import type { FlyingLine, LineChoice, ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { type PageAnswer, withFound } from "../guards.ts"
import type { Trail } from "../parts/page.tsx"
import { type OrganizationVisit, param } from "../visit.ts"

export const CAMPAIGN = "/app/o/:org/campaigns/:campaign"
export const LINE = `${CAMPAIGN}/lines/:package`

export const campaignsOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/campaigns`

/** The breadcrumb of a page below the list of campaigns, or below one of them. */
export function trailTo(visit: OrganizationVisit, campaign?: ShownCampaign): Trail {
  const href = campaignsOf(visit)
  const own = campaign === undefined ? [] : [{ href: `${href}/${campaign.slug}`, label: campaign.name }]
  return [{ href, label: "Campaigns" }, ...own]
}

export const lineHref = ({ organization }: OrganizationVisit, { campaign, packageId }: FlyingLine) =>
  `/app/o/${organization.slug}/campaigns/${campaign.slug}/lines/${packageId}`

/** The campaign in the path, as the organization may see it; null for somebody else's too. */
export const findCampaign = (visit: OrganizationVisit, choice?: LineChoice): Promise<ShownCampaign | null> =>
  visit.context.store.campaigns.find(visit.organization.id, param(visit, "campaign"), choice)

const findCampaignThat = (is: "sells" | "isSoleSeller") => async (visit: OrganizationVisit) => {
  const campaign = await findCampaign(visit)
  return campaign?.[is] ? campaign : null
}

/** The same, if the organization sells a line of it. */
export const findSoldCampaign = findCampaignThat("sells")
/** The same, if nobody else does. */
export const findOwnCampaign = findCampaignThat("isSoleSeller")

export const withCampaign = (show: (visit: OrganizationVisit, campaign: ShownCampaign) => PageAnswer) =>
  withFound((visit: OrganizationVisit) => findCampaign(visit), show)

export interface LineVisit {
  readonly visit: OrganizationVisit
  readonly campaign: ShownCampaign
  readonly line: ShownLine
  readonly viewer: LineViewer
  readonly href: string
}

/** The same with the line in the path. */
export async function findLine(visit: OrganizationVisit): Promise<LineVisit | null> {
  const campaign = await findCampaign(visit, { packageId: param(visit, "package").toLowerCase() })
  const line = campaign?.lines[0]
  if (campaign === null || line === undefined) return null
  const href = `${campaignsOf(visit)}/${campaign.slug}/lines/${line.packageId}`
  const { organization, person } = visit
  const viewer = viewerOf(line, { organizationId: organization.id, isOperator: person.isOperator })
  return { visit, campaign, line, viewer, href }
}

export async function findOwnLine(visit: OrganizationVisit): Promise<LineVisit | null> {
  const found = await findLine(visit)
  return found?.line.seller.id === visit.organization.id ? found : null
}

export const withLine = (show: (place: LineVisit) => PageAnswer) => withFound(findLine, (_, place) => show(place))
