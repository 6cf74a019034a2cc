import { maskKeys } from "../domain/keys/api-key.ts"
import { memoize } from "../domain/memoize.ts"
import { escapeUnprintable } from "../domain/text/short-text.ts"
import { formatMoment, MICROS_PER_MS, type Moment } from "../domain/time/moment.ts"

export type LogFormat = "text" | "json"
type Level = "info" | "warn" | "error"
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Answered {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly ms: number
  readonly id: string
  /** The id of the trace that the caller named. */
  readonly trace: string | null
  readonly key: string | null
}

export interface Log {
  request(answered: Answered): void
  info(event: string, fields?: Fields): void
  warn(event: string, fields?: Fields): void
  error(event: string, cause: unknown, fields?: Fields): void
}

type LogParts = Readonly<{ format: LogFormat; clock: () => Moment; write: (line: string) => void }>

// Paths are cut before they come here.
const QUOTED_KEPT = 100

/** One line per event. Anything that looks like one of our keys is masked. */
export function createLog({ format, clock, write }: LogParts): Log {
  // Under load many lines have the same timestamp, method and path: in milliseconds, because the clock tells its looks apart by microseconds.
  const timeText = memoize(1, formatMoment)
  const now = () => Math.floor(clock() / MICROS_PER_MS) * MICROS_PER_MS
  const inQuotes = memoize(QUOTED_KEPT, (text: string) => JSON.stringify(maskKeys(text)))

  function line(level: Level, event: string, fields: Fields): void {
    const text = format === "json" ? jsonLine(now(), level, event, fields) : textLine(now(), level, event, fields)
    write(`${maskKeys(text)}\n`)
  }
  return {
    request(answered) {
      if (format === "text") line("info", "request", { ...answered })
      else write(requestLine(timeText(now()), inQuotes, answered))
    },
    info: (event, fields = {}) => line("info", event, fields),
    warn: (event, fields = {}) => line("warn", event, fields),
    error: (event, cause, fields = {}) => line("error", event, { ...fields, ...describe(cause) }),
  }
}

function describe(cause: unknown): Fields {
  if (!(cause instanceof Error)) return { cause: String(cause) }
  return { cause: `${cause.name}: ${cause.message}`, stack: cause.stack }
}

const jsonLine = (at: Moment, level: Level, event: string, fields: Fields): string =>
  JSON.stringify({ time: formatMoment(at), level, event, ...fields })

/** The most frequent line, written by hand: JSON.stringify takes twice as long. Ids are ours or hexadecimal, and a prefix is letters and digits. */
function requestLine(time: string, inQuotes: (text: string) => string, answered: Answered): string {
  const { method, path, status, ms, id, trace, key } = answered
  const traced = trace === null ? "" : `,"trace":"${trace}"`
  const keyed = key === null ? "" : `,"key":"${key}"`
  return `{"time":"${time}","level":"info","event":"request","method":${inQuotes(method)},"path":${inQuotes(path)},"status":${status},"ms":${ms},"id":"${id}"${traced}${keyed}}\n`
}

function textLine(at: Moment, level: Level, event: string, fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${quoted(value)}`],
  )
  const mark = level === "info" ? "" : `${level.toUpperCase()} `
  // JSON does not escape every character that a terminal obeys.
  return escapeUnprintable([`${formatMoment(at).slice(11, 19)} ${mark}${event}`, ...pairs].join("  "))
}

function quoted(value: string | number | boolean): string {
  // Quoted, so that an odd path cannot forge an entry.
  return typeof value === "string" && /[\s"\p{Cc}]/u.test(value) ? JSON.stringify(value) : String(value)
}

/** Writes the lines of one turn of the event loop together: under load that is one system call for many requests. */
export function bufferedWriter(write: (lines: string) => void) {
  let buffered = ""

  function flush(): void {
    const lines = buffered
    buffered = ""
    if (lines !== "") write(lines)
  }

  return {
    add(line: string): void {
      if (buffered === "") setImmediate(flush)
      buffered += line
    },
    flush,
  }
}
