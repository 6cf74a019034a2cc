import type { ReportContext } from "../actions/context.ts"
import { noteReport } from "../actions/delivery/note-feed-request.ts"
import { recordAffiliateCodes, recordAffiliateMetrics } from "../actions/delivery/record-affiliates.ts"
import { type Reporter, reportDelivery } from "../actions/delivery/report-delivery.ts"
import type { FeedAddress } from "../domain/feed-addresses.ts"
import { AFFILIATE_CODES_FEED, AFFILIATE_METRICS_FEED, DELIVERY_FEED } from "../domain/feed-addresses.ts"
import type { Moment } from "../domain/time/moment.ts"
import type { DemoCode, DemoLine } from "./data.ts"
import { codes, LAUNCH_EVENT, lines, NEWSLETTER, SEA_STORIES, SILENTLY_FED } from "./data.ts"
import { type Days, holidayShare, weightOf } from "./days.ts"

/** A context whose clock stands at a moment. */
export type At = (moment: Moment) => ReportContext

const FIRST_DAY = -120
const METRIC_DAYS = 30

/** Reports each day's closing totals of a seller on the next morning. */
export async function reportHistory(at: At, reporter: Reporter, seller: string, days: Days): Promise<void> {
  const sold = lines.filter(
    (line) => line.seller === seller && line.pace !== null && !SILENTLY_FED.includes(line.package_id),
  )
  await eachDay(FIRST_DAY, async (day) => {
    const running = sold.filter(({ flight: [start, end] }) => day >= start && day <= end)
    const items = running.map((line) => closingTotal(line, day, days))
    if (items.length > 0) await report(at(days.moment(day + 1, 5, 40)), reporter, items)
  })
}

/** A system that sent totals every hour, some of them wrong, until it stopped two days ago. */
export async function reportHourly(at: At, reporter: Reporter, days: Days): Promise<void> {
  const sold = lines.filter(({ package_id }) => SILENTLY_FED.includes(package_id))
  await eachDay(HOURLY_FROM, async (day) => {
    const running = sold.filter(({ flight: [start] }) => day >= start)
    if (day > LAST_HOURLY_DAY || running.length === 0) return
    const items = running.map((line) => closingTotal(line, day, days))
    await report(at(days.moment(day + 1, 4, 12)), reporter, items)
    for (let hour = 5; day < LAST_HOURLY_DAY && hour < 28; hour++) {
      const context = at(days.moment(day + 1, hour, 12))
      noteReport(context, reporter, DELIVERY_FEED.name, items, { ...NOTHING_NEW, accepted: items.length })
    }
  })
  const wrong = [{ package_id: LAUNCH_EVENT, impressions: 12_400 }, { package_id: NEWSLETTER }]
  for (const [day = 0, hour = 0] of WRONG_AT) {
    const context = at(days.moment(day, hour, 12))
    const answer = await reportDelivery(context, reporter, wrong, { dryRun: false })
    noteReport(context, reporter, DELIVERY_FEED.name, wrong, answer)
  }
}

const HOURLY_FROM = -20
const LAST_HOURLY_DAY = -3
const WRONG_AT = [
  [-6, 9],
  [-4, 15],
  [-3, 11],
]
const NOTHING_NEW = { rejected: 0, results: [] }

/** From a day until yesterday. All days start together, in order, so that they share commits. */
async function eachDay(first: number, work: (day: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: -first }, (_, index) => work(first + index)))
}

/** Makes the history interesting: a correction, and a total that arrives late. */
export async function reportExceptions(at: At, reporter: Reporter, person: number, days: Days): Promise<void> {
  const line = lines.find(({ package_id }) => package_id === SEA_STORIES)
  if (line === undefined) return
  const figure = (total(line, -3, days) as { downloads: number }).downloads
  const form = { ...reporter, source: { kind: "form", reference: String(person), detail: "" } } as const
  const corrected = { package_id: SEA_STORIES, downloads: figure - 640, as_of: days.date(-3) }
  await report(at(days.moment(-2, 9, 12)), form, [corrected])
  const late = { package_id: SEA_STORIES, downloads: figure - 5_210, as_of: `${days.date(-4)}T12:00:00Z` }
  await report(at(days.moment(-1, 5, 41)), reporter, [late])
}

async function report(context: ReportContext, reporter: Reporter, items: readonly object[]): Promise<void> {
  const answer = await reportDelivery(context, reporter, items, { dryRun: false })
  const { rejected, results } = answer
  if (reporter.source.kind === "key") noteReport(context, reporter, DELIVERY_FEED.name, items, answer)
  if (rejected > 0) throw new Error(`the demo's delivery is not right: ${JSON.stringify(results)}`)
}

/** The next total to report: what the line has delivered by tonight. */
export function totalTonight(packageId: string, days: Days): object {
  const line = lines.find(({ package_id }) => package_id === packageId)
  return line === undefined ? {} : { package_id: packageId, ...total(line, 0, days) }
}

const closingTotal = (line: DemoLine, day: number, days: Days) => ({
  package_id: line.package_id,
  as_of: days.date(day),
  ...total(line, day, days),
})

function total({ pricing_basis: basis, booked, flight: [start, end], pace }: DemoLine, day: number, days: Days) {
  if (basis === "flat_rate" || booked === null) return {}
  const weights = Array.from(
    { length: end - start + 1 },
    (_, index) => weightOf(days.date(start + index), booked % 17) * holidayShare(start + index),
  )
  const sum = (values: readonly number[]) => values.reduce((before, value) => before + value, 0)
  const share = sum(weights.slice(0, day - start + 1)) / sum(weights)
  return { [basis]: Math.round(booked * share * (pace ?? 0)) }
}

/** A month of clicks, conversions and their value, one row per code and day. */
export async function recordAffiliates(at: At, reporter: Reporter, seller: string, days: Days): Promise<void> {
  const sold = codes[seller] ?? []
  const rows = sold.map(({ package_id: packageId, code, slug }) => ({ packageId, code, slug }))
  await record(AFFILIATE_CODES_FEED, recordAffiliateCodes, at(days.moment(-METRIC_DAYS - 1, 10)), rows)
  await eachDay(-METRIC_DAYS, (day) => {
    const metrics = sold.map((code) => metric(code, day, days))
    return record(AFFILIATE_METRICS_FEED, recordAffiliateMetrics, at(days.moment(day + 1, 6, 5)), metrics)
  })

  type Write = typeof recordAffiliateCodes
  async function record({ name }: FeedAddress, write: Write, context: ReportContext, rows: readonly object[]) {
    const report = await write(context, reporter, rows, { dryRun: false })
    if (!report.ok) throw new Error(`the demo's affiliate figures are not right: ${JSON.stringify(report.errors)}`)
    noteReport(context, reporter, name, rows, report)
  }
}

function metric({ code, clicks }: DemoCode, day: number, days: Days): object {
  const date = days.date(day)
  const clicked = Math.round(clicks * weightOf(date, code.length))
  const conversions = Math.round(clicked / (21 + (Math.abs(day) % 6)))
  const cents = conversions * (11_900 + ((Math.abs(day) * 1_337) % 4_200))
  return { code, date, clicks: clicked, conversions, conversionValue: cents / 100 }
}
