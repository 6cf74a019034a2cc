import { type AskedBrief, DemandBuffer, type DemandCount } from "../../../domain/demand/demand-buffer.ts"
import type { DemandLog } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import type { Session } from "../engine/session.ts"

const PRUNED_AT_ONCE = 1_000

// Written in one order, so that two replicas that count the same do not wait for each other in a circle.
const DEMAND_SQL = {
  addCounts: `INSERT INTO demand_count AS d (week, kind, value, calls, unmatched)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
      AS c (week, kind, value, calls, unmatched)
    ORDER BY week COLLATE "C", kind COLLATE "C", value COLLATE "C"
    ON CONFLICT (week, kind, value) DO UPDATE SET calls = d.calls + excluded.calls,
      unmatched = d.unmatched + excluded.unmatched`,
  addBriefs: `INSERT INTO demand_brief AS d (week, digest, brief, countries, formats, budget, currency, agent_key_id,
      asked, matched, unmatched, first_product, last_at)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::double precision[], $7::text[],
        $8::text[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::bigint[])
      AS c (week, digest, brief, countries, formats, budget, currency, agent_key_id, asked, matched, unmatched,
        first_product, last_at)
    ORDER BY week COLLATE "C", digest COLLATE "C"
    ON CONFLICT (week, digest) DO UPDATE SET asked = d.asked + excluded.asked, agent_key_id = excluded.agent_key_id,
      matched = excluded.matched, unmatched = excluded.unmatched, first_product = excluded.first_product,
      last_at = greatest(d.last_at, excluded.last_at)`,
  counts: "SELECT week, kind, value, calls, unmatched FROM demand_count WHERE week >= $1 ORDER BY week, kind, value",
  briefs: `SELECT week, digest, brief, countries, formats, budget, currency, agent_key_id AS "agentKeyId", asked,
      matched, first_product AS "firstProduct", last_at AS "lastAt"
    FROM demand_brief WHERE unmatched = $2 AND week >= $1 ORDER BY week DESC, asked DESC, digest DESC LIMIT $3 OFFSET $4`,
  countBriefs: "SELECT count(*) AS count FROM demand_brief WHERE unmatched = $2 AND week >= $1",
  pruneCounts: `DELETE FROM demand_count WHERE (week, kind, value) IN
    (SELECT week, kind, value FROM demand_count WHERE week < $1 LIMIT $2) RETURNING 1`,
  pruneBriefs: `DELETE FROM demand_brief WHERE (week, digest) IN
    (SELECT week, digest FROM demand_brief WHERE week < $1 LIMIT $2) RETURNING 1`,
  fullCounts: "SELECT week FROM demand_count WHERE week >= $1 GROUP BY week HAVING count(*) > $2 LIMIT 1",
  fullBriefs: "SELECT week FROM demand_brief WHERE week >= $1 GROUP BY week HAVING count(*) > $2 LIMIT 1",
  trimCounts: `DELETE FROM demand_count WHERE week = $1 AND (kind, value) IN
    (SELECT kind, value FROM demand_count WHERE week = $1 ORDER BY calls DESC, kind, value LIMIT $3 OFFSET $2) RETURNING 1`,
  trimBriefs: `DELETE FROM demand_brief WHERE week = $1 AND digest IN
    (SELECT digest FROM demand_brief WHERE week = $1 ORDER BY asked DESC, last_at DESC, digest LIMIT $3 OFFSET $2)
    RETURNING 1`,
}

export function demand({ read, recordFigures, write }: Connection): DemandLog {
  const buffer = new DemandBuffer()
  write.alongside({
    waiting: () => buffer.waiting(),
    collect: () => buffer.collect(),
    async write({ rows }) {
      const { counts, briefs } = buffer.take()
      await addCounts({ rows }, counts)
      if (briefs.length > 0) await addBriefs({ rows }, briefs)
    },
    written: () => buffer.written(),
  })
  // A page is shown even if nothing can be written.
  const flushed = () => write.flushWriteBuffer().catch(() => undefined)
  return {
    note: (call) => buffer.note(call),
    async counts(fromWeek) {
      await flushed()
      return read(({ rows }) => rows<DemandCount>(DEMAND_SQL.counts, [fromWeek]))
    },
    async briefs({ fromWeek, unmatched }, { offset, limit }) {
      await flushed()
      const scope = [fromWeek, unmatched ? 1 : 0]
      return read(async ({ rows }) => {
        const briefs = await rows<Row>(DEMAND_SQL.briefs, [...scope, limit, offset])
        const [counted] = await rows<{ count: number }>(DEMAND_SQL.countBriefs, scope)
        return { briefs: briefs.map(askedBrief), count: counted?.count ?? 0 }
      })
    },
    prune: (beforeWeek, fromWeek, perWeek) =>
      recordFigures(async ({ rows }) => {
        const counts = await rows(DEMAND_SQL.pruneCounts, [beforeWeek, PRUNED_AT_ONCE])
        const briefs = await rows(DEMAND_SQL.pruneBriefs, [beforeWeek, PRUNED_AT_ONCE])
        const trimmed =
          (await trim({ rows }, "Counts", fromWeek, perWeek.values)) +
          (await trim({ rows }, "Briefs", fromWeek, perWeek.briefs))
        return counts.length + briefs.length + trimmed
      }),
  }
}

type Rows = Pick<Session, "rows">

/** Deletes what was asked least in a week that has more than this. */
async function trim({ rows }: Rows, what: "Counts" | "Briefs", fromWeek: string, most: number): Promise<number> {
  const [full] = await rows<{ week: string }>(DEMAND_SQL[`full${what}`], [fromWeek, most])
  return full === undefined ? 0 : (await rows(DEMAND_SQL[`trim${what}`], [full.week, most, PRUNED_AT_ONCE])).length
}

function addCounts({ rows }: Rows, counts: readonly DemandCount[]): Promise<unknown> {
  return rows(DEMAND_SQL.addCounts, [
    counts.map(({ week }) => week),
    counts.map(({ kind }) => kind),
    counts.map(({ value }) => value),
    counts.map(({ calls }) => calls),
    counts.map(({ unmatched }) => unmatched),
  ])
}

function addBriefs({ rows }: Rows, briefs: readonly AskedBrief[]): Promise<unknown> {
  return rows(DEMAND_SQL.addBriefs, [
    briefs.map(({ week }) => week),
    briefs.map(({ digest }) => digest),
    briefs.map(({ brief }) => brief),
    briefs.map(({ countries }) => countries.join("\n")),
    briefs.map(({ formats }) => formats.join("\n")),
    briefs.map(({ budget }) => budget),
    briefs.map(({ currency }) => currency),
    briefs.map(({ agentKeyId }) => agentKeyId),
    briefs.map(({ asked }) => asked),
    briefs.map(({ matched }) => matched),
    briefs.map(({ matched }) => (matched === 0 ? 1 : 0)),
    briefs.map(({ firstProduct }) => firstProduct),
    briefs.map(({ lastAt }) => lastAt),
  ])
}

type Row = Omit<AskedBrief, "countries" | "formats"> & { readonly countries: string; readonly formats: string }

const askedBrief = ({ countries, formats, ...brief }: Row): AskedBrief => ({
  ...brief,
  countries: countries.split("\n").filter(Boolean),
  formats: formats.split("\n").filter(Boolean),
})
