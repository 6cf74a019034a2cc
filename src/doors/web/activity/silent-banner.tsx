import type { LastRequest } from "../../../domain/activity/feed-request.ts"
import { outcomeInWords } from "../../../domain/activity/reason-words.ts"
import { spanInWords, usualInWords } from "../../../domain/activity/rhythm.ts"
import { Banner } from "../parts/banner.tsx"
import { Time } from "../parts/time.tsx"

import type { WatchedKey } from "./key-cards.tsx"

/** Says that a feed has stopped, and where to look. Nothing for a revoked key: it is meant to be silent. */
export function SilentBanner({ watched }: { readonly watched: WatchedKey }) {
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
  if (last === null) return "is too old to be shown here. Look at the sender: it has stopped calling."
  if (last.outcome === "dry_run") return "was a dry run. Look at the sender: it has stopped calling."
  if (last.outcome !== "answered") return `was refused (${outcomeInWords(last.outcome)}). The sender may have given up.`
  if (last.rejected === 0) return "was accepted in full, so look at the sender: it has stopped calling."
  return `had ${last.rejected} rejected items, which are listed below. The sender may have given up.`
}
