import { type AskedBrief, DemandBuffer, type DemandCount } from "../../../domain/demand/demand-buffer.ts"
import type { DemandLog } from "../../port/store.ts"
import type { Connection } from "../engine/connection.ts"
import { multiRowInsert } from "../engine/multi-row-insert.ts"

const PRUNED_AT_ONCE = 1_000

const DEMAND_SQL = {
  addCounts: (rows: string) => `INSERT INTO demand_count (week, kind, value, calls, unmatched) VALUES ${rows}
    ON CONFLICT (week, kind, value) DO UPDATE SET calls = calls + excluded.calls,
      unmatched = unmatched + excluded.unmatched`,
  addBriefs: (rows: string) => `INSERT INTO demand_brief (week, digest, brief, countries, formats, budget, currency,
      agent_key_id, asked, matched, unmatched, first_product, last_at) VALUES ${rows}
    ON CONFLICT (week, digest) DO UPDATE SET asked = asked + excluded.asked, agent_key_id = excluded.agent_key_id,
      matched = excluded.matched, unmatched = excluded.unmatched, first_product = excluded.first_product,
      last_at = max(last_at, excluded.last_at)`,
  counts: `SELECT week, kind, value, calls, unmatched FROM demand_count WHERE week >= ?1 ORDER BY week, kind, value`,
  briefs: `SELECT week, digest, brief, countries, formats, budget, currency, agent_key_id AS agentKeyId, asked, matched,
      first_product AS firstProduct, last_at AS lastAt
    FROM demand_brief WHERE unmatched = ?2 AND week >= ?1 ORDER BY week DESC, asked DESC, digest DESC LIMIT ?3 OFFSET ?4`,
  countBriefs: "SELECT count(*) AS count FROM demand_brief WHERE unmatched = ?2 AND week >= ?1",
  pruneCounts: `DELETE FROM demand_count WHERE (week, kind, value) IN
    (SELECT week, kind, value FROM demand_count WHERE week < ?1 LIMIT ?2)`,
  pruneBriefs: `DELETE FROM demand_brief WHERE (week, digest) IN
    (SELECT week, digest FROM demand_brief WHERE week < ?1 LIMIT ?2)`,
  fullCounts: "SELECT week FROM demand_count WHERE week >= ?1 GROUP BY week HAVING count(*) > ?2 LIMIT 1",
  fullBriefs: "SELECT week FROM demand_brief WHERE week >= ?1 GROUP BY week HAVING count(*) > ?2 LIMIT 1",
  trimCounts: `DELETE FROM demand_count WHERE week = ?1 AND (kind, value) IN
    (SELECT kind, value FROM demand_count WHERE week = ?1 ORDER BY calls DESC, kind, value LIMIT ?3 OFFSET ?2)`,
  trimBriefs: `DELETE FROM demand_brief WHERE week = ?1 AND digest IN
    (SELECT digest FROM demand_brief WHERE week = ?1 ORDER BY asked DESC, last_at DESC, digest LIMIT ?3 OFFSET ?2)`,
}

export function demand({ database, write }: Connection): DemandLog {
  const buffer = new DemandBuffer()
  const addCounts = multiRowInsert(database, 5, DEMAND_SQL.addCounts)
  const addBriefs = multiRowInsert(database, 13, DEMAND_SQL.addBriefs)
  write.alongside({
    waiting: () => buffer.waiting(),
    collect: () => buffer.collect(),
    write() {
      if (!buffer.waiting()) return
      const { counts, briefs } = buffer.take()
      addCounts(counts.flatMap(({ week, kind, value, calls, unmatched }) => [week, kind, value, calls, unmatched]))
      addBriefs(briefs.flatMap(valuesOf))
    },
    written: () => buffer.written(),
  })
  /** Deletes what was asked least in a week that has more than this. */
  function trim(what: "Counts" | "Briefs", fromWeek: string, most: number): number {
    const full = database.query<{ week: string }, [string, number]>(DEMAND_SQL[`full${what}`]).get(fromWeek, most)
    if (full === null) return 0
    return database.query(DEMAND_SQL[`trim${what}`]).run(full.week, most, PRUNED_AT_ONCE).changes
  }

  // A page is shown even if the disk cannot be written.
  const flushed = () => write.flushNotes().catch(() => undefined)
  return {
    note: (call) => buffer.note(call),
    async counts(fromWeek) {
      await flushed()
      return database.query<DemandCount, [string]>(DEMAND_SQL.counts).all(fromWeek)
    },
    async briefs({ fromWeek, unmatched }, { offset, limit }) {
      await flushed()
      const scope = [fromWeek, unmatched ? 1 : 0] as const
      const briefs = database.query(DEMAND_SQL.briefs).all(...scope, limit, offset) as Row[]
      const { count } = database.query(DEMAND_SQL.countBriefs).get(...scope) as { count: number }
      return { briefs: briefs.map(askedBrief), count }
    },
    prune: (beforeWeek, fromWeek, { briefs, values }) =>
      write.runKeepingCaches(() => {
        const counts = database.query(DEMAND_SQL.pruneCounts).run(beforeWeek, PRUNED_AT_ONCE).changes
        const asked = database.query(DEMAND_SQL.pruneBriefs).run(beforeWeek, PRUNED_AT_ONCE).changes
        return counts + asked + trim("Counts", fromWeek, values) + trim("Briefs", fromWeek, briefs)
      }),
  }
}

function valuesOf(brief: AskedBrief): (string | number | null)[] {
  return [
    brief.week,
    brief.digest,
    brief.brief,
    brief.countries.join("\n"),
    brief.formats.join("\n"),
    brief.budget,
    brief.currency,
    brief.agentKeyId,
    brief.asked,
    brief.matched,
    brief.matched === 0 ? 1 : 0,
    brief.firstProduct,
    brief.lastAt,
  ]
}

type Row = Omit<AskedBrief, "countries" | "formats"> & { readonly countries: string; readonly formats: string }

const askedBrief = ({ countries, formats, ...brief }: Row): AskedBrief => ({
  ...brief,
  countries: countries.split("\n").filter(Boolean),
  formats: formats.split("\n").filter(Boolean),
})
