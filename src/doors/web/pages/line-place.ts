import { type LineViewer, viewerOf } from "../../../domain/delivery/line-viewer.ts"
import type { ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { withCampaign } from "./campaign.tsx"
import { pageNotFound } from "./refusals.tsx"

export interface LinePlace {
  readonly visit: OrganizationVisit
  readonly campaign: ShownCampaign
  readonly line: ShownLine
  /** What the visitor may know about the line. */
  readonly viewer: LineViewer
  /** The address of the line's own page. */
  readonly href: string
}

/** The line in the path, as the organization may see it; the same page for another's and for none. */
export function withLine(
  visit: OrganizationVisit,
  answer: (place: LinePlace) => Response | Promise<Response>,
): Promise<Response> {
  const packageId = param(visit, "package").toLowerCase()
  const answerFor = (campaign: ShownCampaign) => {
    const [line] = campaign.lines
    if (line === undefined) return pageNotFound(visit)
    const href = `/app/o/${visit.organization.slug}/campaigns/${campaign.slug}/lines/${line.packageId}`
    const { organization, person } = visit
    const viewer = viewerOf(line, { organizationId: organization.id, isOperator: person.isOperator })
    return answer({ visit, campaign, line, viewer, href })
  }
  return withCampaign(visit, answerFor, { packageId })
}
