import { SQL } from "bun"
import { adbooth } from "../../test/binary.ts"
import { FIRST_AS_OF_MS } from "../harness/ledger.ts"
import type { Cluster } from "./cluster.ts"

// The items of a ledger: each has an as_of that follows from its number, which is its quantity.
const NUMBERS = `SELECT quantity::text AS number FROM delivery_report WHERE as_of = (${FIRST_AS_OF_MS} + quantity) * 1000`

// From the last report of a line, following each to the one before it, every report of the line is met.
const BROKEN_CHAINS = `
  WITH RECURSIVE link (line_id, as_of, quantity) AS (
    SELECT line_id, last_as_of, last_quantity FROM delivery_total
    UNION ALL
    SELECT r.line_id, r.previous_as_of, r.previous_quantity FROM link
    JOIN delivery_report r ON r.as_of = link.as_of AND r.line_id = link.line_id AND r.quantity = link.quantity
    WHERE r.previous_as_of IS NOT NULL
  )
  SELECT stored.line_id
  FROM (SELECT line_id, count(*) AS count FROM delivery_report GROUP BY line_id) stored
  LEFT JOIN (SELECT line_id, count(*) AS count FROM link GROUP BY line_id) linked ON linked.line_id = stored.line_id
  WHERE linked.count IS DISTINCT FROM stored.count`

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
  // Each link by its key: the planner knows nothing about tables that were filled a minute ago, and would read all of one for each.
  await client.unsafe("SET enable_hashjoin = off; SET enable_mergejoin = off").simple()
  const broken: unknown[] = await client.unsafe(BROKEN_CHAINS)
  if (broken.length > 0) problems.push(`the history of ${broken.length} lines is not whole`)
  // Integrity, and whether every total is the newest of its history.
  const doctor = await adbooth(["doctor", "--data", booth.data], { env: { ...env, ADBOOTH_DATABASE_URL: url } })
  if (doctor.code !== 0) problems.push(`doctor: ${doctor.out}${doctor.err}`)
  return problems
}
