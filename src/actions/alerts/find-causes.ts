import { silentKeys, spanInWords, usualInWords } from "../../domain/activity/rhythm.ts"
import type { AlertCause, AlertCheck, Certificate } from "../../domain/alerts/alert.ts"
import { certificateCause, diskCause, keyText, serviceCause } from "../../domain/alerts/alert.ts"
import { offPlan, stateOf } from "../../domain/campaign/line-state.ts"
import { isBackupOverdue } from "../../domain/operations/backup.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { amountOf } from "../../domain/sale/order.ts"
import type { Moment } from "../../domain/time/moment.ts"
import { dayInWords, dayOf, timeInUtc } from "../../domain/time/time-zone.ts"
import type { FlyingLine, KeyActivity } from "../../storage/port/store.ts"
import type { Context } from "../context.ts"
import { backupSchedule, lastBackup } from "../operations/backups.ts"
import { bucketNote } from "../operations/bucket.ts"
import type { Surroundings } from "../operations/readiness.ts"
import { httpsNote } from "../operations/services.ts"
import { sellersOrderPaths } from "../sale/answer-order.ts"

// The rules are those of the pages: "silent" as in feed activity, "behind" as on Today, the backup as in readiness.

export interface AlertSurroundings extends Surroundings {
  readonly diskFreeBytesMin: number
  /** The certificate of the public address; null where there is none or it cannot be read. */
  readonly certificate: () => Promise<Certificate | null>
  /** Lets others go first. */
  readonly pause: () => Promise<void>
}

/** Everything that needs an operator now. */
export async function findCauses(context: Context, surroundings: AlertSurroundings): Promise<AlertCheck> {
  const now = context.clock()
  const causes: AlertCause[] = []
  const unknown = new Set<string>()
  const there = new Set<string>()
  for (const organization of await context.store.organizations.list()) {
    await surroundings.pause()
    const keys = await context.store.feedActivity.keys(organization.id)
    causes.push(...silentFeeds(keys, organization, now))
    for (const { id, revokedAt } of keys)
      if (revokedAt === null) there.add(keyText({ kind: "feed_silent", subject: id }))
    const today = dayOf(now, organization.timeZone)
    for (const line of await context.store.campaigns.inFlight(organization.id, { from: today, to: today })) {
      const key = keyText({ kind: "line_behind", subject: line.packageId })
      const state = stateOf(line, now)
      there.add(key)
      if (state === "behind") causes.push(lineCause(organization, line))
      // Without recent figures it is unknown whether it has caught up.
      if (state === "no_recent_figures") unknown.add(key)
    }
  }
  causes.push(...(await waitingOrders(context, now)))
  const free = await surroundings.diskFreeBytes().catch(() => null)
  const certificate = await surroundings.certificate()
  causes.push(...(await backupCause(context, surroundings.backupEvery)))
  causes.push(...serviceCause("https_problem", await httpsNote(context.store)))
  causes.push(...serviceCause("copies_failing", await bucketNote(context.store)))
  causes.push(...diskCause(free, surroundings.diskFreeBytesMin), ...certificateCause(certificate, now))
  const isDiskUnknown = free === null || free < surroundings.diskFreeBytesMin * ENOUGH_AGAIN
  return {
    causes,
    isThere: (alert) => there.has(keyText(alert)) || !["feed_silent", "line_behind"].includes(alert.kind),
    isUnknown: (alert) =>
      unknown.has(keyText(alert)) ||
      (alert.kind === "disk_low" && isDiskUnknown) ||
      (alert.kind === "certificate_ending" && certificate === null),
  }
}

// A little above the limit is not yet enough: otherwise an alert would come and go with every file.
const ENOUGH_AGAIN = 1.1

const silentFeeds = (keys: readonly KeyActivity[], organization: Organization, now: Moment): AlertCause[] =>
  silentKeys(keys, now).map(({ key, rhythm }) => ({
    kind: "feed_silent",
    subject: key.id,
    title: `The API key “${key.label}” of ${organization.name} has gone silent`,
    detail: [
      `Nothing has arrived for ${spanInWords(rhythm.silentFor ?? 0)}.`,
      rhythm.usualHours === null ? "" : `It usually reports ${usualInWords(rhythm.usualHours)}.`,
    ]
      .join(" ")
      .trim(),
    path: `/app/o/${organization.slug}/feed-activity?key=${encodeURIComponent(key.id)}`,
  }))

function lineCause(organization: Organization, line: FlyingLine): AlertCause {
  const { packageId, name, campaign, total, booked, flightEnd } = line
  const percent = Math.round(Math.abs(offPlan(line, line.seller.timeZone) ?? 0) * 100)
  const number = (value: number) => value.toLocaleString("en")
  return {
    kind: "line_behind",
    subject: packageId,
    title: `“${name}” of ${organization.name} is ${percent}% behind plan`,
    detail: `${number(total?.quantity ?? 0)} of ${number(booked ?? 0)} delivered in “${campaign.name}”, which runs until ${flightEnd === null ? "further notice" : dayInWords(flightEnd)}.`,
    path: `/app/o/${organization.slug}/campaigns/${campaign.slug}/lines/${packageId}`,
  }
}

/** Nothing that the requester typed is in it. */
async function waitingOrders({ store }: Context, now: Moment): Promise<AlertCause[]> {
  const waiting = await store.orders.waiting(null, now)
  if (waiting.length === 0) return []
  const sellersPath = await sellersOrderPaths(store)
  return waiting.map(({ id, sellerId, product, priced, asked }) => ({
    kind: "order_waiting",
    subject: id,
    title: `An order for “${product.name}” needs an answer`,
    detail: `${amountOf(priced, asked)} ${priced.currency}, from ${dayInWords(asked.from)} to ${dayInWords(asked.to)}.`,
    path: sellersPath({ id, sellerId }),
  }))
}

async function backupCause({ store, clock }: Context, backupEvery: Moment | null): Promise<AlertCause[]> {
  const [last, { every }] = await Promise.all([
    lastBackup(store),
    backupSchedule(store, { backupEvery, backupKeep: null }),
  ])
  if (last === null) return []
  const cause = { kind: "backup_failed", subject: "", path: "/app/operator/system" } as const
  const when = timeInUtc(last.at)
  if (!last.ok)
    return [{ ...cause, title: "The last backup failed", detail: `On ${when}: ${last.problem ?? "no reason given"}` }]
  return every !== null && isBackupOverdue(last, clock(), every)
    ? [{ ...cause, title: "The scheduled backup is late", detail: `The last one was made on ${when}.` }]
    : []
}
