import { maskKeys } from "./domain/api-key.ts"
import { formatMoment, type Moment } from "./domain/moment.ts"

export type LogFormat = "text" | "json"
type Level = "info" | "warn" | "error"
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Log {
  info(event: string, fields?: Fields): void
  warn(event: string, fields?: Fields): void
  error(event: string, cause: unknown, fields?: Fields): void
}

export interface LogParts {
  readonly format: LogFormat
  readonly clock: () => Moment
  readonly write: (line: string) => void
}

/** One line for each event. Whatever ends up in a line, what looks like one of our keys leaves it masked. */
export function createLog({ format, clock, write }: LogParts): Log {
  function line(level: Level, event: string, fields: Fields): void {
    const text = format === "json" ? jsonLine(clock(), level, event, fields) : textLine(clock(), level, event, fields)
    write(`${maskKeys(text)}\n`)
  }
  return {
    info: (event, fields = {}) => line("info", event, fields),
    warn: (event, fields = {}) => line("warn", event, fields),
    error: (event, cause, fields = {}) => line("error", event, { ...fields, ...describe(cause) }),
  }
}

function describe(cause: unknown): Fields {
  if (!(cause instanceof Error)) return { cause: String(cause) }
  return { cause: `${cause.name}: ${cause.message}`, stack: cause.stack }
}

/** Written piece by piece: there is a line for every request, and to build an object first takes twice as long. */
function jsonLine(at: Moment, level: Level, event: string, fields: Fields): string {
  let line = `{"time":"${formatMoment(at)}","level":"${level}","event":${JSON.stringify(event)}`
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) line += `,${JSON.stringify(name)}:${JSON.stringify(value)}`
  }
  return `${line}}`
}

function textLine(at: Moment, level: Level, event: string, fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${quoted(value)}`],
  )
  const mark = level === "info" ? "" : `${level.toUpperCase()} `
  return [`${formatMoment(at).slice(11, 19)} ${mark}${event}`, ...pairs].join("  ")
}

function quoted(value: string | number | boolean): string {
  // A line stays a line: whoever sends odd paths cannot forge an entry.
  return typeof value === "string" && /[\s"\p{Cc}]/u.test(value) ? JSON.stringify(value) : String(value)
}
