import { MICROS_PER_DAY, MICROS_PER_SECOND, type Moment } from "./moment.ts"

const MICROS_BY_UNIT: Readonly<Record<string, Moment>> = {
  s: MICROS_PER_SECOND,
  m: 60 * MICROS_PER_SECOND,
  h: 3_600 * MICROS_PER_SECOND,
  d: MICROS_PER_DAY,
}

/** "30m", "24h" or "7d" in microseconds; undefined for anything else, and for nothing. */
export function readDuration(text: string): Moment | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const micros = Number(count) * (MICROS_BY_UNIT[unit] ?? 0)
  return micros > 0 ? micros : undefined
}
