import type { ActivityPeriod, ActivitySlot } from "../../../domain/activity/activity-series.ts"
import { reasonWords } from "../../../domain/activity/reason-words.ts"
import type { FeedState, WatchedKey as Watched } from "../../../domain/activity/rhythm.ts"
import { type TimeZone, timeInWords } from "../../../domain/time/time-zone.ts"
import type { KeyActivity } from "../../../storage/port/store.ts"
import { withQuery } from "../paging.ts"
import { Card, type Look, LookBadge } from "../parts/blocks.tsx"
import { type BarSeries, DayBars } from "../parts/charts/bars.tsx"
import type { BarTone } from "../parts/charts/plot.tsx"
import { formatNumber, Time } from "../parts/format.tsx"

// One tone is left for what does not fit.
const REASON_TONES: readonly BarTone[] = ["b3", "b2", "b4", "b5"]

type Props = Readonly<{ slots: readonly ActivitySlot[]; period: ActivityPeriod; zone: TimeZone }>

/** What came in each day or hour: accepted and rejected, and the rejected by reason. */
export function ActivityCharts({ slots, period, zone }: Props) {
  const isHourly = period === "24h"
  const reasons = shownReasons(slots)
  const all = {
    title: `Items per ${isHourly ? "hour" : "day"}`,
    series: [
      { label: "Accepted", tone: "b1" },
      { label: "Rejected", tone: "b3" },
    ],
    valuesOf: ({ accepted, rejected }: ActivitySlot) => [accepted, rejected],
  } as const
  const byReason = {
    title: "Rejected by reason",
    series: reasons,
    valuesOf: (slot: ActivitySlot) =>
      reasons.map(({ codes }) => codes.reduce((sum, code) => sum + (slot.byReason[code] ?? 0), 0)),
  }
  const hourOf = ({ start }: ActivitySlot) => {
    const title = timeInWords(start, zone)
    return { title, label: title.slice(-5) }
  }
  return (
    <div class="cols">
      {[all, ...(reasons.length > 0 ? [byReason] : [])].map(({ title, series, valuesOf }) => (
        <Card key={title} label={title}>
          <DayBars
            title={title}
            series={series}
            days={slots.map((slot) => ({ date: slot.date, values: valuesOf(slot), ...(isHourly && hourOf(slot)) }))}
            format={formatNumber}
          />
        </Card>
      ))}
    </div>
  )
}

/** The most frequent reasons, each with its tone; reasons with the same name are one, and the rest share the last tone. */
function shownReasons(slots: readonly ActivitySlot[]): (BarSeries & { readonly codes: readonly string[] })[] {
  const totals = new Map<string, number>()
  for (const { byReason } of slots) {
    for (const [code, count] of Object.entries(byReason)) totals.set(code, (totals.get(code) ?? 0) + count)
  }
  const byName = Map.groupBy(totals.keys(), (code) => reasonWords(code).short)
  const named = [...byName]
    .map(([label, codes]) => ({ label, codes, count: codes.reduce((sum, code) => sum + (totals.get(code) ?? 0), 0) }))
    .sort((a, b) => b.count - a.count)
  const fits = named.length <= REASON_TONES.length
  const own = fits ? named : named.slice(0, REASON_TONES.length - 1)
  const rest = fits ? [] : named.slice(REASON_TONES.length - 1).flatMap(({ codes }) => codes)
  const reasons = [...own, ...(rest.length > 0 ? [{ label: "Other", codes: rest }] : [])]
  return reasons.map(({ label, codes }, i) => ({ label, codes, tone: REASON_TONES[i] ?? "b5" }))
}

export type WatchedKey = Watched<KeyActivity>

/** One card for each key: who reports, and whether it still does. */
export function KeyCards({ url, keys, chosen }: Readonly<{ url: URL; keys: readonly WatchedKey[]; chosen: string }>) {
  // The filter and the page of one key mean nothing for another.
  const plain = new URL(url)
  for (const name of ["reason", "from"]) plain.searchParams.delete(name)
  return (
    <nav class="keys" aria-label="API keys">
      {keys.map(({ key, rhythm }) => (
        <a key={key.id} href={withQuery(plain, "key", key.id)} aria-current={key.id === chosen ? "true" : undefined}>
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
