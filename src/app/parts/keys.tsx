import type { Moment } from "../../domain/time/moment.ts"
import { Badge } from "./blocks.tsx"
import { Ago } from "./format.tsx"
import type { Column } from "./table.tsx"

/** An API key or a buyer key. */
interface IssuedKey {
  readonly prefix: string
  readonly revokedAt: Moment | null
  readonly lastUsedAt: Moment | null
}

export const KEY_STATES = {
  active: { label: "Active", has: ({ revokedAt }: IssuedKey) => revokedAt === null },
  revoked: { label: "Revoked", has: ({ revokedAt }: IssuedKey) => revokedAt !== null },
}

export function KeyBadge({ revokedAt, lastUsedAt }: IssuedKey) {
  if (revokedAt !== null) return <Badge tone="bad" label="Revoked" />
  if (lastUsedAt !== null) return <Badge tone="good" label="In use" />
  return <Badge tone="off" shape="ring" label="Not used yet" />
}

/** What every list of keys says about them. */
export const KEY_COLUMNS = {
  state: { title: "State", cell: KeyBadge, onPhone: "corner" },
  prefix: { title: "Starts with", cell: ({ prefix }) => <code>{prefix}…</code> },
  lastUsed: {
    title: "Last request",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "None yet" : <Ago at={lastUsedAt} />),
    sort: ({ lastUsedAt }) => lastUsedAt,
  },
} satisfies Readonly<Record<string, Column<IssuedKey>>>
