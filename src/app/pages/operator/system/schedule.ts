import { MICROS_PER_DAY, type Moment } from "../../../../domain/time/moment.ts"

const HOUR = MICROS_PER_DAY / 24
const MINUTE = HOUR / 60

/** "Every day", "Every 6 hours" */
export function everyInWords(every: Moment): string {
  const units = [
    { size: MICROS_PER_DAY, name: "day" },
    { size: HOUR, name: "hour" },
    { size: MINUTE, name: "minute" },
  ]
  const { size, name } = units.find((unit) => every % unit.size === 0) ?? { size: MINUTE, name: "minute" }
  const count = Math.round(every / size)
  return count === 1 ? `Every ${name}` : `Every ${count} ${name}s`
}
