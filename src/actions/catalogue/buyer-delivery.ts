import { readArguments } from "../../domain/adcp/arguments.ts"
import { MediaBuyDeliveryInput, periodIn, showDelivery } from "../../domain/adcp/delivery/get-media-buy-delivery.ts"
import { deliveredIn, deliveredSoFar, type Period } from "../../domain/adcp/delivery/line-delivery.ts"
import { type AffiliateDay, type DeliveredBuy, statusOf } from "../../domain/adcp/delivery/media-buy.ts"
import { type AdcpAnswer, AdcpError, type Arguments, bindingOf, pageOf } from "../../domain/adcp/tools/answer.ts"
import { sumFigures } from "../../domain/affiliate.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { type CodeDay, codeDays } from "../../storage/campaigns/affiliates.ts"
import { linesBoughtBy, type StoredLine } from "../../storage/campaigns/lines.ts"
import type { ReadTx } from "../../storage/database.ts"
import { days } from "../../storage/delivery/days.ts"
import { buyerKeyById } from "../../storage/keys.ts"
import type { Context } from "../context.ts"
import { agentViews } from "./views.ts"

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
  const { media_buy_ids, status_filter, start_date, end_date, include_package_daily_breakdown: isDaily = false } = input
  const binding = bindingOf(buyerKeyId, { media_buy_ids, status_filter, start_date, end_date, isDaily })
  const { items, pagination } = pageOf(asked, ({ slug }) => slug, input.pagination ?? {}, binding)
  const delivered = {
    buys: await deliveredBuys(read, items, isDaily, period, now),
    pagination,
    others: status_filter === undefined ? named.length - asked.length : 0,
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
    suggestion: `Ask ${contact} to choose the organization that this key acts for.`,
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

/** The campaigns of some lines, the newest first. */
function campaignsOf(lines: readonly StoredLine[]): Campaign[] {
  const byId = [...Map.groupBy(lines, ({ campaignId }) => campaignId)].toSorted(([a], [b]) => b - a)
  return byId.flatMap(([, lines]) => {
    const [first] = lines
    return first === undefined ? [] : [{ slug: first.campaign.slug, name: first.campaign.name, lines }]
  })
}

async function deliveredBuys(
  read: ReadTx,
  campaigns: readonly Campaign[],
  isDaily: boolean,
  period: Period | null,
  now: Moment,
): Promise<DeliveredBuy[]> {
  const ids = campaigns.flatMap(({ lines }) => lines.map(({ id }) => id))
  const totals = await days(read, period === null && !isDaily ? [] : ids, ...EVER)
  const figures = Map.groupBy(await codeDays(read, ids, period ?? undefined), ({ lineId }) => lineId)
  return campaigns.map(({ slug, name, lines }) => ({
    slug,
    name,
    packages: lines.map((line) => {
      const measured = totals.get(line.id) ?? []
      const ofCodes = figures.get(line.id) ?? []
      return {
        line,
        delivery: period === null ? deliveredSoFar(line, measured) : deliveredIn(line, measured, period, now),
        affiliates: sumFigures(ofCodes),
        affiliateDays: isDaily ? affiliateDaysOf(ofCodes) : null,
      }
    }),
  }))
}

const affiliateDaysOf = (days: readonly CodeDay[]): AffiliateDay[] =>
  [...Map.groupBy(days, ({ date }) => date)].map(([date, figures]) => ({ date, figures: sumFigures(figures) }))
