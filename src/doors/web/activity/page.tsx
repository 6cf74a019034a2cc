import type { ActivityPeriod, ActivitySlot, ActivitySums } from "../../../domain/activity/activity-series.ts"
import {
  ACTIVITY_PERIODS,
  activitySlots,
  activitySums,
  startOfPeriod,
} from "../../../domain/activity/activity-series.ts"
import type { LastRequest } from "../../../domain/activity/feed-request.ts"
import { outcomeInWords } from "../../../domain/activity/reason-words.ts"
import type { FeedState, WatchedKey as Watched } from "../../../domain/activity/rhythm.ts"
import { spanInWords, usualInWords, watchKey } from "../../../domain/activity/rhythm.ts"
import { formatMoment } from "../../../domain/time/moment.ts"
import { type TimeZone, timeInWords } from "../../../domain/time/time-zone.ts"
import type { KeyActivity } from "../../../storage/port/store.ts"
import { forMember } from "../guards.ts"
import { homeOf } from "../home/page.tsx"
import { deliveryCurl } from "../organization/keys.tsx"
import type { Look } from "../parts/blocks.tsx"
import { Banner, ButtonLink, Card, Copyable, CsvLink, Empty, LookBadge, Stats } from "../parts/blocks.tsx"
import { DayBars } from "../parts/charts/bars.tsx"
import { Segments } from "../parts/form/filters.tsx"
import { Ago, formatCount, formatNumber, formatPercent, Time } from "../parts/format.tsx"
import { withQuery } from "../parts/table.tsx"
import { headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { csv } from "../write-csv.ts"
import { rejectedCsv, rejectedItems } from "./rejected-items.tsx"

const PERIOD_NAMES: Readonly<Record<ActivityPeriod, string>> = { "24h": "24 hours", "14d": "14 days", "90d": "90 days" }

type WatchedKey = Watched<KeyActivity>

const baseOf = (visit: OrganizationVisit) => `${homeOf(visit)}/feed-activity`

const periodOf = ({ searchParams }: URL): ActivityPeriod =>
  ACTIVITY_PERIODS.find((period) => period === searchParams.get("period")) ?? "14d"

/** The keys that can be looked at, silent ones first: active ones, and revoked ones that have sent something of late. */
async function watchedKeys({ context, organization, now }: OrganizationVisit): Promise<WatchedKey[]> {
  const keys = await context.store.feedActivity.keys(organization.id)
  const watched = keys
    .filter(({ revokedAt, hours }) => revokedAt === null || hours.length > 0)
    .map((key) => watchKey(key, now))
  return [...watched.filter(({ isSilent }) => isSilent), ...watched.filter(({ isSilent }) => !isSilent)]
}

const chosenOf = ({ url }: OrganizationVisit, keys: readonly WatchedKey[]): WatchedKey | undefined =>
  keys.find(({ key }) => key.id === url.searchParams.get("key")) ?? keys[0]

async function show(visit: OrganizationVisit): Promise<Response> {
  const keys = await watchedKeys(visit)
  const chosen = chosenOf(visit, keys)
  return headedPage(visit, {
    title: "Feed activity",
    intro: "What your systems sent, and what was accepted. Keys are never logged.",
    actions: chosen && <PeriodChoice url={visit.url} base={baseOf(visit)} />,
    body:
      chosen === undefined && visit.place?.onlyBuys ? (
        <Empty title="Nothing to send" text="Only sellers send totals. Your campaigns show what was delivered.">
          <ButtonLink href={`${homeOf(visit)}/campaigns`} label="See your campaigns" />
        </Empty>
      ) : chosen === undefined ? (
        <Empty title="No keys yet" text="What your systems send with an API key shows up here.">
          {visit.role === "admin" && (
            <ButtonLink kind="primary" href={`${homeOf(visit)}/keys`} label="Create an API key" />
          )}
        </Empty>
      ) : (
        [<KeyCards url={visit.url} keys={keys} chosen={chosen.key.id} />, await keyActivity(visit, chosen)]
      ),
  })
}

function PeriodChoice({ url, base }: { readonly url: URL; readonly base: string }) {
  const now = periodOf(url)
  const segments = ACTIVITY_PERIODS.map((period) => ({
    href: withQuery(url, "period", period),
    label: PERIOD_NAMES[period],
    isCurrent: period === now,
  }))
  return [<Segments label="Period" segments={segments} />, <CsvLink href={`${base}.csv${url.search}`} label="CSV" />]
}

async function keyActivity(visit: OrganizationVisit, watched: WatchedKey) {
  const { context, organization, now, url } = visit
  if (watched.rhythm.state === "unused") return nothingSent(visit)
  const period = periodOf(url)
  const zone = organization.timeZone
  const from = startOfPeriod(period, now, zone)
  const counts = await context.store.feedActivity.counts(watched.key.id, from)
  const sums = activitySums(counts)
  return [
    <h2 class="vh">{watched.key.label}</h2>,
    <SilentBanner watched={watched} />,
    <Figures sums={sums} watched={watched} />,
    activityChart(activitySlots(counts, period, now, zone), period, zone),
    await rejectedItems(visit, watched.key.id, from, sums.byReason),
  ]
}

/** What came in each day or hour: accepted and rejected. */
function activityChart(slots: readonly ActivitySlot[], period: ActivityPeriod, zone: TimeZone) {
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

/** One card for each key: who reports, and whether it still does. */
function KeyCards({ url, keys, chosen }: Readonly<{ url: URL; keys: readonly WatchedKey[]; chosen: string }>) {
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

async function nothingSent({ context, organization, origin }: OrganizationVisit) {
  const line = await context.store.packageLines.example(organization.id)
  const request = line && deliveryCurl(`${origin}/api/ingest/delivery/metrics`, "$ADBOOTH_KEY", line)
  return (
    <Card title="Nothing sent yet">
      <p class="soft">What this key sends is listed here, and whether it was accepted.</p>
      {request !== null && <Copyable id="curl" label="A first request" text={request} />}
    </Card>
  )
}

function Figures({ sums, watched: { key, rhythm } }: Readonly<{ sums: ActivitySums; watched: WatchedKey }>) {
  const items = sums.accepted + sums.rejected
  const share = (count: number) => (items === 0 ? "no items" : `${formatPercent(count / items)} of all items`)
  const last = key.lastRequest
  return (
    <Stats
      facts={[
        { term: "Requests", value: formatNumber(sums.requests), note: requestNote(sums) },
        { term: "Items accepted", value: formatNumber(sums.accepted), note: share(sums.accepted) },
        { term: "Items rejected", value: formatNumber(sums.rejected), note: rejectedNote(sums, share) },
        {
          term: "Last request",
          value: rhythm.lastAt === null ? "None yet" : <Ago at={rhythm.lastAt} />,
          note: last === null ? undefined : lastNote(last),
        },
      ]}
    />
  )
}

/** The requests that were refused as a whole, by outcome. */
function requestNote({ byRefusal, dryRuns }: ActivitySums): string {
  const refused = Object.entries(byRefusal)
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${formatNumber(count)} ${outcomeInWords(outcome)}`)
  const dry = dryRuns === 0 ? [] : [formatCount(dryRuns, "dry run")]
  return [...refused, ...dry].join(", ") || "all answered"
}

function rejectedNote({ byReason, rejected }: ActivitySums, share: (count: number) => string): string {
  const reasons = Object.keys(byReason).length
  return reasons === 0 ? share(rejected) : `${share(rejected)}, ${formatCount(reasons, "reason")}`
}

function lastNote({ outcome, accepted, rejected }: NonNullable<KeyActivity["lastRequest"]>): string {
  if (outcome !== "answered" && outcome !== "dry_run") return outcomeInWords(outcome)
  const counts = `${formatNumber(accepted)} accepted, ${formatNumber(rejected)} rejected`
  return outcome === "dry_run" ? `${counts}, dry run` : counts
}

/** The counts by the hour, or with `?list=rejected` the rejected items. */
async function download(visit: OrganizationVisit): Promise<Response> {
  const { context, organization, now, url } = visit
  const chosen = chosenOf(visit, await watchedKeys(visit))
  const from = startOfPeriod(periodOf(url), now, organization.timeZone)
  const name = `${organization.slug}-feed-activity`
  if (url.searchParams.get("list") === "rejected") {
    return rejectedCsv(visit, `${name}-rejected`, chosen?.key.id, from)
  }
  const counts = chosen === undefined ? [] : await context.store.feedActivity.counts(chosen.key.id, from)
  const label = chosen?.key.label ?? ""
  const rows = counts.map(({ hour, feed, unit, outcome, count }) => [
    label,
    formatMoment(hour),
    feed,
    unit,
    outcome,
    count,
  ])
  return csv(`${name}.csv`, ["key", "hour", "feed", "counted", "outcome", "count"], rows)
}

const ACTIVITY = "/app/o/:org/feed-activity"

export const activityRoutes = [forMember("GET", ACTIVITY, show), forMember("GET", `${ACTIVITY}.csv`, download)]

/** Says that a feed has stopped, and where to look. Nothing for a revoked key: it is meant to be silent. */
function SilentBanner({ watched }: { readonly watched: WatchedKey }) {
  const { key, rhythm } = watched
  if (key.revokedAt !== null || rhythm.silentFor === null || rhythm.lastAt === null) return null
  const usual = rhythm.usualHours === null ? "" : `This key usually reports ${usualInWords(rhythm.usualHours)}. `
  return (
    <Banner tone="bad">
      <h2>Silent for {spanInWords(rhythm.silentFor)}</h2>
      <p>
        {usual}
        Its last request, on <Time at={rhythm.lastAt} />, {advice(key.lastRequest)}
      </p>
    </Banner>
  )
}

function advice(last: LastRequest | null): string {
  if (last === null) return "is too old to be shown here. Check the sender: it has stopped calling."
  if (last.outcome === "dry_run") return "was a dry run. Check the sender: it has stopped calling."
  if (last.outcome !== "answered") return `was refused (${outcomeInWords(last.outcome)}). The sender may have given up.`
  if (last.rejected === 0) return "was accepted in full, so check the sender: it has stopped calling."
  return `had ${last.rejected} rejected items, which are listed below. The sender may have given up.`
}
