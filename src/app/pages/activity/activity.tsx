import {
  ACTIVITY_PERIODS,
  type ActivitySums,
  activityByDay,
  activitySums,
  type FeedState,
  outcomeInWords,
  type Rhythm,
  rhythmOf,
  startOfPeriod,
  usualInWords,
} from "../../../domain/activity.ts"
import { spanInWords } from "../../../domain/time/moment.ts"
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
import { Badge, type BadgeShape, Banner, ButtonLink, Card, Empty, Facts, type Tone } from "../../parts/blocks.tsx"
import { DayBars } from "../../parts/charts/day-bars.tsx"
import { Segments } from "../../parts/filters.tsx"
import { Ago, formatCount, formatNumber, formatPercent, Time } from "../../parts/format.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"
import { rejectedItemsCard } from "./rejected.tsx"

interface WatchedKey extends KeyActivity {
  readonly rhythm: Rhythm
}

export async function activityPage(visit: MemberVisit): Promise<Response> {
  const { context, url } = visit
  // The page also counts the request that was just answered.
  await context.database.later.flush()
  const keys = await watchedKeys(visit)
  const chosen = keys.find(({ id }) => String(id) === url.searchParams.get("key")) ?? keys[0]
  const days = ACTIVITY_PERIODS.find((each) => String(each) === url.searchParams.get("period")) ?? ACTIVITY_PERIODS[0]
  return page(visit, {
    title: "Feed activity",
    intro: "What your systems sent, and what was accepted. Keys are never logged.",
    actions: chosen && (
      <Segments
        label="Period"
        segments={ACTIVITY_PERIODS.map((each) => ({
          href: listAddress(url, "period", String(each)),
          words: `${each} days`,
          isChosen: each === days,
        }))}
      />
    ),
    hasTimes: chosen !== undefined,
    body:
      chosen === undefined ? (
        await nothingToShow(visit)
      ) : (
        <>
          {keyCards(url, keys, chosen)}
          {await activityOf(visit, chosen, days)}
        </>
      ),
  })
}

/** Active keys, and revoked keys with recent requests. Silent keys come first. */
async function watchedKeys({ read, organization, now }: MemberVisit): Promise<WatchedKey[]> {
  const keys = await keyActivity(read, organization.id)
  const watched = keys
    .filter(({ revokedAt, hours }) => revokedAt === null || hours.length > 0)
    .map((key) => ({ ...key, rhythm: rhythmOf(key.hours, key.lastRequest?.at ?? null, now) }))
  return [...watched.filter(isSilent), ...watched.filter((key) => !isSilent(key))]
}

/** A revoked key is meant to be silent. */
const isSilent = ({ revokedAt, rhythm }: WatchedKey) => revokedAt === null && rhythm.state === "silent"

async function nothingToShow(visit: MemberVisit) {
  if (await onlyBuys(visit.read, visit.organization.id)) {
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

const STATES: Readonly<Record<FeedState | "revoked", readonly [Tone, BadgeShape, string]>> = {
  silent: ["bad", "ring", "Silent"],
  reporting: ["good", "dot", "Reporting"],
  new: ["info", "dot", "In use"],
  unused: ["off", "ring", "Never used"],
  revoked: ["off", "word", "Revoked"],
}

/** One card for each key, which says whether it still reports. */
function keyCards(url: URL, keys: readonly WatchedKey[], chosen: WatchedKey) {
  // The chosen reason doesn't apply to another key.
  const plain = new URL(listAddress(url, "reason", ""), url)
  return (
    <nav class="cols no-print" aria-label="API keys">
      {keys.map((key) => {
        const { id, label, prefix, revokedAt, rhythm, lastRequest, createdAt } = key
        const [tone, shape, word] = STATES[revokedAt === null ? rhythm.state : "revoked"]
        return (
          <a
            class="card tight"
            href={listAddress(plain, "key", String(id))}
            aria-current={key === chosen ? "true" : undefined}
          >
            <b>{label}</b>
            <code class="hint">{prefix}…</code>
            <span class="actions">
              <Badge tone={tone} shape={shape} label={word} />
              <span class="hint">
                {lastRequest === null ? "Created" : "Last request"} <Time at={lastRequest?.at ?? createdAt} />
              </span>
            </span>
          </a>
        )
      })}
    </nav>
  )
}

async function activityOf(visit: MemberVisit, key: WatchedKey, days: number) {
  const { read, organization, now, timeZone } = visit
  const { id, lastRequest } = key
  if (lastRequest === null) {
    return (
      <Card title="Nothing sent yet">
        <p>Requests with this key are listed here, with their outcome. Each line’s page has an example request.</p>
      </Card>
    )
  }
  const from = startOfPeriod(days, now, timeZone)
  const counts = (await feedCounts(read, organization.id, from)).filter(({ apiKeyId }) => apiKeyId === id)
  const sums = activitySums(counts)
  const bars = activityByDay(counts, days, now, timeZone).map(({ date, accepted, rejected }) => {
    return { date, values: [accepted, rejected] }
  })
  return (
    <>
      {isSilent(key) && silentBanner(key.rhythm, lastRequest)}
      <Facts isLarge facts={factsOf(sums, lastRequest)} />
      <Card label="Items per day">
        <DayBars title="Items per day" isAlone series={["Accepted", "Rejected"]} days={bars} />
      </Card>
      {await rejectedItemsCard(visit, id, from, sums.byReason)}
    </>
  )
}

/** Says that a feed has stopped, and where to look. */
const silentBanner = ({ silentFor, usualHours }: Rhythm, last: LastRequest) => (
  <Banner tone="bad" isCalm>
    <h2>Silent for {spanInWords(silentFor ?? 0)}</h2>
    <p>
      {usualHours !== null && `This key usually reports ${usualInWords(usualHours)}. `}
      Its last request, on <Time at={last.at} />, {adviceOn(last)}
    </p>
  </Banner>
)

function adviceOn({ outcome, rejected }: LastRequest): string {
  if (outcome === "dry_run") return "was a dry run. Check the sender: it has stopped calling."
  if (outcome !== "answered") return `was refused (${outcomeInWords(outcome)}). The sender may have given up.`
  if (rejected === 0) return "was accepted in full, so check the sender: it has stopped calling."
  const items = formatCount(rejected, "rejected item, which is listed", "rejected items, which are listed")
  return `had ${items} below. The sender may have given up.`
}

function factsOf(sums: ActivitySums, last: LastRequest) {
  const items = sums.accepted + sums.rejected
  const share = (count: number) => (items === 0 ? "no items" : `${formatPercent(count / items)} of all items`)
  const reasons = Object.keys(sums.byReason).length
  const reasonsNote = reasons === 0 ? "" : `, ${formatCount(reasons, "reason")}`
  return [
    { term: "Requests", value: formatNumber(sums.requests), note: requestNote(sums) },
    { term: "Items accepted", value: formatNumber(sums.accepted), note: share(sums.accepted) },
    { term: "Items rejected", value: formatNumber(sums.rejected), note: share(sums.rejected) + reasonsNote },
    { term: "Last request", value: <Ago at={last.at} />, note: lastNote(last) },
  ]
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
