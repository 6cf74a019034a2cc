import { expect, test } from "bun:test"
import { migrations } from "../../../../migrations/postgres/index.ts"
import { describedTables } from "../../../../src/storage/schema/tables.ts"

const RULE = `A migration runs beside servers that read and write (src/storage/postgres/engine/migrate.ts). On a table that is there already it may add a
column that is empty or has a constant default, and drop things. Only on a table that stays small ("rows" of its properties) may it make
indexes and constraints or change rows: everybody waits until every row was looked at. For a large one make a new table, or a new column
that jobs/upkeep.ts fills in parts. Names stand in double quotes: by these the locks are found. Versions that run must go on working;
otherwise say "-- Works from schema N on."`

// Besides those that replicas share, of which one is of an earlier version.
const SMALL = new Set([
  ...describedTables.filter(({ properties }) => properties.rows !== "endless").map(({ name }) => name),
  ...["revision", "rate_window", "sign_in_failure", "lease", "rate_epoch"],
])

const COLUMN = `ADD COLUMN "\\w+" [a-z ]+(?: COLLATE "C")?(?: DEFAULT (?:-?\\d+|'[^']*'))?(?: NOT NULL)?`
const QUICK = new RegExp(
  `^(?:CREATE (?:UNLOGGED )?TABLE "|CREATE VIEW "|CREATE FUNCTION "|CREATE TRIGGER "\\w+" .* ON "|DROP (?:TABLE|VIEW|INDEX|TRIGGER|FUNCTION) "` +
    `|ALTER TABLE "\\w+" (?:(?:${COLUMN}|DROP (?:COLUMN|CONSTRAINT) "\\w+"|ALTER COLUMN "\\w+" (?:DROP|SET DEFAULT) .*)(?:, |$))+$)`,
  "i",
)
const OF_EVERY_ROW =
  /^(?:CREATE (?:UNIQUE )?INDEX "\w+" ON "(\w+)"|ALTER TABLE "(\w+)"|(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)")/i

const statementsOf = (sql: string) =>
  sql
    .split("--> statement-breakpoint")
    .map((statement) =>
      statement
        .replace(/^\s*--.*$/gm, "")
        .replace(/\s+/g, " ")
        .replace(/;\s*$/, "")
        .trim(),
    )
    .filter((statement) => statement !== "")

function problemsIn(sql: string): string[] {
  const statements = statementsOf(sql)
  const made = new Set(statements.map((one) => /^CREATE (?:UNLOGGED )?TABLE "(\w+)"/.exec(one)?.[1]))
  return statements.filter((statement) => {
    const isOne = statement.split("$$").every((text, i) => i % 2 === 1 || !text.includes(";"))
    if (isOne && QUICK.test(statement)) return false
    const [, ...tables] = OF_EVERY_ROW.exec(statement) ?? []
    const table = tables.find((name) => name !== undefined)
    return table === undefined || !(made.has(table) || SMALL.has(table))
  })
}

test.each(migrations.map(({ name, sql }) => [name, sql] as const))("%s makes nobody wait", (_, sql) => {
  const problems = problemsIn(sql)
  if (problems.length > 0) throw new Error(`${RULE}\n\n${problems.join("\n")}`)
})

test.each([
  'ALTER TABLE "audit_entry" ADD COLUMN "n" bigint GENERATED ALWAYS AS (id + 1) STORED',
  'ALTER TABLE "delivery_report" ADD COLUMN "n" bigint DEFAULT floor(random() * 9) NOT NULL',
  'ALTER TABLE "delivery_report" ALTER COLUMN "quantity" SET DATA TYPE bigint',
  'ALTER TABLE "audit_entry" ADD CONSTRAINT "c" CHECK (id > 0)',
  'CREATE INDEX "i" ON "delivery_report" USING btree ("line_id")',
  'UPDATE "delivery_report" SET "quantity" = 0',
  "ALTER TABLE setting ADD COLUMN note text",
  'VACUUM FULL "setting"',
  'DROP TABLE "lease"; UPDATE "agent_call" SET "bytes" = 0',
])("%s would be noticed", (statement) => {
  expect(problemsIn(statement)).toEqual([statement])
})
