import { archiveCampaign, removeCampaign } from "../../../actions/campaigns/campaigns.ts"
import { archiveLine, removeLine } from "../../../actions/campaigns/lines.ts"
import type { ShownCampaign, ShownLine } from "../../../storage/port/store.ts"
import { askFirst } from "../ask-first.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { withQuery } from "../paging.ts"
import { ButtonLink, PostButton } from "../parts/blocks.tsx"
import { formatNumber } from "../parts/format.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forAdmin, withFound } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { CAMPAIGN, campaignsOf, findCampaign, findLine, LINE } from "./with-line.ts"

export const ARCHIVED = "archived"

export const showsArchived = (url: URL) => url.searchParams.get(ARCHIVED) === "yes"

/** Leads from a list to what is archived, and back. */
export function ArchivedLink({ url, count }: { readonly url: URL; readonly count: number }) {
  const shows = showsArchived(url)
  if (!shows && count === 0) return null
  // Neither list begins where the other was.
  const plain = new URL(withQuery(new URL(withQuery(url, "from", null), url), "start", null), url)
  return (
    <p class="soft">
      <a href={withQuery(plain, ARCHIVED, shows ? null : "yes")}>
        {shows ? "Show current" : `Show archived (${formatNumber(count)})`}
      </a>
    </p>
  )
}

const HAS_FIGURES = "It has figures, so it can’t be deleted."

/** Why a line cannot be deleted: that would be refused. */
export async function whyLineIsKept(
  { context: { store }, organization }: OrganizationVisit,
  campaign: ShownCampaign,
  { lineId }: ShownLine,
): Promise<string | null> {
  if (await store.campaigns.hasFigures(lineId)) return HAS_FIGURES
  const counts = [false, true].map((archived) => store.campaigns.count(organization.id, campaign, { archived }))
  const [current = 0, archived = 0] = await Promise.all(counts)
  return current + archived === 1 ? "It is the only line, so only the whole campaign can be deleted." : null
}

/** The same of a campaign. Its lines are looked at one by one, until one has figures. */
export async function whyCampaignIsKept(
  { context: { store }, organization }: OrganizationVisit,
  campaign: ShownCampaign,
): Promise<string | null> {
  for (const archived of [false, true])
    for (const { lineId, total } of await store.campaigns.lines(organization.id, campaign, { archived }))
      if (total !== null || (await store.campaigns.hasFigures(lineId))) return HAS_FIGURES
  return null
}

interface ArchiveSectionProps {
  readonly href: string
  readonly archived: boolean
  readonly what: "campaign" | "line"
  readonly keptBecause: string | null
}

/** Below the form of a campaign or a line. */
export function ArchiveSection({ href, archived, what, keptBecause }: ArchiveSectionProps) {
  const about = archived
    ? `This ${what} is hidden from lists. Reports are still accepted.`
    : `An archived ${what} is hidden from lists. Nothing is lost, and reports are still accepted.`
  return (
    <section class="card narrow">
      <h2>{archived ? "Archived" : keptBecause === null ? "Archive or delete" : "Archive"}</h2>
      <p class="soft">
        {about} {keptBecause}
      </p>
      <div class="actions">
        <PostButton
          action={`${href}/${archived ? "unarchive" : "archive"}`}
          label={archived ? `Restore ${what}` : `Archive ${what}`}
        />
        {keptBecause === null && <ButtonLink kind="quiet danger" href={`${href}/delete`} label={`Delete ${what}`} />}
      </div>
    </section>
  )
}

/** A campaign or a line, and what may happen to it. */
interface Subject {
  readonly what: "campaign" | "line"
  readonly name: string
  readonly href: string
  readonly above: string
  /** Where another one is made. */
  readonly next: string
  readonly alsoDeleted: string
  archive(isArchived: boolean): Promise<unknown>
  remove(): Promise<"done" | "not found" | "has figures" | "last line">
}

async function ownCampaign(visit: OrganizationVisit): Promise<Subject | null> {
  const { context, organization, actor } = visit
  const campaign = await findCampaign(visit)
  if (!campaign?.isSoleSeller) return null
  const { slug, name } = campaign
  return {
    what: "campaign",
    name,
    href: `${campaignsOf(visit)}/${slug}`,
    above: campaignsOf(visit),
    next: `/app/o/${organization.slug}/new-campaign`,
    alsoDeleted: "Its lines and share links are deleted too. ",
    archive: (isArchived) => archiveCampaign(context, organization, slug, isArchived, actor),
    remove: () => removeCampaign(context, organization, slug, actor),
  }
}

async function ownLine(visit: OrganizationVisit): Promise<Subject | null> {
  const { context, organization, actor } = visit
  const found = await findLine(visit)
  if (found?.line.seller.id !== organization.id) return null
  const { name, packageId } = found.line
  const above = `${campaignsOf(visit)}/${found.campaign.slug}`
  return {
    what: "line",
    name,
    href: found.href,
    above,
    next: `${above}/new-line`,
    alsoDeleted: "",
    archive: (isArchived) => archiveLine(context, organization, packageId, isArchived, actor),
    remove: () => removeLine(context, organization, packageId, actor),
  }
}

const archive = (isArchived: boolean) => async (visit: OrganizationVisit, subject: Subject) => {
  const { what, href, above } = subject
  await subject.archive(isArchived)
  const said = isArchived
    ? done(`The ${what} is archived.`, `${above}?${ARCHIVED}=yes`, `Archived ${what}s`)
    : done(`The ${what} is back.`, above, `All ${what}s`)
  return goTo(visit, href, said)
}

const question = (_: OrganizationVisit, { what, name, href, alsoDeleted }: Subject) => ({
  href: `${href}/delete`,
  question: `Delete ${name}?`,
  text: `${alsoDeleted}This cannot be undone.`,
  submit: `Delete ${what}`,
  cancel: `${href}/edit`,
})

async function remove(visit: OrganizationVisit, { what, name, href, above, next, ...subject }: Subject) {
  switch (await subject.remove()) {
    case "not found":
      return pageNotFound(visit)
    case "has figures":
      return goTo(visit, href, problem("It has figures, so it can’t be deleted. Archive it instead."))
    case "last line":
      return goTo(visit, href, problem("This is the only line of the campaign. Delete the campaign instead."))
    case "done":
      return goTo(visit, above, done(`${name} has been deleted.`, next, `Add another ${what}`))
  }
}

const routesOf = (path: string, find: typeof ownLine) => [
  forAdmin("POST", `${path}/archive`, withFound(find, archive(true))),
  forAdmin("POST", `${path}/unarchive`, withFound(find, archive(false))),
  ...askFirst(forAdmin, `${path}/delete`, find, remove, question),
]

export const archiveRoutes = [...routesOf(CAMPAIGN, ownCampaign), ...routesOf(LINE, ownLine)]
