// npm run migrations -- --name WHAT: writes the next migration from src/storage/sqlite/schema.ts with drizzle-kit, makes its new
// tables STRICT, and lists every file in migrations/sqlite/index.ts so that the executable carries them.
import { Glob } from "bun"

const FOLDER = "migrations/sqlite"
// Their rows are always found by primary key, so the key is the table: one tree to write instead of two.
const WITHOUT_ROWID = new Set([
  "membership",
  "opening",
  "delivery_report",
  "affiliate_placement",
  "affiliate_metric",
  "product",
  "creative_format",
  "setting",
  "recovery_code",
  "refusal",
])

function strict(sqlText: string): string {
  return sqlText.replace(/CREATE TABLE `(\w+)` \([\s\S]*?\n\);/g, (statement, table: string) =>
    statement.replace(/\n\);$/, WITHOUT_ROWID.has(table) ? "\n) STRICT, WITHOUT ROWID;" : "\n) STRICT;"),
  )
}

async function sqlFiles(): Promise<string[]> {
  return (await Array.fromAsync(new Glob("*.sql").scan(FOLDER))).sort()
}

async function makeStrict(files: string[]): Promise<void> {
  for (const file of files) {
    const path = `${FOLDER}/${file}`
    const text = await Bun.file(path).text()
    if (strict(text) !== text) await Bun.write(path, strict(text))
  }
}

async function writeIndex(files: string[]): Promise<void> {
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
  await Bun.write(`${FOLDER}/index.ts`, lines.join("\n"))
}

const generated = Bun.spawnSync(["node_modules/.bin/drizzle-kit", "generate", ...process.argv.slice(2)], {
  stdio: ["inherit", "inherit", "inherit"],
})
if (!generated.success) process.exit(1)
const files = await sqlFiles()
await makeStrict(files)
await writeIndex(files)
