import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { join } from "node:path"
import { routes } from "../../../src/doors/web/routes.ts"
import { describedTables } from "../../../src/storage/schema/tables.ts"
import { onlyOnSqlite } from "../../engine.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { type PlanStep, planOf, recordSql } from "../../storage/sqlite/recorded-sql.ts"
import { givenMarket, givenPerson, LINE } from "./given.ts"
import { pathOf } from "./paths.ts"
import { signedIn, type Visitor } from "./visitor.ts"

const testOnSqlite = onlyOnSqlite("Plans of PostgreSQL are read in test/storage/postgres/tables/plans.test.ts.")

// Tables that grow with the business, for years.
const LARGE = describedTables.filter(({ properties }) => properties.rows !== "few").map(({ name }) => name)

// Indexes that lead to everything of one organization.
const BROAD = /package_line_seller|campaign_buyer/

// What may look odd in a plan, and why it reads a bounded part all the same. Each by a text that only such a statement has.
const BOUNDED: Readonly<Record<string, string>> = {
  "SELECT DISTINCT c.slug, c.name FROM affiliate_code": "the campaigns of one organization",
  "AS seller FROM affiliate_code a": "sorts the codes that the page shows",
  "FROM affiliate_metric WHERE (code_id in (": "sums the days of some codes at a time",
  "SELECT DISTINCT tool, outcome FROM (": "the words of the newest calls",
  'EXISTS (SELECT 1 FROM "package_line") THEN 1': "whether there is a first one of each: it stops there",
  "WITH RECURSIVE listed(day)": "sorts days, of which it has looked up each",
  'from "withdrawn_report" where "withdrawn_report"."line_id" = ?': "sorts what was withdrawn of one line",
  'order by length("sale_statement"."number")': "sorts the numbers of one seller and year",
  'from "sale_statement" where ("sale_statement"."campaign_id" in': "sorts one seller's statements of some campaigns",
  "WINDOW newest AS": "sorts the files of the last days, in upkeep",
  "FROM c ORDER BY place": "sorts the reports that it has followed",
  "ORDER BY k.created_at DESC, k.label, k.id": "sorts the keys of one organization",
  '"package_line"."id" desc limit ?) "latest"': "groups the latest lines, at most 200",
  'where not (exists (select "id", "slug"': "whether there is a first one, for each organization",
  'exists (select "user_id", "organization_id", "role" from "membership"':
    "whether one organization has a first of each: it stops there",
  "ORDER BY l.flight_end IS NULL, l.flight_end, l.id": "sorts the lines that one seller has in flight: 5,000 in 9 ms",
  "ORDER BY c.created_at DESC, c.id DESC": "sorts the campaigns of one organization, of which it shows the sums",
  '(SELECT count(*) FROM "package_line" WHERE': "counts along the index, once for each organization",
}

/** Views beside those that the routes name: a filter or a place makes another statement. */
const VIEWS = [
  "/app/o/acme-audio/campaigns?start=50",
  "/app/o/brand-co/campaigns",
  "/app/o/brand-co/campaigns.csv",
  "/app/o/brand-co/campaigns/autumn?from=1",
  "/app/o/brand-co/campaigns/autumn/lines.csv",
  `/app/o/brand-co/campaigns/autumn/lines/${LINE}`,
  "/app/o/acme-audio/campaigns/autumn?from=1",
  "/app/o/acme-audio/affiliates?campaign=autumn&from=2026-11-01&to=2026-11-30",
  "/app/o/acme-audio/affiliates.csv?campaign=autumn&to=2026-11-30",
  ...["requests", "requests.csv"].map((requests) => `/app/operator/${requests}?text=x&result=found`),
  "/app/operator/requests?caller=anonymous&from=2026-11-01&to=2026-11-30&before=5",
  ...["audit", "audit.csv"].map((audit) => `/app/operator/${audit}?text=x&actor=user:1&before=9`),
  "/app/operator/audit?from=2026-11-01&to=2026-11-30",
  ...["", "state=running", "sort=-delivered", "q=a&sort=buyer"].map((list) => `/app/o/acme-audio/campaigns?${list}`),
  ...["state=active", "q=a&sort=-used"].map((list) => `/app/o/acme-audio/keys?${list}`),
  "/app/o/acme-audio/members?q=a&sort=-name",
  "/app/o/acme-audio/search?q=a",
  "/app/o/brand-co/search?q=a",
  "/app/o/acme-audio/affiliates?q=a&sort=-clicks&state=reported",
  "/app/operator/users?q=a&sort=since&state=operators",
  "/app/operator/organizations?q=a&sort=-slug",
  "/app/operator/products?q=x&sort=-keys",
]

/** Every page and download, as the operator, who may see all of them. */
async function visitAll(app: TestApp, person: Visitor): Promise<void> {
  for (const route of routes.filter(({ method, path }) => method === "GET" && !path.includes("sign-out"))) {
    const response = await person.get(await pathOf(app, route))
    await response.bytes()
    expect([route.path, response.status < 400]).toEqual([route.path, true])
  }
  for (const path of VIEWS) {
    const response = await person.get(path)
    await response.bytes()
    expect([path, response.status]).toEqual([path, 200])
  }
}

/** The large tables that a statement reads from one end, or sorts: by the names that the plan calls them. */
function unbounded(sql: string, plan: readonly PlanStep[]): string[] {
  const names = largeTablesIn(sql)
  if (names.size === 0) return []
  const isWrong = ({ detail, isRepeated }: PlanStep) => {
    const [, scanned = ""] = /^SCAN (\w+)/.exec(detail) ?? []
    // Along an index until the page is full, which is what LIMIT is for.
    if (names.has(scanned)) return !(/\blimit\b/i.test(sql) && (detail.includes("USING") || isByRowid(sql)))
    // Its last term only sorts rows that are equal otherwise.
    const isSorted = detail.startsWith("USE TEMP B-TREE") && !detail.includes("LAST TERM")
    return isSorted || (isRepeated && BROAD.test(detail))
  }
  return plan.filter(isWrong).map(({ detail }) => detail)
}

/** What the large tables are called in a statement. */
function largeTablesIn(sql: string): Set<string> {
  const names = new Set<string>()
  for (const [, table = "", alias = table] of sql.matchAll(
    /\b(?:from|join)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/gi,
  )) {
    if (LARGE.includes(table)) names.add(table).add(alias)
  }
  return names
}

const isByRowid = (sql: string) => /order by \S*\bid"?( desc)? limit/i.test(sql)

describe("every statement of every page and download finds what it shows by an index", () => {
  testOnSqlite(
    "and none of them reads or sorts a large table from one end to the other",
    async () => {
      using recorded = recordSql()
      await using app = await startApp()
      const atStart = [...recorded.statements]
      await givenMarket(app)
      // An import looks at everything; it has a process of its own.
      recorded.statements.clear()
      const person = await signedIn(app, await givenPerson(app, { isOperator: true }))
      await visitAll(app, person)
      using database = new Database(join(app.config.data, "adbooth.db"), { readonly: true })
      const questions = [...new Set([...atStart, ...recorded.statements])].filter(
        (sql) => /^\s*(select|with)\b/i.test(sql) && !sql.includes("temp."),
      )
      expect(questions.length).toBeGreaterThan(60)
      const wrong = questions.flatMap((sql) => {
        const steps = unbounded(sql, planOf(database, sql))
        const isKnown = Object.keys(BOUNDED).some((text) => sql.replaceAll(/\s+/g, " ").includes(text))
        return steps.length === 0 || isKnown ? [] : [{ sql: sql.replaceAll(/\s+/g, " "), steps }]
      })
      expect(wrong).toEqual([])
    },
    600_000,
  )
})
