import { rhythmOf, usualInWords } from "../../domain/activity.ts"
import {
  type AlertCause,
  type AlertCheck,
  certificateCause,
  diskCause,
  keyOf,
  serviceCause,
} from "../../domain/alert.ts"
import { isRunning, shareOffPlan, stateOf } from "../../domain/campaign/line-state.ts"
import { isBackupOverdue } from "../../domain/operations/backup.ts"
import { expiredAt } from "../../domain/sale/order.ts"
import { dateInWords, MICROS_PER_HOUR, type Moment, momentInWords, spanInWords } from "../../domain/time/moment.ts"
import { dayOf } from "../../domain/time/time-zone.ts"
import { linesSoldBy, type StoredLine } from "../../storage/campaigns/lines.ts"
import { activeKeyIds, quietKeys } from "../../storage/operations/feed-activity.ts"
import { type Organization, sellers } from "../../storage/organizations.ts"
import { askedOrders } from "../../storage/sales.ts"
import { nextTurn } from "../../within.ts"
import type { Context } from "../context.ts"
import { alertsInForce, scheduleInForce, storedSetting } from "../settings.ts"

// Uses the same rules as the pages: "silent" as in feed activity, "behind" as in lists of lines, backups as in checks.

const SELLERS_MAX = 10_000
// An alert about disk space only ends well above the limit, or it would come and go with every file.
const ENOUGH_AGAIN = 1.1
// The shortest usual gap is an hour, so no key counts as silent sooner.
const QUIET_AFTER = 2.5 * MICROS_PER_HOUR

/** Returns everything that needs the operator now. */
export async function findCauses(context: Context): Promise<AlertCheck> {
  const now = context.clock()
  const { read } = context.database
  const lines = await linesBehind(context, now)
  const keys = new Set((await activeKeyIds(read)).map((id) => keyOf({ kind: "feed_silent", subject: String(id) })))
  const { diskMegabytes } = await alertsInForce(context)
  const free = await context.database.health.freeBytes().catch(() => null)
  const isDiskUnknown = free === null || free < diskMegabytes * 1_000_000 * ENOUGH_AGAIN
  return {
    causes: [
      ...(await silentFeeds(context, now)),
      ...lines.causes,
      ...(await waitingOrders(context, now)),
      ...(await backupCauses(context, now)),
      ...serviceCause("copies_failing", await storedSetting(read, "note.bucket")),
      ...serviceCause("https_problem", await storedSetting(read, "note.https")),
      ...certificateCause(context.services.https.certificate(), now),
      ...diskCause(free, diskMegabytes),
    ],
    isUnknown: (alert) => lines.unknown.has(keyOf(alert)) || (alert.kind === "disk_low" && isDiskUnknown),
    exists(alert) {
      if (alert.kind === "feed_silent") return keys.has(keyOf(alert))
      return alert.kind !== "line_behind" || lines.running.has(keyOf(alert))
    },
  }
}

async function silentFeeds({ database }: Context, now: Moment): Promise<AlertCause[]> {
  const quiet = await quietKeys(database.read, now - QUIET_AFTER)
  return quiet.flatMap(({ id, label, organization, slug, hours, lastRequestAt }): AlertCause[] => {
    const { silentFor, usualHours } = rhythmOf(hours, lastRequestAt, now)
    if (silentFor === null) return []
    const usual = usualHours === null ? "" : ` It usually reports ${usualInWords(usualHours)}.`
    return [
      {
        kind: "feed_silent",
        subject: String(id),
        title: `The API key “${label}” of ${organization} has gone silent`,
        detail: `Nothing has arrived for ${spanInWords(silentFor)}.${usual}`,
        path: `/app/o/${slug}/feed-activity?key=${id}`,
      },
    ]
  })
}

/**
 * Returns the lines that are behind, all running lines, and the lines without recent totals, which may have caught up.
 */
async function linesBehind({ database }: Context, now: Moment) {
  const causes: AlertCause[] = []
  const running = new Set<string>()
  const unknown = new Set<string>()
  for (const seller of await sellers(database.read, SELLERS_MAX)) {
    const today = dayOf(now, seller.timeZone)
    for (const line of await linesSoldBy(database.read, seller.id)) {
      if (!isRunning(line, today)) continue
      const key = keyOf({ kind: "line_behind", subject: line.packageId })
      const state = stateOf(line, now)
      running.add(key)
      if (state === "behind") causes.push(lineCause(seller, line))
      if (state === "no_recent_totals") unknown.add(key)
    }
    await nextTurn()
  }
  return { causes, running, unknown }
}

function lineCause({ name: seller, slug }: Organization, line: StoredLine): AlertCause {
  const percent = Math.round(Math.abs(shareOffPlan(line) ?? 0) * 100)
  const delivered = (line.total?.quantity ?? 0).toLocaleString("en")
  const booked = (line.booked ?? 0).toLocaleString("en")
  const until = line.flightEnd === null ? "has no end" : `runs until ${dateInWords(line.flightEnd)}`
  return {
    kind: "line_behind",
    subject: line.packageId,
    title: `“${line.name}” of ${seller} is ${percent}% behind plan`,
    detail: `${delivered} of ${booked} delivered in “${line.campaign.name}”. The line ${until}.`,
    path: `/app/o/${slug}/campaigns/${line.campaign.slug}/lines/${line.packageId}`,
  }
}

/** Leaves out everything that the requester typed. */
async function waitingOrders({ database }: Context, now: Moment): Promise<AlertCause[]> {
  const orders = await askedOrders(database.read, expiredAt(now))
  return orders.map(({ id, product, slug }) => ({
    kind: "order_waiting",
    subject: id,
    title: `An order for “${product.name}” needs an answer`,
    detail: "The buyer is waiting for your answer.",
    path: slug === null ? "/app" : `/app/o/${slug}/orders/${id}`,
  }))
}

async function backupCauses(context: Context, now: Moment): Promise<AlertCause[]> {
  const last = await storedSetting(context.database.read, "note.backup")
  if (last === null) return []
  const { every } = await scheduleInForce(context)
  const cause = { kind: "backup_failed", subject: "", path: "/app/operator/system" } as const
  const when = momentInWords(last.at)
  if (last.problem !== null) return [{ ...cause, title: "The last backup failed", detail: `${when}: ${last.problem}` }]
  if (every.value === null || !isBackupOverdue(last, now, every.value)) return []
  return [{ ...cause, title: "The scheduled backup is late", detail: `The last one was made on ${when}.` }]
}
