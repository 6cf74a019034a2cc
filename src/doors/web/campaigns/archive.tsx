import { archiveCampaign, removeCampaign } from "../../../actions/campaigns/campaigns.ts"
import { archiveLine, removeLine } from "../../../actions/campaigns/lines.ts"
import type { ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { ButtonLink } from "../parts/buttons.tsx"
import { confirmPage } from "../parts/page.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forAdmin } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { campaignsOf, withCampaign } from "./campaign.tsx"
import { type LineVisit, withLine } from "./with-line.ts"

interface ArchiveSectionProps {
  /** The address of the campaign or line. */
  readonly href: string
  readonly archived: boolean
  readonly what: "campaign" | "line"
  /** Why it cannot be deleted; null where it can. */
  readonly keptBecause: string | null
}

/** Why a line cannot be deleted: that would be refused. */
export async function whyLineIsKept(
  { context: { store }, organization, now }: OrganizationVisit,
  campaign: ShownCampaign,
  { lineId }: ShownLine,
): Promise<string | null> {
  if (await store.campaigns.hasFigures(lineId)) return "It has figures, so it cannot be deleted."
  const counts = [false, true].map((archived) => store.campaigns.summary(organization.id, campaign, { archived }, now))
  const lines = (await Promise.all(counts)).reduce((sum, summary) => sum + summary.lines, 0)
  return lines === 1 ? "It is the only line, so only the whole campaign can be deleted." : null
}

/** The same of a campaign. Its lines are looked at one by one, until one has figures. */
export async function whyCampaignIsKept(
  { context: { store }, organization }: OrganizationVisit,
  campaign: ShownCampaign,
): Promise<string | null> {
  for (const archived of [false, true])
    for (const { lineId, total } of await store.campaigns.lines(organization.id, campaign, { archived }))
      if (total !== null || (await store.campaigns.hasFigures(lineId)))
        return "It has figures, so it cannot be deleted."
  return null
}

/** Below the form of a campaign or a line. */
export function ArchiveSection({ href, archived, what, keptBecause }: ArchiveSectionProps) {
  const about = archived
    ? `This ${what} is left out of lists. Reports are still accepted.`
    : `An archived ${what} is left out of lists; nothing is lost, and reports are still accepted.`
  return (
    <section class="card narrow">
      <h2>{archived ? "Archived" : keptBecause === null ? "Archive or delete" : "Archive"}</h2>
      <p class="soft">
        {about} {keptBecause}
      </p>
      <div class="actions">
        <form method="post" action={`${href}/${archived ? "unarchive" : "archive"}`}>
          <button type="submit" class="button">
            {archived ? `Restore ${what}` : `Archive ${what}`}
          </button>
        </form>
        {keptBecause === null && <ButtonLink kind="quiet danger" href={`${href}/delete`} label={`Delete ${what}`} />}
      </div>
    </section>
  )
}

const HAS_FIGURES = problem("It has figures, so it can’t be deleted. Archive it instead.")

const hrefOf = (visit: OrganizationVisit, { slug }: ShownCampaign) => `${campaignsOf(visit)}/${slug}`

function setCampaign(archived: boolean) {
  return async (visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> => {
    if (!campaign.isSoleSeller) return pageNotFound(visit)
    await archiveCampaign(visit.context, visit.organization, campaign.slug, archived, visit.actor)
    return goTo(visit, hrefOf(visit, campaign), done(archived ? "The campaign is archived." : "The campaign is back."))
  }
}

function askCampaign(visit: OrganizationVisit, campaign: ShownCampaign): Response {
  if (!campaign.isSoleSeller) return pageNotFound(visit)
  const href = hrefOf(visit, campaign)
  return confirmPage(visit, {
    title: "Delete campaign",
    active: campaignsOf(visit),
    question: `Delete ${campaign.name}?`,
    text: "Its lines and share links are deleted too. This cannot be undone.",
    action: `${href}/delete`,
    submit: "Delete campaign",
    cancel: `${href}/edit`,
  })
}

async function deleteCampaign(visit: OrganizationVisit, { slug, name }: ShownCampaign): Promise<Response> {
  const outcome = await removeCampaign(visit.context, visit.organization, slug, visit.actor)
  if (outcome === "not found") return pageNotFound(visit)
  if (outcome === "has figures") return goTo(visit, `${campaignsOf(visit)}/${slug}`, HAS_FIGURES)
  return goTo(visit, campaignsOf(visit), done(`${name} has been deleted.`))
}

const isSeller = ({ visit, line }: LineVisit) => line.seller.id === visit.organization.id

function setLine(archived: boolean) {
  return async (place: LineVisit): Promise<Response> => {
    const { visit, line, href } = place
    if (!isSeller(place)) return pageNotFound(visit)
    await archiveLine(visit.context, visit.organization, line.packageId, archived, visit.actor)
    return goTo(visit, href, done(archived ? "The line is archived." : "The line is back."))
  }
}

function askLine(place: LineVisit): Response {
  const { visit, line, href } = place
  if (!isSeller(place)) return pageNotFound(visit)
  return confirmPage(visit, {
    title: "Delete line",
    active: campaignsOf(visit),
    question: `Delete ${line.name}?`,
    text: "This cannot be undone.",
    action: `${href}/delete`,
    submit: "Delete line",
    cancel: `${href}/edit`,
  })
}

async function deleteLine({ visit, campaign, line, href }: LineVisit): Promise<Response> {
  const outcome = await removeLine(visit.context, visit.organization, line.packageId, visit.actor)
  switch (outcome) {
    case "not found":
      return pageNotFound(visit)
    case "has figures":
      return goTo(visit, href, HAS_FIGURES)
    case "last line":
      return goTo(visit, href, problem("This is the only line of the campaign. Delete the campaign instead."))
    case "done":
      return goTo(visit, hrefOf(visit, campaign), done(`${line.name} has been deleted.`))
  }
}

const CAMPAIGN = "/app/o/:org/campaigns/:campaign"
const LINE = `${CAMPAIGN}/lines/:package`

export const archiveRoutes = [
  forAdmin("POST", `${CAMPAIGN}/archive`, withCampaign(setCampaign(true))),
  forAdmin("POST", `${CAMPAIGN}/unarchive`, withCampaign(setCampaign(false))),
  forAdmin("GET", `${CAMPAIGN}/delete`, withCampaign(askCampaign)),
  forAdmin("POST", `${CAMPAIGN}/delete`, withCampaign(deleteCampaign)),
  forAdmin("POST", `${LINE}/archive`, withLine(setLine(true))),
  forAdmin("POST", `${LINE}/unarchive`, withLine(setLine(false))),
  forAdmin("GET", `${LINE}/delete`, withLine(askLine)),
  forAdmin("POST", `${LINE}/delete`, withLine(deleteLine)),
]
