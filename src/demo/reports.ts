import { recordAffiliateCodes, recordAffiliateMetrics } from "../actions/affiliates.ts"
import type { Context } from "../actions/context.ts"
import { noteAnswer, type Reporter, reportDelivery } from "../actions/delivery/report-delivery.ts"
import type { KeyReporter } from "../actions/keys.ts"
import { acceptOrder, openOrderLink, placeOrder } from "../actions/sale/orders.ts"
import { draftStatement, freezeStatement, sumsAsText } from "../actions/sale/statements.ts"
import { orderSecret } from "../actions/settings.ts"
import { orderToken } from "../domain/adcp/order-token.ts"
import { formSource } from "../domain/delivery/delivery.ts"
import { hashToken } from "../domain/people/session.ts"
import type { Moment } from "../domain/time/moment.ts"
import { campaignBySlug } from "../storage/campaigns/campaigns.ts"
import { organizationBySlug } from "../storage/organizations.ts"
import { orderByCode } from "../storage/sales.ts"
import {
  codes,
  type Days,
  type DemoLine,
  done,
  holidayShare,
  LAUNCH_EVENT,
  lines,
  NEWSLETTER,
  orders,
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
  const reported = lines.filter((line) => {
    return line.seller === seller && line.pace !== null && !SILENT_LINES.includes(line.package_id)
  })
  await eachDay(FIRST_DAY, async (day) => {
    const running = reported.filter(({ first, last }) => day >= first && day <= last)
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
    const running = reported.filter(({ first }) => day >= first)
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
  const { downloads = 0 } = totalOn(lineOf(SEA_STORIES), -3, days)
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
  if (answer.rejected > 0) throw new Error(`The demo can't start: ${JSON.stringify(answer.results)}`)
  return answer
}

/** What a line has delivered by tonight: the next item to report. */
export const totalTonight = (packageId: string, days: Days): object => ({
  package_id: packageId,
  ...totalOn(lineOf(packageId), 0, days),
})

const lineOf = (packageId: string) => lines.find(({ package_id }) => package_id === packageId)

const closingTotal = (line: DemoLine, day: number, days: Days): object => ({
  package_id: line.package_id,
  as_of: days.date(day),
  ...totalOn(line, day, days),
})

/** The running total of a line at the end of a day. Empty for a flat rate. */
function totalOn(line: DemoLine | undefined, day: number, days: Days): Partial<Record<string, number>> {
  if (line === undefined || line.booked === null) return {}
  const { pricing_basis: basis, booked, first, last, pace } = line
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
  const own = codes.filter((code) => code.seller === seller)
  const codeRows = own.map(({ package_id: packageId, code, slug }) => ({ packageId, code, slug }))
  await record(recordAffiliateCodes, "affiliate_codes", at(days.moment(-METRIC_DAYS - 1, 10)), codeRows)
  await eachDay(-METRIC_DAYS, (day) => {
    const rows = own.map((code) => metricOn(code, day, days))
    return record(recordAffiliateMetrics, "affiliate_metrics", at(days.moment(day + 1, 6, 5)), rows)
  })

  async function record(write: typeof recordAffiliateCodes, feed: string, context: Context, items: readonly object[]) {
    const report = await write(context, reporter, items, STORED)
    if (!report.ok) throw new Error(`The demo can't start: ${JSON.stringify(report.errors)}`)
    noteAnswer(context, reporter, feed, { items, report })
  }
}

function metricOn({ code, clicks }: (typeof codes)[number], day: number, days: Days): object {
  const date = days.date(day)
  const clicked = Math.round(clicks * weightOf(date, code.length))
  const conversions = Math.round(clicked / (21 + (Math.abs(day) % 6)))
  const cents = conversions * (11_900 + ((Math.abs(day) * 1_337) % 4_200))
  return { code, date, clicks: clicked, conversions, conversionValue: cents / 100 }
}

const ACTOR = "command"
const PRODUCT = "city-walks-preroll"
const ENDED_CAMPAIGN = "summer-by-the-sea"
const ACCEPTED = { buyer: "Fernweh Travel", campaignName: "New year, new ways", lineName: "City Walks, pre-roll" }

/** An order that was accepted, two that aren't answered, and the statement of a campaign that has ended. */
export async function addSales(at: At, buyerKeyId: string, days: Days): Promise<void> {
  const { read } = at(0).database
  const organization = await organizationBySlug(read, PODCASTS)
  if (organization === null) throw new Error("The demo has no seller.")
  const token = orderToken(await orderSecret(at(0)), buyerKeyId, PRODUCT)
  const code = await placeAsBuyer(at, token, orders.accepted, days)
  const placed = await orderByCode(read, hashToken(token), hashToken(code))
  const seller = { organization, knowsEverybody: true }
  done(await acceptOrder(at(days.moment(-8, 9)), ACTOR, seller, placed?.id ?? "", ACCEPTED, {}), "order")

  const context = at(days.moment(-2, 10))
  const campaign = await campaignBySlug(read, organization.id, ENDED_CAMPAIGN)
  const { id: campaignId = 0, buyerId = 0 } = campaign ?? {}
  const scope = { sellerId: organization.id, buyerId, through: days.date(-3), campaignId }
  const texts = { rows: [], note: "", billsOverDelivery: false }
  const { body } = await draftStatement(context, scope, texts)
  done(await freezeStatement(context, ACTOR, scope, texts, sumsAsText(body.sums)), "statement")
  for (const order of orders.open) await placeAsBuyer(at, token, order, days)
}

/** Orders as a buyer does, and returns the code of the order. */
async function placeAsBuyer(at: At, token: string, order: typeof orders.accepted, days: Days): Promise<string> {
  const { day, from, to, ...texts } = order
  const context = at(days.moment(day, 7, 20))
  const link = await openOrderLink(context, token)
  if (link === null) throw new Error("The demo's order link doesn't work.")
  const dates = { from: days.date(from), to: days.date(to) }
  return done(await placeOrder(context, token, link, { ...texts, ...dates, email: "buyer@example.com" }), "code").code
}
