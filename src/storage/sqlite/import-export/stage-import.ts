import type { Database, SQLQueryBindings } from "bun:sqlite"
import { lineColumns } from "../../../domain/campaign/line-fields.ts"
import { type ImportPlan, plannedValue } from "../../../domain/import/import-plan.ts"
import type { Change } from "../../../domain/people/audit.ts"
import type { Count } from "../../port/store.ts"
import { LINE_SQL } from "../../steps/line-columns.ts"
import { countOf } from "../backup/backup-file.ts"
import type { Connection } from "../engine/connection.ts"
import { multiRowInsert } from "../engine/multi-row-insert.ts"

// An import may have a hundred thousand rows, and nobody else can write while they are written. So they first go into temporary
// tables, which locks nothing, and are then copied with one statement for each table.

const COLUMNS = {
  campaign: ["slug", "name", "buyer", "archived"],
  line: ["package_id", "campaign", "seller", ...lineColumns.map(({ column }) => column), "archived"],
  format: ["format_id", "body"],
  product: ["product_id", "body"],
} as const

type Kind = keyof typeof COLUMNS

export interface Staged extends Disposable {
  /** Writes the rows of one kind. Call it inside a transaction, after writing what they refer to. */
  take(kind: Kind, change: Change): Count
  /** Whether a line would change the meaning of figures that were reported since the plan was checked. */
  wouldChangeFigures(): boolean
}

let stages = 0

/** Puts the long parts of a plan into temporary tables, from which they can be copied quickly. */
export function stagePlan({ database }: Connection, plan: ImportPlan): Staged {
  const suffix = ++stages
  const name = (kind: Kind) => `temp.staged_${kind}_${suffix}`
  const kinds = Object.keys(COLUMNS) as Kind[]
  for (const kind of kinds) {
    database.run(`CREATE TABLE ${name(kind)} (${COLUMNS[kind].join(", ")})`)
    fill(database, name(kind), COLUMNS[kind].length, rowsOf(plan, kind))
  }
  const planned: Record<Kind, number> = {
    campaign: plan.campaigns.length,
    line: plan.lines.length,
    format: plan.formats.length,
    product: plan.products.length,
  }
  return {
    take(kind, change) {
      const before = countOf(database, TABLES[kind])
      if (kind === "line") database.query(freeExternalIds(name(kind))).run()
      database.query(TAKE[kind](name(kind))).run(change.at)
      const created = countOf(database, TABLES[kind]) - before
      return { created, updated: planned[kind] - created }
    },
    wouldChangeFigures: () => database.query(changedFigures(name("line"))).get() !== null,
    [Symbol.dispose]() {
      for (const kind of kinds) database.run(`DROP TABLE ${name(kind)}`)
    },
  }
}

function fill(database: Database, table: string, columns: number, rows: Iterable<SQLQueryBindings[]>): void {
  const write = multiRowInsert(database, columns, (values) => `INSERT INTO ${table} VALUES ${values}`)
  const all: SQLQueryBindings[] = []
  for (const row of rows) all.push(...row)
  database.transaction(() => write(all))()
}

const flagOf = (archived: boolean | undefined) => (archived === undefined ? null : Number(archived))

function rowsOf(plan: ImportPlan, kind: Kind): SQLQueryBindings[][] {
  const text = (body: unknown) => (body === null ? null : JSON.stringify(body))
  switch (kind) {
    case "campaign":
      return plan.campaigns.map(({ slug, name, buyer, archived }) => [slug, name, buyer, flagOf(archived)])
    case "line":
      return plan.lines.map((line) => [
        line.packageId,
        line.campaign,
        line.seller,
        ...lineColumns.map((column) => plannedValue(line, column)),
        flagOf(line.archived),
      ])
    case "format":
      return plan.formats.map(({ formatId, body }) => [formatId, text(body)])
    case "product":
      return plan.products.map(({ productId, body }) => [productId, text(body)])
  }
}

const TABLES: Readonly<Record<Kind, string>> = {
  campaign: "campaign",
  line: "package_line",
  format: "creative_format",
  product: "product",
}

/** Existing rows are updated; rows that stay the same cost no write. */
const TAKE: Readonly<Record<Kind, (staged: string) => string>> = {
  campaign: (staged) => `INSERT INTO campaign (slug, name, buyer_id, archived, created_at)
    SELECT s.slug, s.name, o.id, coalesce(s.archived, b.archived, 0), ?1
    FROM ${staged} s JOIN organization o ON o.slug = s.buyer LEFT JOIN campaign b ON b.slug = s.slug
    WHERE TRUE ORDER BY s.rowid
    ON CONFLICT (slug) DO UPDATE SET name = excluded.name, buyer_id = excluded.buyer_id, archived = excluded.archived
      WHERE (name, buyer_id, archived) IS NOT (excluded.name, excluded.buyer_id, excluded.archived)`,
  line: (
    staged,
  ) => `INSERT INTO package_line (package_id, campaign_id, seller_id, ${LINE_SQL.columns}, archived, created_at)
    SELECT s.package_id, c.id, o.id, ${LINE_SQL.imported(({ column }) => `s.${column}`)}, coalesce(s.archived, b.archived, 0), ?1
    FROM ${staged} s CROSS JOIN campaign c ON c.slug = s.campaign CROSS JOIN organization o ON o.slug = s.seller
      LEFT JOIN package_line b ON b.package_id = s.package_id
    WHERE TRUE ORDER BY s.rowid
    ON CONFLICT (package_id) DO UPDATE SET ${LINE_SQL.replaced}
      WHERE ${LINE_SQL.row("package_line")} IS NOT ${LINE_SQL.row("excluded")}`,
  format: (staged) => `INSERT INTO creative_format (format_id, body, created_at, updated_at)
    SELECT format_id, body, ?1, ?1 FROM ${staged} WHERE TRUE ORDER BY rowid
    ON CONFLICT (format_id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
  product: (staged) => `INSERT INTO product (product_id, body, created_at, updated_at)
    SELECT product_id, body, ?1, ?1 FROM ${staged} WHERE TRUE ORDER BY rowid
    ON CONFLICT (product_id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
}

/** Lines of a file may exchange their external ids, which no two lines have even for a moment: first, those that change are removed. */
function freeExternalIds(staged: string): string {
  return `UPDATE package_line SET external_id = NULL WHERE external_id IS NOT NULL AND package_id IN
    (SELECT s.package_id FROM ${staged} s CROSS JOIN package_line l ON l.package_id = s.package_id
     WHERE s.external_id <> l.external_id)`
}

function changedFigures(staged: string): string {
  return `SELECT 1 FROM ${staged} s CROSS JOIN package_line l ON l.package_id = s.package_id
    JOIN organization o ON o.id = l.seller_id
    WHERE (l.pricing_basis <> s.pricing_basis OR o.slug <> s.seller)
      AND (EXISTS (SELECT 1 FROM delivery_total t WHERE t.line_id = l.id)
        OR EXISTS (SELECT 1 FROM withdrawn_report w WHERE w.line_id = l.id)
        OR EXISTS (SELECT 1 FROM affiliate_placement a WHERE a.line_id = l.id))
    LIMIT 1`
}
