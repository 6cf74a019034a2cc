import type { DeliveryTotal } from "../../../../domain/delivery/delivery.ts"
import {
  type ClosingTotal,
  closingTotals,
  dayEndOf,
  isMade,
  type OpenDay,
} from "../../../../domain/delivery/total-series.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import type { DeliveryHistory } from "../../../port/store.ts"
import type { Connection } from "../../engine/connection.ts"
import { numberArray } from "../../engine/number-array.ts"
import type { Session } from "../../engine/session.ts"
import type { Transaction } from "../../engine/transaction.ts"
import { pointsOf } from "./delivery-history.ts"

/** Unless the day has a later total already. */
const CLOSE_DAYS = `INSERT INTO delivery_day AS d (line_id, day, as_of, quantity)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::double precision[])
  ON CONFLICT (day, line_id) DO UPDATE SET as_of = excluded.as_of, quantity = excluded.quantity
  WHERE excluded.as_of >= d.as_of`

/** The days that have a closing total of any line, the latest first: each is found by one look into the index. */
const CLOSED = `WITH RECURSIVE closed(day) AS (
    SELECT max(day) FROM delivery_day
    UNION ALL SELECT (SELECT max(day) FROM delivery_day d WHERE d.day < closed.day) FROM closed WHERE closed.day IS NOT NULL
  )`
// OFFSET 0: looked up for each day and line. PostgreSQL might read the whole table instead.
const ofLine = (line: string) => `CROSS JOIN LATERAL
  (SELECT as_of, quantity FROM delivery_day WHERE day = closed.day AND line_id = ${line} OFFSET 0) d`
// Days come in the order in which they are found, and no more of them are found than are wanted.
const DAYS = `${CLOSED} SELECT line_id::double precision AS "lineId", d.as_of::double precision AS "asOf", d.quantity
  FROM unnest($1::bigint[]) AS line(line_id)
  CROSS JOIN LATERAL (SELECT d.* FROM closed ${ofLine("line.line_id")} LIMIT $2) d
  ORDER BY d.as_of`
const DELETE_DAYS = `${CLOSED} DELETE FROM delivery_day
  WHERE line_id = $1 AND day = ANY(ARRAY(SELECT day FROM closed))`

const STATES = `SELECT t.line_id::double precision AS "lineId", t.as_of::double precision AS "asOf", t.quantity,
    t.last_as_of::double precision AS "lastAsOf", t.last_quantity AS "lastQuantity", t.day_end::double precision AS "dayEnd",
    o.time_zone AS "timeZone",
    (SELECT count(*) FROM withdrawn_report w WHERE w.line_id = t.line_id)::double precision AS withdrawn
  FROM delivery_total t JOIN package_line l ON l.id = t.line_id JOIN organization o ON o.id = l.seller_id`
const OF_LINES = `${STATES} WHERE t.line_id = ANY($1::bigint[])`
const LOCKED = `${STATES} WHERE t.line_id = $1 FOR UPDATE OF t`
const UNMADE = `${STATES} WHERE t.line_id = (SELECT line_id FROM delivery_total WHERE day_end IS NULL LIMIT 1)`

type State = OpenDay & { readonly lineId: number; readonly timeZone: TimeZone }
type Closing = ClosingTotal & { readonly lineId: number }

export function writeDays(transaction: Transaction, closings: readonly Closing[]): void {
  if (closings.length === 0) return
  const values = [
    numberArray(closings.map(({ lineId }) => lineId)),
    closings.map(({ day }) => day),
    numberArray(closings.map(({ asOf }) => asOf)),
    numberArray(closings.map(({ quantity }) => quantity)),
  ]
  transaction.last({ text: CLOSE_DAYS, values })
}

/** The last totals of the days of lines. Those that are not kept yet are found in the whole history. */
export function closingDays({ read }: Connection): Pick<DeliveryHistory, "days"> {
  return { days: (lineIds, most) => read((session) => daysOf(session, lineIds, most ?? null)) }
}

async function daysOf(session: Session, lineIds: readonly number[], most: number | null) {
  const states = await session.rows<State>(OF_LINES, [numberArray(lineIds)])
  const made = states.filter(isMade).map(({ lineId }) => lineId)
  const before = most === null ? null : most - 1
  const kept = await session.rows<DeliveryTotal & { readonly lineId: number }>(DAYS, [numberArray(made), before])
  const days = new Map<number, DeliveryTotal[]>(lineIds.map((lineId) => [lineId, []]))
  for (const { lineId, asOf, quantity } of kept) days.get(lineId)?.push({ asOf, quantity })
  for (const state of states) {
    const { lineId, asOf, quantity } = state
    const closed = isMade(state) ? (days.get(lineId) ?? []) : (await closingsOf(session, state)).slice(0, -1)
    days.set(lineId, [...(before === null ? closed : closed.slice(-before)), { asOf, quantity }])
  }
  return days
}

async function closingsOf(session: Session, { lineId, timeZone }: State): Promise<ClosingTotal[]> {
  return closingTotals((await pointsOf(session, [lineId], null)).get(lineId) ?? [], timeZone)
}

/** Makes what is missing, one line at a time. */
export async function makeDays({ read, recordFigures }: Connection): Promise<boolean> {
  const found = await read(async (session) => {
    const [state] = await session.rows<State>(UNMADE, [])
    return state === undefined ? null : { state, closings: await closingsOf(session, state) }
  }, WHOLE_HISTORY)
  if (found === null) return false
  const { state, closings } = found
  await recordFigures(async (transaction) => {
    const [now] = await transaction.rows<State>(LOCKED, [state.lineId])
    // Somebody has reported or withdrawn something meanwhile: it is tried again.
    if (now === undefined || JSON.stringify(now) !== JSON.stringify(state)) return
    await transaction.rows(DELETE_DAYS, [state.lineId])
    const end = dayEndOf(state, state.timeZone)
    await transaction.rows("UPDATE delivery_total SET day_end = $2 WHERE line_id = $1", [state.lineId, end])
    writeDays(
      transaction,
      closings.slice(0, -1).map((closing) => ({ lineId: state.lineId, ...closing })),
    )
  })
  return true
}

// A hundred thousand reports take a second.
const WHOLE_HISTORY = { withinMs: 60_000 }
