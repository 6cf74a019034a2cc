import { readNumber } from "../../domain/text/typed-number.ts"
import { type Moment, parseDate, parseTimestamp, readDuration } from "../../domain/time/moment.ts"
import { startOfDay } from "../../domain/time/time-zone.ts"

/** The command line is wrong: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

export function wholeNumber(option: string, text: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const number = readNumber(text, { decimals: 0, max })
  if (number.ok && number.value >= min) return number.value
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw new UsageError(`${option} must be a whole number ${range}; it is "${text}".`)
}

/** A moment in the past: so long before now, the start of a day in UTC, or a time. */
export function readSince(option: string, text: string): (now: Moment) => Moment {
  const ago = readDuration(text)
  if (ago !== undefined) return (now) => now - ago
  const date = parseDate(text)
  const moment = date === undefined ? parseTimestamp(text) : startOfDay(date, "UTC")
  if (moment !== undefined) return () => moment
  throw new UsageError(`${option} must be a time such as 24h, 7d, 2026-11-01 or 2026-11-01T08:00:00Z; it is "${text}".`)
}

/** Checks that a name can be a file; `what` is the argument that has it. */
export function namedFile(what: string, name: string): string {
  if (name !== "" && !name.endsWith("/")) return name
  throw new UsageError(`${what} must name a file; it is "${name}".`)
}
