import type { ActivityPeriod, ActivitySlot } from "../../../domain/activity/activity-series.ts"
import type { FeedState, WatchedKey as Watched } from "../../../domain/activity/rhythm.ts"
import { type TimeZone, timeInWords } from "../../../domain/time/time-zone.ts"
import type { KeyActivity } from "../../../storage/port/store.ts"
import { withQuery } from "../paging.ts"
import { Card, type Look, LookBadge } from "../parts/blocks.tsx"
import { DayBars } from "../parts/charts/bars.tsx"
import { formatNumber, Time } from "../parts/format.tsx"

/** What came in each day or hour: accepted and rejected. */
export function activityChart(slots: readonly ActivitySlot[], period: ActivityPeriod, zone: TimeZone) {
  const isHourly = period === "24h"
  const title = `Items per ${isHourly ? "hour" : "day"}`
  const barOf = ({ date, start, accepted, rejected }: ActivitySlot) => {
    const hour = timeInWords(start, zone)
    return { date, values: [accepted, rejected], ...(isHourly && { title: hour, label: hour.slice(-5) }) }
  }
  return (
    <Card label={title}>
      <DayBars title={title} series={SERIES} days={slots.map(barOf)} format={formatNumber} />
    </Card>
  )
}

const SERIES = [
  { label: "Accepted", tone: "b1" },
  { label: "Rejected", tone: "b3" },
] as const

export type WatchedKey = Watched<KeyActivity>

/** One card for each key: who reports, and whether it still does. */
export function KeyCards({ url, keys, chosen }: Readonly<{ url: URL; keys: readonly WatchedKey[]; chosen: string }>) {
  // The filter and the page of one key mean nothing for another.
  const plain = new URL(url)
  for (const name of ["reason", "from"]) plain.searchParams.delete(name)
  return (
    <nav class="keys" aria-label="API keys">
      {keys.map(({ key, rhythm }) => (
        <a href={withQuery(plain, "key", key.id)} aria-current={key.id === chosen ? "true" : undefined}>
          <b>{key.label}</b>
          <code>{key.prefix}…</code>
          <span class="with wraps">
            <LookBadge look={STATES[key.revokedAt === null ? rhythm.state : "revoked"]} />
            <span class="soft small">
              {rhythm.lastAt === null ? "Created" : "Last request"} <Time at={rhythm.lastAt ?? key.createdAt} />
            </span>
          </span>
        </a>
      ))}
    </nav>
  )
}

const STATES: Readonly<Record<FeedState | "revoked", Look>> = {
  silent: ["bad", "ring", "Silent feed"],
  reporting: ["good", "dot", "Reporting"],
  new: ["info", "dot", "In use"],
  unused: ["off", "ring", "Never used"],
  revoked: ["off", "word", "Revoked"],
}
