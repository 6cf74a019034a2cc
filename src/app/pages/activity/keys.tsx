import { type FeedState, type Rhythm, usualInWords } from "../../../domain/activity/rhythm.ts"
import { outcomeInWords } from "../../../domain/activity/series.ts"
import { spanInWords } from "../../../domain/time/in-words.ts"
import type { KeyActivity, LastRequest } from "../../../storage/operations/feed-activity.ts"
import { listAddress } from "../../list.ts"
import { Badge, type BadgeShape, Banner, type Tone } from "../../parts/blocks.tsx"
import { formatCount, Time } from "../../parts/format.tsx"

export interface WatchedKey {
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
export function KeyCards({ url, keys, chosen }: KeyCardsProps) {
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
            <code>{key.prefix}…</code>
            <span class="actions">
              <Badge tone={tone} shape={shape}>
                {word}
              </Badge>
              <span class="soft">
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
export function SilentBanner({ watched: { key, rhythm } }: { readonly watched: WatchedKey }) {
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
