import { KeyLabel } from "../../domain/keys/api-key.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { formatMinute } from "../../domain/time/moment.ts"
import type { ListedKey } from "../../storage/port/store.ts"
import { UsageError } from "./arguments.ts"
import { type Column, momentOrNull, timeColumn } from "./output/table.ts"

export function readLabel(label: string): string {
  const checked = checkFor(KeyLabel)(label)
  if (!checked.ok) throw new UsageError(checked.problems.map(({ message }) => `--label ${message}.`).join("\n"))
  return checked.value
}

// What the lists of both kinds of keys have in common.
export const STATE: Column<ListedKey> = {
  title: "STATE",
  text: ({ revokedAt }) => (revokedAt === null ? "active" : "revoked"),
  colour: ({ revokedAt }) => (revokedAt === null ? "green" : "dim"),
}
// To the minute, because uses are noted together.
export const LAST_USED: Column<ListedKey> = {
  title: "LAST USED",
  value: ({ lastUsedAt }) => lastUsedAt && formatMinute(lastUsedAt),
  text: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : formatMinute(lastUsedAt)),
  optional: 1,
}
export const CREATED = timeColumn("CREATED", ({ createdAt }: ListedKey) => createdAt, { optional: 2 })
export const revokedJson = ({ revokedAt }: ListedKey) => ({ revoked: momentOrNull(revokedAt) })
