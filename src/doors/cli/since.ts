import { readDuration } from "../../domain/time/duration.ts"
import { type Moment, parseDate, parseTimestamp } from "../../domain/time/moment.ts"
import { startOfDay } from "../../domain/time/time-zone.ts"
import { UsageError } from "./usage-error.ts"

/** A moment in the past: so long ago, the start of a day in UTC, or a time. */
export function readSince(option: string, text: string, now: Moment): Moment {
  const ago = readDuration(text)
  if (ago !== undefined) return now - ago
  const date = parseDate(text)
  const moment = date === undefined ? parseTimestamp(text) : startOfDay(date, "UTC")
  if (moment !== undefined) return moment
  throw new UsageError(`${option} must be a time such as 24h, 7d, 2026-11-01 or 2026-11-01T08:00:00Z; it is "${text}".`)
}
