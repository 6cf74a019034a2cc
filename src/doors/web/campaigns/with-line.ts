import { type LineViewer, viewerOf } from "../../../domain/delivery/line-viewer.ts"
import type { ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import type { Answer } from "../route.ts"
import { type OrganizationVisit, param } from "../visit.ts"
import { campaignsOf, withCampaign } from "./campaign.tsx"

export interface LineVisit {
  readonly visit: OrganizationVisit
  readonly campaign: ShownCampaign
  readonly line: ShownLine
  /** What the visitor may see of the line. */
  readonly viewer: LineViewer
  /** The address of the line's own page. */
  readonly href: string
}

/** Answers with the line in the path, as the organization may see it; "not found" for somebody else's too. */
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
