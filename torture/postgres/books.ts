import { SQL } from "bun"
import { adbooth } from "../../test/binary.ts"
import { FIRST_AS_OF_MS } from "../harness/ledger.ts"
import type { Cluster } from "./cluster.ts"

// The items of a ledger: each has an as_of that follows from its number, which is its quantity.
const NUMBERS = `SELECT quantity::text AS number FROM delivery_report WHERE as_of = (${FIRST_AS_OF_MS} + quantity) * 1000`

// Each day of a line, in its seller's time zone, ends with its last report, and has a row only if it has a report. Days that are still
// outdated are no problem: they are read from the reports until upkeep has worked them out, from the last one back.
const ODD_DAYS = `
  WITH reported AS (SELECT r.line_id, to_char(to_timestamp(r.as_of / 1000000) AT TIME ZONE s.time_zone, 'YYYY-MM-DD') COLLATE "C" AS day,
    max(r.as_of) AS as_of FROM delivery_report r JOIN package_line l ON l.id = r.line_id JOIN organization s ON s.id = l.seller_id
    GROUP BY 1, 2),
  odd AS ((SELECT * FROM reported EXCEPT SELECT line_id, day, as_of FROM delivery_day)
    UNION ALL (SELECT line_id, day, as_of FROM delivery_day EXCEPT SELECT * FROM reported))
  SELECT odd.* FROM odd LEFT JOIN package_line l ON l.id = odd.line_id
  LEFT JOIN outdated_days o ON o.organization_id = l.seller_id
  WHERE o.organization_id IS NULL OR odd.day >= o.before`

/** Compares what was answered with what is stored, once nobody sends anything any more; the totals have to follow from the history. */
export async function bookProblems(
  { ledger, env, booth }: Pick<Cluster, "ledger" | "env" | "booth">,
  url: string,
): Promise<string[]> {
  await using client = new SQL(url, { max: 1 })
  const rows: { number: string }[] = await client.unsafe(NUMBERS)
  const stored = new Set(rows.map(({ number }) => Number(number)))
  const problems = ledger.unexplained((number) => stored.has(number))
  if (stored.size !== rows.length) problems.push(`${rows.length - stored.size} items are stored twice`)
  const days: unknown[] = await client.unsafe(ODD_DAYS)
  if (days.length > 0) problems.push(`${days.length} days of lines are not what their reports say`)
  // Integrity, and whether every total is the newest of its history.
  const doctor = await adbooth(["doctor", "--data", booth.data], { env: { ...env, ADBOOTH_DATABASE_URL: url } })
  if (doctor.code !== 0) problems.push(`doctor: ${doctor.out}${doctor.err}`)
  return problems
}
