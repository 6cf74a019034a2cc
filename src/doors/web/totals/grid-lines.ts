import { isTotalDue, takesTotal } from "../../../domain/campaign/line-state.ts"
import { nextTurn } from "../../../domain/event-loop.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import { MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import type { OrganizationVisit } from "../visit.ts"

export const LINES_PER_PAGE = 50
// Lines that ended longer ago are reported on their own page.
const ENDED_DAYS = 7

export type GridLines = Awaited<ReturnType<typeof gridLines>>

/** Every line that somebody may want to type a total of, by campaign and name: all are counted, those of a page are read whole. */
export async function gridLines(visit: OrganizationVisit) {
  const { context, organization, now, url } = visit
  const { campaigns } = context.store
  const to = dayOf(now, organization.timeZone)
  const from = dayOf(now - ENDED_DAYS * MICROS_PER_DAY, organization.timeZone)
  const listed = await campaigns.listedInFlight(organization.id, { from, to })
  // With thousands of lines each step takes some milliseconds: others are served in between.
  await nextTurn()
  const all = listed.filter((line) => takesTotal(line, now))
  await nextTurn()
  const due = all.filter((line) => isTotalDue(line, now))
  const isOnlyDue = url.searchParams.get("only") === "due"
  const chosen = Map.groupBy(isOnlyDue ? due : all, ({ campaignId }) => campaignId)
  let count = 0
  const groups = (await campaigns.list(organization.id))
    .filter(({ id }) => chosen.has(id))
    .toSorted((a, b) => compareNames(a.name, b.name) || a.id - b.id)
    .map(({ id, slug }) => {
      const ids = (chosen.get(id) ?? []).map(({ lineId }) => lineId)
      count += ids.length
      return { slug, ids, start: count - ids.length }
    })
  const placeOf = new Map(groups.map(({ slug, start }) => [slug, start]))
  const inOrder = (a: FlyingLine, b: FlyingLine) =>
    (placeOf.get(a.campaign.slug) ?? 0) - (placeOf.get(b.campaign.slug) ?? 0) || compareNames(a.name, b.name)
  const linesOf = async (some: typeof groups) =>
    (
      await campaigns.flyingLines(
        organization.id,
        some.flatMap(({ ids }) => ids),
      )
    ).sort(inOrder)
  return {
    all: all.length,
    due: due.length,
    isOnlyDue,
    count,
    async page(offset: number): Promise<FlyingLine[]> {
      const end = offset + LINES_PER_PAGE
      const visible = groups.filter(({ start, ids }) => start < end && start + ids.length > offset)
      const skipped = offset - (visible[0]?.start ?? 0)
      return (await linesOf(visible)).slice(skipped, skipped + LINES_PER_PAGE)
    },
    /** Where the page with the first of these lines begins; undefined where none of them is in the grid. */
    async pageOf(lines: readonly FlyingLine[]): Promise<number | undefined> {
      const slugs = new Set(lines.map(({ campaign }) => campaign.slug))
      const ids = new Set(lines.map(({ lineId }) => lineId))
      // A line may be no longer due, and another one of its campaign still is.
      const group = groups.find((each) => slugs.has(each.slug) && each.ids.some((id) => ids.has(id)))
      if (group === undefined) return undefined
      const place = group.start + (await linesOf([group])).findIndex(({ lineId }) => ids.has(lineId))
      return place - (place % LINES_PER_PAGE)
    },
  }
}

/** Those of these lines that take a total, also where they have left the grid since it was opened: nothing typed is lost. */
export async function linesTyped(
  { context: { store }, organization, now }: OrganizationVisit,
  packageIds: readonly string[],
): Promise<FlyingLine[]> {
  const sold = await store.packageLines.findSold(organization.id, packageIds)
  const ids = sold.flatMap((line) => line?.lineId ?? [])
  const lines = await store.campaigns.flyingLines(organization.id, ids)
  return lines
    .filter((line) => takesTotal(line, now))
    .sort((a, b) => compareNames(a.campaign.name, b.campaign.name) || compareNames(a.name, b.name))
}
