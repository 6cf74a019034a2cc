import type { ContactWords } from "../../domain/adcp/contact.ts"
import type { LineDelivery, Period } from "../../domain/adcp/delivery/line-delivery.ts"
import { deliveredIn, deliveredInAll } from "../../domain/adcp/delivery/line-delivery.ts"
import type { DeliveredBuy, DeliveredPackage } from "../../domain/adcp/delivery/media-buy.ts"
import { addSums, STATUS_OF, sumsOf } from "../../domain/adcp/delivery/media-buy.ts"
import { type AdcpAnswer, type AdcpError, type Arguments, failed, isAdcpError } from "../../domain/adcp/tools/answer.ts"
import { takeArguments } from "../../domain/adcp/tools/arguments.ts"
import * as tool from "../../domain/adcp/tools/get-media-buy-delivery.ts"
import { PAGE_RESULTS_DEFAULT } from "../../domain/adcp/tools/input.ts"
import { bindingOf, cursorAt, foreignCursor, readCursor } from "../../domain/adcp/tools/page.ts"
import { summariesOf, summaryOf } from "../../domain/campaign/campaign-summary.ts"
import { inParts } from "../../domain/lists/in-parts.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { nextTurn } from "../../next-turn.ts"
import type {
  AffiliateScope,
  Bought,
  CodeFigures,
  ListedCampaign,
  ShownLine,
  StoreReads,
} from "../../storage/port/store.ts"
import type { Context } from "../context.ts"

// A page of the answer ends after so many packages, and goes on with the same media buy: a campaign may have thousands of lines.
const PACKAGES_MAX = 500
const PACKAGES_WITH_DAYS_MAX = 50
const LINES_AT_ONCE = 50

const deciding = ["media_buy_ids", "status_filter", "start_date", "end_date", "include_package_daily_breakdown"]

/** get_media_buy_delivery: what was delivered of the campaigns that the buyer of this key bought. */
export async function getMediaBuyDelivery(
  { store, clock }: Pick<Context, "store" | "clock">,
  agentKeyId: string | null,
  args: Arguments,
  { contact }: ContactWords,
): Promise<AdcpAnswer> {
  const refuse = (error: AdcpError) => failed(error, args, tool.noDelivery)
  if (agentKeyId === null) return refuse(tool.noKey(contact))
  const taken = takeArguments(tool.MediaBuyDeliveryInput, args)
  if (isAdcpError(taken)) return refuse(taken)
  const { input } = taken
  const refused = tool.refuseArguments(input)
  if (refused !== undefined) return refuse(refused)
  const ids = input.media_buy_ids && [...new Set(input.media_buy_ids)]
  const bought = await store.campaigns.boughtThrough(agentKeyId, ids ?? null)
  if (bought === null) return refuse(tool.noBuyer(contact))
  if (ids !== undefined && bought.campaigns.length === 0) return refuse(tool.noneFound())
  const slugs = new Set(bought.campaigns.map(({ slug }) => slug))
  const now = clock()
  const request = { store, bought, input, agentKeyId, now, period: tool.periodOf(input) }
  const campaigns = await inStates(request)
  const page = await pageOfBuys(request, campaigns)
  if (isAdcpError(page)) return refuse(page)
  const missing = (ids ?? []).filter((id) => !slugs.has(id))
  const others = input.status_filter === undefined ? bought.campaigns.length - campaigns.length : 0
  return tool.showDelivery({ ...page, missing, others }, input, args, now)
}

interface DeliveryRequest {
  readonly store: StoreReads
  readonly bought: Bought
  readonly input: tool.MediaBuyDeliveryInput
  readonly agentKeyId: string
  readonly now: Moment
  readonly period: Period | undefined
}

/** The campaigns in the asked states, in the order that they were named or else the newest first. */
async function inStates({ store, bought, input, now }: DeliveryRequest): Promise<readonly ListedCampaign[]> {
  const { buyer, campaigns } = bought
  const { media_buy_ids: ids } = input
  // A caller who names campaigns gets these, whatever their state.
  const filter = input.status_filter ?? (ids === undefined ? "active" : undefined)
  const orderOf = new Map(ids?.map((id, i) => [id, i]))
  const ordered = campaigns.toSorted((a, b) => (orderOf.get(a.slug) ?? 0) - (orderOf.get(b.slug) ?? 0))
  if (filter === undefined) return ordered
  const wanted = new Set<string>([filter].flat())
  const states = new Set(campaigns.map(({ archived }) => archived))
  const lines = await Promise.all([...states].map((archived) => store.campaigns.listedLines(buyer.id, archived)))
  const summary = summariesOf(lines.flat(), now)
  return ordered.filter(({ id }) => wanted.has(STATUS_OF[summary(id).phase]))
}

/** Where a page begins: at a campaign, after one of its lines or at its first. */
type PageStart = Readonly<{ index: number; after: string | null }>

/** A campaign with all of its lines, and those that are listed here. */
type ListedPackages = Readonly<{ campaign: ListedCampaign; all: readonly ShownLine[]; lines: readonly ShownLine[] }>

async function pageOfBuys(request: DeliveryRequest, campaigns: readonly ListedCampaign[]) {
  const { input, agentKeyId } = request
  const binding = bindingOf(agentKeyId, input, deciding)
  const cursor = input.pagination?.cursor
  const start = cursor === undefined ? { index: 0, after: null } : startOf(cursor, binding, campaigns)
  if (start === undefined) return foreignCursor()
  const { listed, next } = await listPackages(request, campaigns, start)
  const slug = campaigns[next.index]?.slug
  return {
    buys: await deliveredBuys(request, listed),
    isWhole: cursor === undefined && slug === undefined,
    pagination: {
      has_more: slug !== undefined,
      ...(slug !== undefined && { cursor: cursorAt(next.index + 1, `${slug} ${next.after ?? ""}`, binding) }),
      total_count: campaigns.length,
    },
  }
}

function startOf(cursor: string, binding: string, campaigns: readonly ListedCampaign[]): PageStart | undefined {
  const last = readCursor(cursor, binding)
  if (last === undefined) return undefined
  const [slug, after = null] = last.id.split(" ")
  const index = campaigns.findIndex((campaign) => campaign.slug === slug)
  return index < 0 ? { index: last.index - 1, after: null } : { index, after }
}

async function listPackages(
  { store, bought, input }: DeliveryRequest,
  campaigns: readonly ListedCampaign[],
  start: PageStart,
) {
  const most = input.pagination?.max_results ?? PAGE_RESULTS_DEFAULT
  let room = input.include_package_daily_breakdown ? PACKAGES_WITH_DAYS_MAX : PACKAGES_MAX
  let { index, after } = start
  const listed: ListedPackages[] = []
  for (const campaign of campaigns.slice(index, index + most)) {
    const all = await store.campaigns.lines(bought.buyer.id, campaign, {})
    const first = all.findIndex(({ packageId }) => packageId === after) + 1
    const lines = all.slice(first, first + room)
    listed.push({ campaign, all, lines })
    room -= lines.length
    if (first + lines.length < all.length) return { listed, next: { index, after: lines.at(-1)?.packageId ?? null } }
    index++
    after = null
    if (room === 0) break
  }
  return { listed, next: { index, after } }
}

async function deliveredBuys(request: DeliveryRequest, listed: readonly ListedPackages[]): Promise<DeliveredBuy[]> {
  const { input, now, period } = request
  const codes = await codesOf(request, listed)
  const isDaily = input.include_package_daily_breakdown === true
  const lines = listed.flatMap(({ lines }) => lines)
  // For a period all days are read, because the sums are of all lines.
  const delivered = await deliveryOfDays(
    request,
    period === undefined ? (isDaily ? lines : []) : listed.flatMap(({ all }) => all),
  )
  const deliveryOf = (line: ShownLine) => delivered.get(line.lineId) ?? deliveredInAll(line)
  const buys: DeliveredBuy[] = []
  for (const { campaign, all, lines } of listed) {
    const ownCodes = codes.get(campaign.slug) ?? []
    const codesOfLine = Map.groupBy(ownCodes, ({ packageId }) => packageId)
    const packages: DeliveredPackage[] = []
    for (const line of lines) {
      const lineCodes = codesOfLine.get(line.packageId) ?? []
      const affiliateDays = isDaily ? await affiliateDaysOf(request, line, lineCodes) : undefined
      packages.push({ line, delivery: deliveryOf(line), codes: lineCodes, affiliateDays })
    }
    const sums = all.map((line) => sumsOf(line, deliveryOf(line)))
    await nextTurn()
    buys.push({
      slug: campaign.slug,
      name: campaign.name,
      summary: summaryOf(all, now),
      sums: addSums(sums),
      codes: ownCodes,
      packages,
    })
  }
  return buys
}

/** What lines delivered, with their days. Others are served in between: a campaign may have thousands of lines. */
async function deliveryOfDays({ store, period, now }: DeliveryRequest, lines: readonly ShownLine[]) {
  const delivered = new Map<number, LineDelivery>()
  for (const some of inParts(lines, LINES_AT_ONCE)) {
    const days = await store.deliveryHistory.days(some.map(({ lineId }) => lineId))
    for (const line of some) {
      const totals = days.get(line.lineId) ?? []
      const delivery = period === undefined ? deliveredInAll(line, totals) : deliveredIn(line, totals, period, now)
      delivered.set(line.lineId, delivery)
    }
    await nextTurn()
  }
  return delivered
}

async function codesOf(request: DeliveryRequest, [only, ...others]: readonly ListedPackages[]) {
  if (only === undefined) return new Map<string, CodeFigures[]>()
  const { codes } = await request.store.affiliateFigures.figures({
    ...affiliateScope(request),
    ...(others.length === 0 && { campaign: only.campaign.slug }),
  })
  return Map.groupBy(codes, ({ campaign }) => campaign)
}

async function affiliateDaysOf(request: DeliveryRequest, { packageId }: ShownLine, codes: readonly CodeFigures[]) {
  if (codes.length === 0) return []
  return (await request.store.affiliateFigures.figures({ ...affiliateScope(request), packageId })).days
}

const affiliateScope = ({ bought, period }: DeliveryRequest): AffiliateScope => ({
  organizationIds: [bought.buyer.id],
  ...period,
})
