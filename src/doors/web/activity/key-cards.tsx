import type { FeedState } from "../../../domain/activity/rhythm.ts"
import type { WatchedKey as Watched } from "../../../domain/activity/watched-key.ts"
import type { KeyActivity } from "../../../storage/port/store.ts"
import { withQuery } from "../paging.ts"
import { Badge } from "../parts/badge.tsx"
import { Time } from "../parts/time.tsx"

export type WatchedKey = Watched<KeyActivity>

type KeyCardsProps = Readonly<{ url: URL; keys: readonly WatchedKey[]; chosen: string }>

/** One card for each key: who reports, and whether it still does. */
export function KeyCards({ url, keys, chosen }: KeyCardsProps) {
  // The filter and the page of one key mean nothing for another.
  const plain = new URL(url)
  for (const name of ["reason", "from"]) plain.searchParams.delete(name)
  return (
    <nav class="keys" aria-label="API keys">
      {keys.map(({ key, rhythm }) => (
        <a key={key.id} href={withQuery(plain, "key", key.id)} aria-current={key.id === chosen ? "true" : undefined}>
          <span class="with">
            <b>{key.label}</b>
          </span>
          <code>{key.prefix}…</code>
          <span class="with wraps">
            <StateBadge of={key} state={rhythm.state} />
            <span class="soft small">
              {rhythm.lastAt === null ? "Created" : "Last request"} <Time at={rhythm.lastAt ?? key.createdAt} />
            </span>
          </span>
        </a>
      ))}
    </nav>
  )
}

function StateBadge({ of: { revokedAt }, state }: { readonly of: KeyActivity; readonly state: FeedState }) {
  if (revokedAt !== null) return <Badge>Revoked</Badge>
  switch (state) {
    case "silent":
      return (
        <Badge tone="bad" shape="ring">
          Silent feed
        </Badge>
      )
    case "reporting":
      return <Badge tone="good">Reporting</Badge>
    case "new":
      return <Badge tone="info">In use</Badge>
    case "unused":
      return <Badge shape="ring">Never used</Badge>
  }
}
