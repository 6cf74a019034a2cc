import {
  ACTIVITY_PERIODS,
  type ActivityPeriod,
  type ActivitySlot,
  type ActivitySums,
  activitySlots,
  activitySums,
  type FeedState,
  outcomeInWords,
  type Rhythm,
  rhythmOf,
  startOfPeriod,
  usualInWords,
} from "../../../domain/activity.ts"
import { spanInWords } from "../../../domain/time/moment.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"
import { timeOf } from "../../../domain/time/typed-day.ts"
import {
  feedCounts,
  type KeyActivity,
  keyActivity,
  type LastRequest,
} from "../../../storage/operations/feed-activity.ts"
import { onlyBuys } from "../../../storage/organizations.ts"
import { campaignsAddress } from "../../find.ts"
import { listAddress } from "../../list.ts"
import { page } from "../../page.tsx"
import { Badge, type BadgeShape, Banner, ButtonLink, Card, Empty, Stats, type Tone } from "../../parts/blocks.tsx"
import { DayBars } from "../../parts/charts/small-charts.tsx"
import { Ago, formatCount, formatNumber, formatPercent, formatTime, Time } from "../../parts/format.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"
import { RejectedItems } from "./rejected.tsx"

interface WatchedKey {
  readonly key: KeyActivity
  readonly rhythm: Rhythm
}

const STATES: Readonly<Record<FeedState | "revoked", readonly [Tone, BadgeShape, string]>> = {
  silent: ["bad", "ring", "Silent"],
  reporting: ["good", "dot", "Reporting"],
  new: ["info", "dot", "In use"],
  unused: ["off", "ring", "Never used"],
  revoked: ["off", "word", "Revoked"],
}

interface KeyCardsProps {
  readonly url: URL
  readonly keys: readonly WatchedKey[]
  readonly chosen: WatchedKey
}

/** One card for each key, which says whether it still reports. */
function KeyCards({ url, keys, chosen }: KeyCardsProps) {
  // The chosen reason doesn't apply to another key.
  const plain = new URL(listAddress(url, "reason", ""), url)
  return (
    <nav class="keys no-print" aria-label="API keys">
      {keys.map((watched) => {
        const { key, rhythm } = watched
        const [tone, shape, word] = STATES[key.revokedAt === null ? rhythm.state : "revoked"]
        return (
          <a href={listAddress(plain, "key", String(key.id))} aria-current={watched === chosen ? "true" : undefined}>
            <b>{key.label}</b>
            <code class="hint">{key.prefix}…</code>
            <span class="actions">
              <Badge tone={tone} shape={shape}>
                {word}
              </Badge>
              <span class="hint">
                {rhythm.lastAt === null ? "Created" : "Last request"} <Time at={rhythm.lastAt ?? key.createdAt} />
              </span>
            </span>
          </a>
        )
      })}
    </nav>
  )
}

/** Says that a feed has stopped, and where to look. A revoked key is meant to be silent. */
function SilentBanner({ watched: { key, rhythm } }: { readonly watched: WatchedKey }) {
  const { silentFor, lastAt, usualHours } = rhythm
  if (key.revokedAt !== null || silentFor === null || lastAt === null) return null
  return (
    <Banner tone="bad" isCalm>
      <h2>Silent for {spanInWords(silentFor)}</h2>
      <p>
        {usualHours !== null && `This key usually reports ${usualInWords(usualHours)}. `}
        Its last request, on <Time at={lastAt} />, {adviceOn(key.lastRequest)}
      </p>
    </Banner>
  )
}

function adviceOn(last: LastRequest | null): string {
  if (last === null) return "is too old to be shown here. Check the sender: it has stopped calling."
  if (last.outcome === "dry_run") return "was a dry run. Check the sender: it has stopped calling."
  if (last.outcome !== "answered") return `was refused (${outcomeInWords(last.outcome)}). The sender may have given up.`
  if (last.rejected === 0) return "was accepted in full, so check the sender: it has stopped calling."
  const items = formatCount(last.rejected, "rejected item, which is listed", "rejected items, which are listed")
  return `had ${items} below. The sender may have given up.`
}

export async function activityPage(visit: MemberVisit): Promise<Response> {
  const { context, url } = visit
  // The page also counts the request that was just answered.
  await context.database.later.flush()
  const keys = await watchedKeys(visit)
  const chosen = keys.find(({ key }) => String(key.id) === url.searchParams.get("key")) ?? keys[0]
  return page(visit, {
    title: "Feed activity",
    intro: "What your systems sent, and what was accepted. Keys are never logged.",
    actions: chosen && <PeriodChoice url={url} />,
    hasTimes: chosen !== undefined,
    body:
      chosen === undefined ? (
        await nothingToShow(visit)
      ) : (
        <>
          <KeyCards url={url} keys={keys} chosen={chosen} />
          {await activityOf(visit, chosen)}
        </>
      ),
  })
}

/** Active keys, and revoked keys with recent requests. Silent keys come first. */
async function watchedKeys({ context, organization, now }: MemberVisit): Promise<WatchedKey[]> {
  const keys = await keyActivity(context.database.read, organization.id)
  const watched = keys
    .filter(({ revokedAt, hours }) => revokedAt === null || hours.length > 0)
    .map((key) => ({ key, rhythm: rhythmOf(key.hours, key.lastRequest?.at ?? null, now) }))
  const isSilent = ({ key, rhythm }: WatchedKey) => key.revokedAt === null && rhythm.state === "silent"
  return [...watched.filter(isSilent), ...watched.filter((each) => !isSilent(each))]
}

async function nothingToShow(visit: MemberVisit) {
  if (await onlyBuys(visit.context.database.read, visit.organization.id)) {
    return (
      <Empty title="Nothing to send" text="Only sellers send totals. Your campaigns show what was delivered.">
        <ButtonLink href={campaignsAddress(visit)} label="See your campaigns" />
      </Empty>
    )
  }
  return (
    <Empty title="No keys yet" text="Requests that your systems send with an API key are shown here.">
      {visit.role === "admin" && <ButtonLink kind="primary" href={`${homeOf(visit)}/keys`} label="Create an API key" />}
    </Empty>
  )
}

const PERIOD_NAMES: Readonly<Record<ActivityPeriod, string>> = { "24h": "24 hours", "14d": "14 days", "90d": "90 days" }

const periodIn = ({ searchParams }: URL): ActivityPeriod =>
  ACTIVITY_PERIODS.find((period) => period === searchParams.get("period")) ?? "14d"

const PeriodChoice = ({ url }: { readonly url: URL }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and these are links.
  <div class="seg" role="group" aria-label="Period">
    {ACTIVITY_PERIODS.map((period) => (
      <a href={listAddress(url, "period", period)} aria-current={period === periodIn(url) ? "true" : undefined}>
        {PERIOD_NAMES[period]}
      </a>
    ))}
  </div>
)

async function activityOf(visit: MemberVisit, watched: WatchedKey) {
  const { context, organization, now, url, timeZone } = visit
  if (watched.rhythm.state === "unused") {
    return (
      <Card title="Nothing sent yet">
        <p>Requests with this key are listed here, with their outcome. Each line’s page has an example request.</p>
      </Card>
    )
  }
  const period = periodIn(url)
  const from = startOfPeriod(period, now, timeZone)
  const all = await feedCounts(context.database.read, organization.id, from)
  const counts = all.filter(({ apiKeyId }) => apiKeyId === watched.key.id)
  const sums = activitySums(counts)
  return (
    <>
      <SilentBanner watched={watched} />
      <Figures sums={sums} watched={watched} />
      <Chart slots={activitySlots(counts, period, now, timeZone)} isHourly={period === "24h"} timeZone={timeZone} />
      {await RejectedItems({ visit, apiKeyId: watched.key.id, from, byReason: sums.byReason })}
    </>
  )
}

interface FiguresProps {
  readonly sums: ActivitySums
  readonly watched: WatchedKey
}

function Figures({ sums, watched: { key, rhythm } }: FiguresProps) {
  const items = sums.accepted + sums.rejected
  const share = (count: number) => (items === 0 ? "no items" : `${formatPercent(count / items)} of all items`)
  const reasons = Object.keys(sums.byReason).length
  const rejectedNote =
    reasons === 0 ? share(sums.rejected) : `${share(sums.rejected)}, ${formatCount(reasons, "reason")}`
  return (
    <Stats
      facts={[
        { term: "Requests", value: formatNumber(sums.requests), note: requestNote(sums) },
        { term: "Items accepted", value: formatNumber(sums.accepted), note: share(sums.accepted) },
        { term: "Items rejected", value: formatNumber(sums.rejected), note: rejectedNote },
        {
          term: "Last request",
          value: rhythm.lastAt === null ? "None yet" : <Ago at={rhythm.lastAt} />,
          note: key.lastRequest === null ? undefined : lastNote(key.lastRequest),
        },
      ]}
    />
  )
}

/** What wasn't answered in full: "3 over the rate limit, 1 dry run". */
function requestNote({ byRefusal, dryRuns }: ActivitySums): string {
  const refused = Object.entries(byRefusal)
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${formatNumber(count)} ${outcomeInWords(outcome)}`)
  const notes = dryRuns === 0 ? refused : [...refused, formatCount(dryRuns, "dry run")]
  return notes.length === 0 ? "all answered" : notes.join(", ")
}

function lastNote({ outcome, accepted, rejected }: LastRequest): string {
  if (outcome !== "answered" && outcome !== "dry_run") return outcomeInWords(outcome)
  const counts = `${formatNumber(accepted)} accepted, ${formatNumber(rejected)} rejected`
  return outcome === "dry_run" ? `${counts}, dry run` : counts
}

const SERIES = [
  { label: "Accepted", tone: "b1" },
  { label: "Rejected", tone: "b3" },
] as const

interface ChartProps {
  readonly slots: readonly ActivitySlot[]
  readonly isHourly: boolean
  readonly timeZone: TimeZone
}

/** What came in each hour or day. */
function Chart({ slots, isHourly, timeZone }: ChartProps) {
  const title = `Items per ${isHourly ? "hour" : "day"}`
  const bars = slots.map(({ date, start, accepted, rejected }) => {
    const values = [accepted, rejected]
    if (!isHourly) return { date, values }
    return { date, values, title: formatTime(start, { now: start, timeZone }), label: timeOf(start, timeZone) }
  })
  return (
    <Card label={title}>
      <DayBars title={title} isAlone series={SERIES} days={bars} format={formatNumber} />
    </Card>
  )
}
