import type { KeyLabel } from "../../domain/keys/key-label.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { formatMinute, formatMoment, type Moment } from "../../domain/time/moment.ts"
import type { ListedKey } from "../../storage/port/store.ts"
import { UsageError } from "./usage-error.ts"

/** A label given on the command line, under the same rule as everywhere else. */
export function readLabel(schema: typeof KeyLabel, label: string): string {
  const checked = checkFor(schema)(label)
  if (!checked.ok) throw new UsageError(checked.complaints.map(({ message }) => `--label ${message}.`).join("\n"))
  return checked.value
}

export function keyJson(key: ListedKey) {
  return {
    id: key.id,
    prefix: key.prefix,
    label: key.label,
    created: formatMoment(key.createdAt),
    last_used: key.lastUsedAt === null ? null : formatMinute(key.lastUsedAt),
    revoked: key.revokedAt === null ? null : formatMoment(key.revokedAt),
  }
}

export function keyState(key: ListedKey): string {
  return key.revokedAt === null ? "active" : "revoked"
}

/** To the minute, which is as fine as it needs to be. */
export function stamp(moment: Moment | null): string {
  return moment === null ? "never" : formatMoment(moment).slice(0, 16).replace("T", " ")
}
