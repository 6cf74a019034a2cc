import { archiveCampaign, removeCampaign } from "../../../actions/campaigns/campaigns.ts"
import { archiveLine, removeLine } from "../../../actions/campaigns/lines.ts"
import type { ShownCampaign } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { askFirst, forAdmin, withFound } from "../guards.ts"
import { ButtonLink, PostButton } from "../parts/blocks.tsx"
import { formatNumber } from "../parts/format.tsx"
import { done, goTo, problem } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { CAMPAIGN, campaignsOf, findOwnCampaign, findOwnLine, LINE, type LineVisit } from "./with-line.ts"

export const ARCHIVED = "archived"

export const showsArchived = (url: URL) => url.searchParams.get(ARCHIVED) === "yes"

/** Leads from a list to what is archived, and back. */
export function ArchivedLink({ url, count }: { readonly url: URL; readonly count: number }) {
  const shows = showsArchived(url)
  if (!shows && count === 0) return null
  return (
    <p class="soft">
      <a href={shows ? url.pathname : `?${ARCHIVED}=yes`}>
        {shows ? "Show current" : `Show archived (${formatNumber(count)})`}
      </a>
    </p>
  )
}

/** A campaign or a line of the visitor's own, and what may happen to it. `next` is where another one is made. */
type Subject = ReturnType<typeof subjectOfCampaign | typeof subjectOfLine>

const HAS_FIGURES = "It has figures, so it can’t be deleted."

export function subjectOfCampaign(visit: OrganizationVisit, campaign: ShownCampaign) {
  const { context, organization, actor } = visit
  const { campaigns } = context.store
  const { slug, name, archived } = campaign
  const above = campaignsOf(visit)
  return {
    ...{ what: "campaign" as const, name, archived, href: `${above}/${slug}`, above },
    next: `/app/o/${organization.slug}/new-campaign`,
    alsoDeleted: "Its lines and share links are deleted too. ",
    /** Why it cannot be deleted: that would be refused. Its lines are looked at one by one, until one has figures. */
    async keptBecause() {
      for (const among of [false, true])
        for (const { lineId, total } of await campaigns.lines(organization.id, campaign, { archived: among }))
          if (total !== null || (await campaigns.hasFigures(lineId))) return HAS_FIGURES
      return null
    },
    archive: (isArchived: boolean) => archiveCampaign(context, organization, slug, isArchived, actor),
    remove: () => removeCampaign(context, organization, slug, actor),
  }
}

export function subjectOfLine({ visit, campaign, line, href }: LineVisit) {
  const { context, organization, actor } = visit
  const { campaigns } = context.store
  const { name, archived, packageId, lineId } = line
  const above = `${campaignsOf(visit)}/${campaign.slug}`
  return {
    ...{ what: "line" as const, name, archived, href, above, next: `${above}/new-line`, alsoDeleted: "" },
    async keptBecause() {
      if (await campaigns.hasFigures(lineId)) return HAS_FIGURES
      const counts = [false, true].map((among) => campaigns.count(organization.id, campaign, { archived: among }))
      const [current = 0, others = 0] = await Promise.all(counts)
      return current + others === 1 ? "It is the only line, so only the whole campaign can be deleted." : null
    },
    archive: (isArchived: boolean) => archiveLine(context, organization, packageId, isArchived, actor),
    remove: () => removeLine(context, organization, packageId, actor),
  }
}

/** Below the form of a campaign or a line. */
export async function archiveSection({ what, href, archived, keptBecause }: Subject) {
  const kept = await keptBecause()
  const [verb, label] = archived ? ["unarchive", "Restore"] : ["archive", "Archive"]
  const about = archived
    ? `This ${what} is hidden from lists. Reports are still accepted.`
    : `An archived ${what} is hidden from lists. Nothing is lost, and reports are still accepted.`
  return (
    <section class="card narrow">
      <h2>{archived ? "Archived" : kept === null ? "Archive or delete" : "Archive"}</h2>
      <p class="soft">
        {about} {kept}
      </p>
      <div class="actions">
        <PostButton action={`${href}/${verb}`} label={`${label} ${what}`} />
        {kept === null && <ButtonLink kind="quiet danger" href={`${href}/delete`} label={`Delete ${what}`} />}
      </div>
    </section>
  )
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
  title: `Delete ${name}?`,
  text: `${alsoDeleted}This cannot be undone.`,
  submit: `Delete ${what}`,
  cancel: `${href}/edit`,
})

const REFUSED = {
  "has figures": `${HAS_FIGURES} Archive it instead.`,
  "last line": "This is the only line of the campaign. Delete the campaign instead.",
}

async function remove(visit: OrganizationVisit, { what, name, href, above, next, ...subject }: Subject) {
  const removed = await subject.remove()
  if (removed === "not found") return pageNotFound(visit)
  if (removed !== "done") return goTo(visit, href, problem(REFUSED[removed]))
  return goTo(visit, above, done(`${name} has been deleted.`, next, `Add another ${what}`))
}

const routesOf = (path: string, find: (visit: OrganizationVisit) => Promise<Subject | null>) => [
  forAdmin("POST", `${path}/archive`, withFound(find, archive(true))),
  forAdmin("POST", `${path}/unarchive`, withFound(find, archive(false))),
  ...askFirst(forAdmin, `${path}/delete`, find, remove, question),
]

export const archiveRoutes = [
  ...routesOf(CAMPAIGN, async (visit) => {
    const campaign = await findOwnCampaign(visit)
    return campaign && subjectOfCampaign(visit, campaign)
  }),
  ...routesOf(LINE, async (visit) => {
    const place = await findOwnLine(visit)
    return place && subjectOfLine(place)
  }),
]
