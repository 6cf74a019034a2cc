import { KeyLabel } from "../../domain/keys/api-key.ts"
import { checkFor } from "../../domain/schema/check.ts"
import { formatMinute, formatMoment, type Moment } from "../../domain/time/moment.ts"
import { UserError } from "../../domain/user-error.ts"
import type { ListedKey } from "../../storage/port/store.ts"
import { UsageError } from "./arguments.ts"
import type { Colour } from "./output/text.ts"

export function readLabel(label: string): string {
  const checked = checkFor(KeyLabel)(label)
  if (!checked.ok) throw new UsageError(checked.problems.map(({ message }) => `--label ${message}.`).join("\n"))
  return checked.value
}

export function noAgentKey(idOrPrefix: string): UserError {
  return new UserError(`There is no active agent key "${idOrPrefix}". "adbooth agent-key list" shows them.`)
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

export function keyColour(key: ListedKey): Colour {
  return key.revokedAt === null ? "green" : "dim"
}

export const stamp = (moment: Moment | null): string => (moment === null ? "never" : formatMinute(moment))
