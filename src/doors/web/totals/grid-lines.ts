import { takesTotal } from "../../../domain/campaign/line-state.ts"
import { compareNames, inNaturalOrder, naturalKey } from "../../../domain/lists/list-query.ts"
import type { FlyingLine, ListedCampaign, ListedLine } from "../../../storage/port/store.ts"
import { linesTakingTotals } from "../home/lines-in-flight.ts"
import type { OrganizationVisit } from "../visit.ts"

export const LINES_PER_PAGE = 50

export type GridLines = Awaited<ReturnType<typeof gridLines>>

/**
 * Every line that somebody may want to type a total of, by campaign and name: all are counted, those of a page are read whole. Where the
 * address names a line, that one.
 */
export async function gridLines(visit: OrganizationVisit) {
  const { context, organization, now, url } = visit
  const named = url.searchParams.get("line")
  if (named !== null) return gridOf(...(await linesTyped(visit, [named])))
  const { campaigns } = context.store
  const { taking, due } = await linesTakingTotals(context, organization, now)
  const all = taking.filter((line) => takesTotal(line, now))
  const isOnlyDue = url.searchParams.get("only") === "due"
  const heads = await campaigns.list(organization.id)
  const byName = heads.toSorted((a, b) => compareNames(a.name, b.name) || a.id - b.id)
  const rankOf = new Map(byName.map(({ id }, rank) => [id, rank]))
  const byCampaign = ({ campaignId }: ListedLine) => rankOf.get(campaignId) ?? heads.length
  const wanted = (isOnlyDue ? due : all).filter(isFound(heads, url.searchParams.get("q") ?? ""))
  const sort = SORTS.find((known) => known === url.searchParams.get("sort")) ?? null
  const ranks = { name: () => 0, measured: ({ total }: ListedLine) => total?.asOf ?? 0 }
  const chosen = inNaturalOrder(wanted, sort === null ? byCampaign : ranks[sort])
  return { all: all.length, due: due.length, isOnlyDue, sort, named: undefined, chosen }
}

export async function linesOfPage(visit: OrganizationVisit, { named, chosen }: GridLines, offset: number) {
  if (named !== undefined) return [named]
  const ids = chosen.slice(offset, offset + LINES_PER_PAGE).map(({ lineId }) => lineId)
  const lines = await visit.context.store.campaigns.flyingLines(visit.organization.id, ids)
  return lines.sort((a, b) => ids.indexOf(a.lineId) - ids.indexOf(b.lineId))
}

/** Where the page with the first of these lines begins; undefined where none of them is in the grid. */
export function pageOf({ chosen }: GridLines, lines: readonly FlyingLine[]): number | undefined {
  const ids = new Set(lines.map(({ lineId }) => lineId))
  const first = chosen.findIndex(({ lineId }) => ids.has(lineId))
  return first < 0 ? undefined : first - (first % LINES_PER_PAGE)
}

/** By name, or what was measured longest ago first; else by campaign. */
const SORTS = ["name", "measured"] as const

/** Whether a line, its campaign or buyer has this text in its name. */
function isFound(heads: readonly ListedCampaign[], text: string) {
  const wanted = naturalKey(text.trim())
  const has = (name: string) => naturalKey(name).includes(wanted)
  const campaigns = new Set(heads.flatMap(({ id, name, buyer }) => (has(name) || has(buyer.name) ? id : [])))
  return ({ name, campaignId }: ListedLine) => wanted === "" || campaigns.has(campaignId) || has(name)
}

/** The grid of a line that is named, if it is there. */
export const gridOf = (...chosen: FlyingLine[]) =>
  ({ all: chosen.length, due: chosen.length, isOnlyDue: false, sort: null, named: chosen[0], chosen }) as const

/**
 * Those of these lines that take a total, also where they have left the grid since it was opened: nothing typed is lost. Whoever names a
 * line is told why it takes none.
 */
export async function linesTyped(
  { context: { store }, organization, now, url }: OrganizationVisit,
  packageIds: readonly string[],
): Promise<FlyingLine[]> {
  const sold = await store.packageLines.findSold(organization.id, packageIds)
  const ids = sold.flatMap((line) => line?.lineId ?? [])
  const lines = await store.campaigns.flyingLines(organization.id, ids)
  return lines
    .filter((line) => url.searchParams.has("line") || takesTotal(line, now))
    .sort((a, b) => compareNames(a.campaign.name, b.campaign.name) || compareNames(a.name, b.name))
}
