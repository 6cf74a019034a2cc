import { KeyLabel } from "../../domain/keys/api-key.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { formatMinute, formatMoment, type Moment } from "../../domain/time/moment.ts"
import type { ListedKey } from "../../storage/port/store.ts"
import { UsageError } from "./arguments.ts"
import type { Column } from "./output/table.ts"

export function readLabel(label: string): string {
  const checked = checkFor(KeyLabel)(label)
  if (!checked.ok) throw new UsageError(checked.problems.map(({ message }) => `--label ${message}.`).join("\n"))
  return checked.value
}

/** A moment in JSON; null for none. */
export const momentOrNull = (moment: Moment | null) => (moment === null ? null : formatMoment(moment))
export const stamp = (moment: Moment | null): string => (moment === null ? "never" : formatMinute(moment))

// What the lists of both kinds of keys have in common.
export const STATE: Column<ListedKey> = {
  title: "STATE",
  text: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
  colour: ({ revokedAt }) => (revokedAt === null ? "green" : "dim"),
}
export const LAST_USED: Column<ListedKey> = {
  title: "LAST USED",
  value: ({ lastUsedAt }) => lastUsedAt && formatMinute(lastUsedAt),
  text: ({ lastUsedAt }) => stamp(lastUsedAt),
  optional: 1,
}
export const CREATED: Column<ListedKey> = {
  title: "CREATED",
  value: ({ createdAt }) => formatMoment(createdAt),
  text: ({ createdAt }) => stamp(createdAt),
  optional: 2,
}
export const revokedJson = ({ revokedAt }: ListedKey) => ({ revoked: momentOrNull(revokedAt) })
