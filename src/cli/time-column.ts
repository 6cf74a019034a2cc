import { formatMoment, type Moment } from "../domain/time/moment.ts"
import type { Column } from "./print.ts"

/** A moment: exact in JSON, to the minute for people. */
export function timeColumn<Row>(title: string, at: (row: Row) => Moment | null, none = "-"): Column<Row> {
  return {
    title,
    value: (row) => momentOrNull(at(row)),
    text: (row) => minuteOf(at(row)) ?? none,
  }
}

export const momentOrNull = (moment: Moment | null): string | null => (moment === null ? null : formatMoment(moment))

/** "2026-11-18 23:29", in UTC. */
const minuteOf = (moment: Moment | null): string | null => momentOrNull(moment)?.slice(0, 16).replace("T", " ") ?? null
