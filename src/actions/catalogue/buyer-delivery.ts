import { readArguments } from "../../domain/adcp/arguments.ts"
import {
  type MediaBuyDeliveryInput as Input,
  MediaBuyDeliveryInput,
  type Period,
  periodIn,
} from "../../domain/adcp/delivery/delivery-input.ts"
import { deliveredIn, deliveredSoFar } from "../../domain/adcp/delivery/line-delivery.ts"
import {
  type AffiliateDay,
  type DeliveredBuy,
  type DeliveredBy,
  statusOf,
  sumsOf,
} from "../../domain/adcp/delivery/media-buy.ts"
import { showDelivery } from "../../domain/adcp/delivery/show-delivery.ts"
import { PAGE_RESULTS_DEFAULT } from "../../domain/adcp/input.ts"
import { type AdcpAnswer, AdcpError, type Arguments } from "../../domain/adcp/tools/answer.ts"
import { bindingOf, cursorAfter, readCursor } from "../../domain/adcp/tools/page.ts"
import { type Figures, sumFigures } from "../../domain/affiliate.ts"
import { codeFigures, dayFigures } from "../../storage/campaigns/affiliates.ts"
import { linesBoughtBy, type StoredLine } from "../../storage/campaigns/lines.ts"
import type { ReadTx } from "../../storage/database.ts"
import { days } from "../../storage/delivery/days.ts"
import { buyerKeyById } from "../../storage/keys.ts"
import type { Context } from "../context.ts"
import { agentViews } from "./views.ts"

// A campaign may have thousands of lines, so a page of the answer ends after this many. The next page continues the
// campaign.
const PACKAGES_MAX = 500
const PACKAGES_WITH_DAYS_MAX = 50

const EVER = ["1970-01-01", "9998-12-31"] as const

/** get_media_buy_delivery: what was delivered of the campaigns that the buyer of this key bought. */
export async function buyerDelivery(context: Context, buyerKeyId: string | null, args: Arguments): Promise<AdcpAnswer> {
  const { sentences } = await agentViews(context).catalogue()
  if (buyerKeyId === null) throw noKey(sentences.contact)
  const input = readArguments(MediaBuyDeliveryInput, args)
  const period = periodIn(input)
  const { read } = context.database
  const buyerId = (await buyerKeyById(read, buyerKeyId))?.buyerId ?? null
  if (buyerId === null) throw noBuyer(sentences.contact)

  const now = context.clock()
  const campaigns = campaignsOf(await linesBoughtBy(read, buyerId, { withArchived: true }))
  const ids = input.media_buy_ids === undefined ? null : [...new Set(input.media_buy_ids)]
  const named = ids === null ? campaigns : ids.flatMap((id) => campaigns.find(({ slug }) => slug === id) ?? [])
  if (ids !== null && named.length === 0) throw noneFound()
  // A caller who names campaigns gets them, whatever their state.
  const states = input.status_filter ?? (ids === null ? "active" : null)
  const asked = states === null ? named : named.filter(({ lines }) => [states].flat().includes(statusOf(lines, now)))
  const page = pageOf(asked, input, buyerKeyId)
  const buys = await deliveredBuys(read, page.campaigns, input, period, now)
  const delivered = {
    buys,
    sums: sumsOf(buys.flatMap(({ delivered }) => delivered)),
    pagination: page.pagination,
    isWhole: page.isWhole,
    others: input.status_filter === undefined ? named.length - asked.length : 0,
    missing: (ids ?? []).filter((id) => !campaigns.some(({ slug }) => slug === id)),
  }
  return showDelivery(delivered, input, args, now)
}

const noKey = (contact: string) =>
  new AdcpError("AUTH_MISSING", "Only a buyer key that acts for a buyer can read delivery.", {
    suggestion: `Send your key in the header Authorization: Bearer. Ask ${contact} for one.`,
  })

const noBuyer = (contact: string) =>
  new AdcpError("PERMISSION_DENIED", "This key doesn't act for a buyer, so it can't read media buys.", {
    suggestion: `Ask ${contact} to say for which organization the key acts.`,
  })

const noneFound = () =>
  new AdcpError("MEDIA_BUY_NOT_FOUND", "None of the media_buy_ids is one of your media buys.", {
    field: "media_buy_ids",
    suggestion: "Leave media_buy_ids out for all of your media buys.",
  })

interface Campaign {
  readonly slug: string
  readonly name: string
  readonly lines: readonly StoredLine[]
}

/** The campaigns of some lines, the newest first. Archived lines don't count any more. */
function campaignsOf(lines: readonly StoredLine[]): Campaign[] {
  const byId = [...Map.groupBy(lines, ({ campaignId }) => campaignId)].toSorted(([a], [b]) => b - a)
  return byId.flatMap(([, own]) => {
    const [first] = own
    const lines = own.filter(({ isArchived }) => !isArchived)
    return first === undefined ? [] : [{ slug: first.campaign.slug, name: first.campaign.name, lines }]
  })
}

/** A campaign with the lines that are listed here. */
interface ListedCampaign extends Campaign {
  readonly listed: readonly StoredLine[]
}

/** A page of campaigns. Its cursor names the last campaign and the last line of it. */
function pageOf(campaigns: readonly Campaign[], input: Input, buyerKeyId: string) {
  const { media_buy_ids, status_filter, start_date, end_date, include_package_daily_breakdown: isDaily } = input
  const binding = bindingOf(buyerKeyId, { media_buy_ids, status_filter, start_date, end_date, isDaily })
  const { cursor, max_results: most = PAGE_RESULTS_DEFAULT } = input.pagination ?? {}
  let [index, after] = cursor === undefined ? [0, null] : startOf(readCursor(cursor, binding), campaigns)
  let room = isDaily ? PACKAGES_WITH_DAYS_MAX : PACKAGES_MAX
  const listed: ListedCampaign[] = []
  for (const campaign of campaigns.slice(index, index + most)) {
    const start = campaign.lines.findIndex(({ packageId }) => packageId === after) + 1
    const lines = campaign.lines.slice(start, start + room)
    listed.push({ ...campaign, listed: lines })
    room -= lines.length
    const isCut = start + lines.length < campaign.lines.length
    after = isCut ? (lines.at(-1)?.packageId ?? null) : null
    if (isCut) break
    index++
    if (room === 0) break
  }
  const next = campaigns[index]
  const nextId = next === undefined ? null : `${next.slug} ${after ?? ""}`
  const more = nextId === null ? {} : { cursor: cursorAfter({ index: index + 1, id: nextId }, binding) }
  return {
    campaigns: listed,
    isWhole: cursor === undefined && next === undefined,
    pagination: { has_more: next !== undefined, ...more, total_count: campaigns.length },
  }
}

/** Where a page begins: at a campaign, after one of its lines or at its first. */
function startOf(
  { index, id }: ReturnType<typeof readCursor>,
  campaigns: readonly Campaign[],
): [number, string | null] {
  const [slug, after = ""] = id.split(" ")
  const at = campaigns.findIndex((campaign) => campaign.slug === slug)
  return at < 0 ? [index - 1, null] : [at, after || null]
}

async function deliveredBuys(
  read: ReadTx,
  campaigns: readonly ListedCampaign[],
  input: Input,
  period: Period | null,
  now: number,
): Promise<(DeliveredBuy & { readonly delivered: readonly DeliveredBy[] })[]> {
  const isDaily = input.include_package_daily_breakdown === true
  const all = campaigns.flatMap(({ lines }) => lines)
  const listedIds = campaigns.flatMap(({ listed }) => listed.map(({ id }) => id))
  // The sums of a period are over all lines.
  const withDays = period === null ? (isDaily ? listedIds : []) : all.map(({ id }) => id)
  const totals = await days(read, withDays, ...EVER)
  const ids = all.map(({ id }) => id)
  const figures = await affiliateFigures(read, ids, period)
  const affiliateDays = isDaily ? await affiliateDaysOf(read, listedIds, period) : null

  const deliveryOf = (line: StoredLine) =>
    period === null
      ? deliveredSoFar(line, totals.get(line.id) ?? [])
      : deliveredIn(line, totals.get(line.id) ?? [], period, now)
  return campaigns.map(({ slug, name, lines, listed }) => {
    const delivered = lines.map((line) => ({ line, delivery: deliveryOf(line) }))
    const affiliates = lines.flatMap(({ id, currency }) => {
      const ofLine = figures.get(id)
      return ofLine === undefined ? [] : [{ figures: ofLine, currency }]
    })
    const packages = listed.map((line) => ({
      line,
      delivery: deliveryOf(line),
      affiliates: figures.get(line.id) ?? null,
      affiliateDays: affiliateDays === null ? null : (affiliateDays.get(line.id) ?? []),
    }))
    return { slug, name, lines, sums: sumsOf(delivered), affiliates, packages, delivered }
  })
}

/** The figures of each line's affiliate codes, by line ID. */
async function affiliateFigures(read: ReadTx, lineIds: readonly number[], period: Period | null) {
  const codes = await codeFigures(read, lineIds, period ?? undefined)
  const byLine = Map.groupBy(codes, ({ lineId }) => lineId)
  return new Map<number, Figures>([...byLine].map(([lineId, ofLine]) => [lineId, sumFigures(ofLine)]))
}

async function affiliateDaysOf(read: ReadTx, lineIds: readonly number[], period: Period | null) {
  const rows = await dayFigures(read, lineIds, period ?? undefined)
  const byLine = Map.groupBy(rows, ({ lineId }) => lineId)
  return new Map<number, AffiliateDay[]>(
    [...byLine].map(([lineId, ofLine]) => [lineId, ofLine.map(({ date, ...figures }) => ({ date, figures }))]),
  )
}
