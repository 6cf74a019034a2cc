import { type Rhythm, rhythmOf } from "../domain/activity.ts"
import { dueLines, type LineFeed, type PressingLine, pressingLines, takesTotal } from "../domain/campaign/attention.ts"
import { isRunning } from "../domain/campaign/line-state.ts"
import { MICROS_PER_HOUR } from "../domain/time/moment.ts"
import { dayOf } from "../domain/time/time-zone.ts"
import { linesSoldBy, type StoredLine } from "../storage/campaigns/lines.ts"
import { feedsOf } from "../storage/delivery/reports.ts"
import { type QuietKey, quietKeys } from "../storage/operations/feed-activity.ts"
import type { MemberVisit } from "./visit.ts"

/** An API key that has been silent for longer than usual. */
export interface SilentKey {
  readonly key: QuietKey
  readonly rhythm: Rhythm
}

/**
 * The lines and keys of a seller, and the ones that need attention. Every page that counts or lists them reads this.
 */
export interface Selling {
  /** Every line, archived or not. */
  readonly lines: readonly StoredLine[]
  readonly running: readonly StoredLine[]
  /** Lines that run, or have ended lately and may take a total. */
  readonly taking: readonly StoredLine[]
  /** The lines among them that should be reported today. */
  readonly due: readonly StoredLine[]
  readonly pressing: readonly PressingLine<StoredLine>[]
  readonly silentKeys: readonly SilentKey[]
  /** Which API key reports a line, by line ID. */
  readonly feeds: ReadonlyMap<number, LineFeed>
}

// The shortest usual gap is an hour, so no key counts as silent sooner.
const QUIET_AFTER = 2.5 * MICROS_PER_HOUR

export async function sellingNow({ context, read, organization, now }: MemberVisit): Promise<Selling> {
  // A key that has just reported isn't silent.
  await context.database.later.flush()
  const [lines, quiet] = await Promise.all([
    linesSoldBy(read, organization.id, { withArchived: true }),
    quietKeys(read, now - QUIET_AFTER, organization.id),
  ])
  const listed = lines.filter(({ isArchived, campaign }) => !isArchived && !campaign.isArchived)
  const taking = listed.filter((line) => takesTotal(line, now))
  const feeds = await feedsOf(
    read,
    taking.map(({ id }) => id),
  )
  const silentKeys = quiet
    .map((key) => ({ key, rhythm: rhythmOf(key.hours, key.lastRequestAt, now) }))
    .filter(({ rhythm }) => rhythm.state === "silent")
  const silentIds = new Set(silentKeys.map(({ key }) => key.id))
  return {
    lines,
    running: listed.filter((line) => isRunning(line, dayOf(now, line.timeZone))),
    taking,
    due: dueLines(taking, feeds, silentIds, now),
    pressing: pressingLines(listed, now),
    silentKeys,
    feeds,
  }
}
