import { recordAffiliateCodes, recordAffiliateMetrics } from "../actions/affiliates.ts"
import { orderSecret } from "../actions/catalogue/agent-settings.ts"
import type { Context } from "../actions/context.ts"
import { noteAnswer, type Reporter, reportDelivery } from "../actions/delivery/report-delivery.ts"
import type { KeyReporter } from "../actions/keys.ts"
import { acceptOrder, openOrderLink, placeOrder } from "../actions/sale/orders.ts"
import { draftStatement, freezeStatement, sumsAsText } from "../actions/sale/statements.ts"
import { orderToken } from "../domain/adcp/order-token.ts"
import { formSource } from "../domain/delivery/delivery.ts"
import { hashToken } from "../domain/people/session.ts"
import type { Moment } from "../domain/time/moment.ts"
import { campaignBySlug } from "../storage/campaigns/campaigns.ts"
import { type Organization, organizationBySlug } from "../storage/organizations.ts"
import { orderByCode } from "../storage/sales.ts"
import {
  codes,
  type Days,
  type DemoCode,
  type DemoLine,
  holidayShare,
  LAUNCH_EVENT,
  lines,
  NEWSLETTER,
  PODCASTS,
  SEA_STORIES,
  SILENT_LINES,
  weightOf,
} from "./data.ts"

/** A context whose clock stands at a moment. */
export type At = (moment: Moment) => Context

const FIRST_DAY = -120
const METRIC_DAYS = 30
const DELIVERY = "delivery"
const STORED = { isDryRun: false }

/** Reports each day's closing totals of a seller on the next morning. */
export async function reportHistory(at: At, reporter: KeyReporter, seller: string, days: Days): Promise<void> {
  const isReported = ({ package_id, pace, ...line }: DemoLine) =>
    line.seller === seller && pace !== null && !SILENT_LINES.includes(package_id)
  const reported = lines.filter(isReported)
  await eachDay(FIRST_DAY, async (day) => {
    const running = reported.filter(({ flight: [first, last] }) => day >= first && day <= last)
    const items = running.map((line) => closingTotal(line, day, days))
    if (items.length > 0) await reportWithKey(at(days.moment(day + 1, 5, 40)), reporter, items)
  })
}

const HOURLY_FROM = -20
const HOURLY_LAST_DAY = -3
const WRONG_AT = [
  { day: -6, hour: 9 },
  { day: -4, hour: 15 },
  { day: -3, hour: 11 },
]

/** A system that sent totals every hour, some of them wrong, until it stopped two days ago. */
export async function reportHourly(at: At, reporter: KeyReporter, days: Days): Promise<void> {
  const reported = lines.filter(({ package_id }) => SILENT_LINES.includes(package_id))
  await eachDay(HOURLY_FROM, async (day) => {
    const running = reported.filter(({ flight: [first] }) => day >= first)
    if (day > HOURLY_LAST_DAY || running.length === 0) return
    const items = running.map((line) => closingTotal(line, day, days))
    await reportWithKey(at(days.moment(day + 1, 4, 12)), reporter, items)
    const report = { accepted: items.length, rejected: 0, results: [] }
    // The same totals again and again, as far as the activity of the feed shows them.
    for (let hour = 5; day < HOURLY_LAST_DAY && hour < 28; hour++)
      noteAnswer(at(days.moment(day + 1, hour, 12)), reporter, DELIVERY, { items, report })
  })
  const items = [{ package_id: LAUNCH_EVENT, impressions: 12_400 }, { package_id: NEWSLETTER }]
  for (const { day, hour } of WRONG_AT) {
    const context = at(days.moment(day, hour, 12))
    const report = await reportDelivery(context, reporter, items, STORED)
    noteAnswer(context, reporter, DELIVERY, { items, report })
  }
}

/** Makes a history interesting: a correction by a person, and a total that arrives late. */
export async function reportExceptions(at: At, reporter: KeyReporter, userId: number, days: Days): Promise<void> {
  const line = lines.find(({ package_id }) => package_id === SEA_STORIES)
  if (line === undefined) throw new Error("The demo has no line with exceptions.")
  const { downloads = 0 } = totalOn(line, -3, days)
  const form = { sellerId: reporter.sellerId, source: formSource(`user:${userId}`) }
  const corrected = { package_id: SEA_STORIES, downloads: downloads - 640, as_of: days.date(-3) }
  await report(at(days.moment(-2, 9, 12)), form, [corrected])
  const late = { package_id: SEA_STORIES, downloads: downloads - 5_210, as_of: `${days.date(-4)}T12:00:00Z` }
  await reportWithKey(at(days.moment(-1, 5, 41)), reporter, [late])
}

/** From a day until yesterday. All days start together and in order, so that they share transactions. */
async function eachDay(first: number, work: (day: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: -first }, (_, i) => work(first + i)))
}

async function reportWithKey(context: Context, reporter: KeyReporter, items: readonly object[]): Promise<void> {
  noteAnswer(context, reporter, DELIVERY, { items, report: await report(context, reporter, items) })
}

async function report(context: Context, reporter: Reporter, items: readonly object[]) {
  const answer = await reportDelivery(context, reporter, items, STORED)
  if (answer.rejected > 0) throw new Error(`The demo's totals were rejected: ${JSON.stringify(answer.results)}`)
  return answer
}

/** What a line has delivered by tonight: the next item to report. */
export function totalTonight(packageId: string, days: Days): object {
  const line = lines.find(({ package_id }) => package_id === packageId)
  return line === undefined ? {} : { package_id: packageId, ...totalOn(line, 0, days) }
}

const closingTotal = (line: DemoLine, day: number, days: Days): object => ({
  package_id: line.package_id,
  as_of: days.date(day),
  ...totalOn(line, day, days),
})

type Total = Partial<Record<"impressions" | "downloads", number>>

/** The running total of a line at the end of a day. Empty for a flat rate. */
function totalOn({ pricing_basis: basis, booked, flight, pace }: DemoLine, day: number, days: Days): Total {
  if (basis === "flat_rate" || booked === null) return {}
  const [first, last] = flight
  const weights = Array.from(
    { length: last - first + 1 },
    (_, i) => weightOf(days.date(first + i), booked % 17) * holidayShare(first + i),
  )
  const share = sumOf(weights.slice(0, day - first + 1)) / sumOf(weights)
  return { [basis]: Math.round(booked * share * (pace ?? 0)) }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** A month of clicks, conversions and their value, one row for each code and day. */
export async function recordAffiliates(at: At, reporter: KeyReporter, seller: string, days: Days): Promise<void> {
  const own = codes[seller] ?? []
  const codeRows = own.map(({ package_id: packageId, code, slug }) => ({ packageId, code, slug }))
  await record(recordAffiliateCodes, "affiliate_codes", at(days.moment(-METRIC_DAYS - 1, 10)), codeRows)
  await eachDay(-METRIC_DAYS, (day) => {
    const rows = own.map((code) => metricOn(code, day, days))
    return record(recordAffiliateMetrics, "affiliate_metrics", at(days.moment(day + 1, 6, 5)), rows)
  })

  async function record(write: typeof recordAffiliateCodes, feed: string, context: Context, items: readonly object[]) {
    const report = await write(context, reporter, items, STORED)
    if (!report.ok) throw new Error(`The demo's affiliate rows were rejected: ${JSON.stringify(report.errors)}`)
    noteAnswer(context, reporter, feed, { items, report })
  }
}

function metricOn({ code, clicks }: DemoCode, day: number, days: Days): object {
  const date = days.date(day)
  const clicked = Math.round(clicks * weightOf(date, code.length))
  const conversions = Math.round(clicked / (21 + (Math.abs(day) % 6)))
  const cents = conversions * (11_900 + ((Math.abs(day) * 1_337) % 4_200))
  return { code, date, clicks: clicked, conversions, conversionValue: cents / 100 }
}

const PRODUCT = "city-walks-preroll"
const ENDED_CAMPAIGN = "summer-by-the-sea"
const ACTOR = "command"

interface Wish {
  readonly organization: string
  readonly name: string
  readonly amount: string
  readonly flight: readonly [first: number, last: number]
  /** The day on which it came. */
  readonly day: number
  readonly note?: string
}

const FIRST: Wish = { organization: "Fernweh Travel", name: "Lena Vogt", amount: "120,000", flight: [20, 50], day: -9 }
const OPEN: readonly Wish[] = [
  { organization: "Kite Media", name: "Rosa Lind", amount: "40,000", flight: [10, 24], day: -1 },
  {
    organization: "Fernweh Travel",
    name: "Lena Vogt",
    amount: "200,000",
    flight: [7, 55],
    day: 0,
    note: "We’d like to be on air before the first weekend.",
  },
]

/** An order that was accepted, two that aren't answered, and the statement of a campaign that has ended. */
export async function addSales(at: At, buyerKeyId: string, days: Days): Promise<void> {
  const seller = await organizationBySlug(at(0).database.read, PODCASTS)
  if (seller === null) throw new Error("The demo has no seller.")
  const token = orderToken(await orderSecret(at(0)), buyerKeyId, PRODUCT)
  const code = await order(at(days.moment(FIRST.day, 7, 20)), token, FIRST, days)
  await accept(at(days.moment(FIRST.day + 1, 9)), seller, token, code)
  await state(at(days.moment(-2, 10)), seller, days.date(-3))
  for (const wish of OPEN) await order(at(days.moment(wish.day, 7, 20)), token, wish, days)
}

/** Orders as a buyer does, and returns the code of the order. */
async function order(context: Context, token: string, { flight, day: _, ...wish }: Wish, days: Days): Promise<string> {
  const link = await openOrderLink(context, token)
  if (link === null) throw new Error("The demo's order link doesn't work.")
  const [first, last] = flight
  const texts = { ...wish, email: "buyer@example.com", from: days.date(first), to: days.date(last) }
  const placed = await placeOrder(context, token, link, texts)
  if ("errors" in placed) throw new Error(`The demo's order was refused: ${JSON.stringify(placed.errors)}`)
  return placed.code
}

async function accept(context: Context, organization: Organization, token: string, code: string): Promise<void> {
  const placed = await orderByCode(context.database.read, hashToken(token), hashToken(code))
  const texts = { buyer: "Fernweh Travel", campaignName: "New year, new ways", lineName: "City Walks, pre-roll" }
  const seller = { organization, knowsEverybody: true }
  const accepted = await acceptOrder(context, ACTOR, seller, placed?.id ?? "", texts, {})
  if (accepted === "not found" || !("order" in accepted))
    throw new Error(`The demo's order wasn't accepted: ${JSON.stringify(accepted)}`)
}

/** Freezes the statement of a campaign. */
async function state(context: Context, seller: Organization, through: string): Promise<void> {
  const campaign = await campaignBySlug(context.database.read, seller.id, ENDED_CAMPAIGN)
  if (campaign === null) throw new Error("The demo has no campaign that has ended.")
  const scope = { sellerId: seller.id, buyerId: campaign.buyerId, through, campaignId: campaign.id }
  const texts = { rows: [], note: "", billsOverDelivery: false }
  const read = await draftStatement(context, scope, texts)
  const seen = "body" in read ? sumsAsText(read.body.sums) : ""
  const frozen = await freezeStatement(context, ACTOR, scope, texts, seen)
  if (frozen === "changed" || "errors" in frozen)
    throw new Error(`The demo's statement wasn't frozen: ${JSON.stringify(frozen)}`)
}
