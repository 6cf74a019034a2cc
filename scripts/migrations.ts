// npm run migrations -- --name WHAT: for each engine whose tables have changed (src/storage/schema), writes the next migration with drizzle-kit, finishes
// what drizzle-kit has no words for, and lists every file in the index.ts of its engine so that the executable carries them. What a migration
// of PostgreSQL may do beside running servers: test/storage/postgres/engine/migration-rules.test.ts.
import { rmSync } from "node:fs"
import { Glob } from "bun"
import { sqliteKit } from "../src/storage/schema/kit.ts"
import { describedTables, tables } from "../src/storage/schema/tables.ts"

const ENGINES = ["sqlite", "postgres"] as const
type EngineName = (typeof ENGINES)[number]
const STORED_BY_KEY = new Set(
  describedTables.filter(({ properties }) => properties.isStoredByKey).map(({ name }) => name),
)

function strict(sqlText: string): string {
  return sqlText.replace(/CREATE TABLE `(\w+)` \([\s\S]*?\n\);/g, (statement, table: string) =>
    statement.replace(/\n\);$/, STORED_BY_KEY.has(table) ? "\n) STRICT, WITHOUT ROWID;" : "\n) STRICT;"),
  )
}

// Their rows are worth less than what writing them twice costs: after a crash of the server they are gone.
const UNLOGGED = new Set(["rate_window"])

/** Text compares byte by byte; tables lie in whichever schema is the role's own. */
function bytewise(sqlText: string): string {
  return sqlText
    .replace(/^(\t"\w+" text)(?! COLLATE|\[)/gm, '$1 COLLATE "C"')
    .replace(/(ADD COLUMN "\w+" text)(?! COLLATE|\[)/g, '$1 COLLATE "C"')
    .replaceAll('"public".', "")
    .replace(/CREATE TABLE "(\w+)"/g, (statement, table: string) =>
      UNLOGGED.has(table) ? `CREATE UNLOGGED TABLE "${table}"` : statement,
    )
}

const FINISH: Readonly<Record<EngineName, (sqlText: string) => string>> = { sqlite: strict, postgres: bytewise }

async function sqlFiles(folder: string): Promise<string[]> {
  return (await Array.fromAsync(new Glob("*.sql").scan(folder))).sort()
}

async function finish(folder: string, files: string[], finished: (sqlText: string) => string): Promise<void> {
  for (const file of files) {
    const path = `${folder}/${file}`
    const text = await Bun.file(path).text()
    if (finished(text) !== text) await Bun.write(path, finished(text))
  }
}

async function writeIndex(folder: string, files: string[]): Promise<void> {
  const names = files.map((file) => file.replace(/\.sql$/, ""))
  const identifier = (name: string) => `sql${name.slice(0, 4)}`
  const lines = [
    "// Written by `npm run migrations`: every migration in order, as text, so that the executable carries them.",
    ...names.map((name) => `import ${identifier(name)} from "./${name}.sql" with { type: "text" }`),
    "",
    "export interface Migration {",
    "  readonly name: string",
    "  readonly sql: string",
    "}",
    "",
    "export const migrations: readonly Migration[] = [",
    ...names.map((name) => `  { name: "${name}", sql: ${identifier(name)} },`),
    "]",
    "",
  ]
  await Bun.write(`${folder}/index.ts`, lines.join("\n"))
  Bun.spawnSync(["node_modules/.bin/biome", "format", "--write", `${folder}/index.ts`])
}

/** drizzle-kit reads tables from the exports of a file. */
function exportedTables(engine: EngineName): string {
  const from = (file: string) => `from "../../src/storage/${file}"`
  const replicas = engine === "postgres" ? `export * ${from("postgres/replica-tables.ts")}\n` : ""
  const names = Object.keys(tables(sqliteKit)).join(", ")
  return `import { ${engine}Kit } ${from("schema/kit.ts")}
import { tables } ${from("schema/tables.ts")}
${replicas}export const { ${names} } = tables(${engine}Kit)
`
}

for (const engine of ENGINES) {
  const folder = `migrations/${engine}`
  const schema = `${folder}/schema.ts`
  await Bun.write(schema, exportedTables(engine))
  const generated = Bun.spawnSync(["node_modules/.bin/drizzle-kit", "generate", ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit"],
    env: { ...process.env, ADBOOTH_ENGINE: engine },
  })
  rmSync(schema)
  if (!generated.success) process.exit(1)
  const files = await sqlFiles(folder)
  await finish(folder, files, FINISH[engine])
  await writeIndex(folder, files)
}
