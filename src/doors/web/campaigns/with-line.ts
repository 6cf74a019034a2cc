import { type LineViewer, viewerOf } from "../../../domain/delivery/line-viewer.ts"
import type { LineChoice, ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import type { Trail } from "../parts/page.tsx"
import { type Answer, withFound } from "../route.ts"
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

/** Answers with the campaign in the path, as the organization may see it; "not found" for somebody else's too. */
export function withCampaign(
  show: (visit: OrganizationVisit, campaign: ShownCampaign) => Answer,
  choiceOf: (visit: OrganizationVisit) => LineChoice | undefined = () => undefined,
) {
  return withFound(
    (visit: OrganizationVisit) =>
      visit.context.store.campaigns.find(visit.organization.id, param(visit, "campaign"), choiceOf(visit)),
    show,
  )
}

export interface LineVisit {
  readonly visit: OrganizationVisit
  readonly campaign: ShownCampaign
  readonly line: ShownLine
  readonly viewer: LineViewer
  readonly href: string
}

/** The same with the line in the path. */
export function withLine(show: (place: LineVisit) => Answer) {
  return withCampaign(
    (visit, campaign) => {
      const [line] = campaign.lines
      if (line === undefined) return pageNotFound(visit)
      const href = `${campaignsOf(visit)}/${campaign.slug}/lines/${line.packageId}`
      const { organization, person } = visit
      const viewer = viewerOf(line, { organizationId: organization.id, isOperator: person.isOperator })
      return show({ visit, campaign, line, viewer, href })
    },
    (visit) => ({ packageId: param(visit, "package").toLowerCase() }),
  )
}
