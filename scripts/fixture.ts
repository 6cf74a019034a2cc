// npm run fixture: fills a database through the executable of this version, as a seller and a buyer would, and keeps it as
// test/fixtures/VERSION.sql with what it holds beside it. Made once for each release; every later version has to open it.
import { Database } from "bun:sqlite"
import { join } from "node:path"
import { version } from "../package.json"
import { type Booth, furnish, must, serve } from "../torture/harness/booth.ts"
import { scratch } from "../torture/harness/part.ts"
import { makeOperator } from "../torture/harness/visitor.ts"

async function use(url: string, { ingestKey, agentKey, packageIds }: Booth): Promise<void> {
  const send = async (path: string, key: string, body: object) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  }
  const [first, second] = packageIds
  const item = (package_id: string | undefined, impressions: number, as_of: string) => ({
    package_id,
    impressions,
    as_of,
  })
  const delivery = "/api/ingest/delivery/metrics"
  await send(delivery, ingestKey, {
    items: [item(first, 900, "2026-11-10"), item(second, 40, "2026-11-10T09:30:00.123456Z")],
  })
  await send(delivery, ingestKey, { items: [item(first, 700, "2026-11-09"), item(second, 41, "2026-11-11")] })
  await send("/api/ingest/affiliate/codes", ingestKey, { codes: [{ packageId: first, code: "SAVE10", slug: "save" }] })
  const metric = { code: "SAVE10", date: "2026-11-10", clicks: 12, conversions: 3, conversionValue: 1234.567891 }
  await send("/api/ingest/affiliate/metrics", ingestKey, { metrics: [metric] })
  const params = { name: "get_products", arguments: { brief: "morning podcast" } }
  await send("/", agentKey, { jsonrpc: "2.0", id: 1, method: "tools/call", params })
}

/** The database as SQL text: what makes it ours, its tables, their rows, its indexes. */
function dump(path: string): string {
  using database = new Database(path, { readonly: true })
  const pragma = (name: string) => Object.values(database.query(`PRAGMA ${name}`).get() as Record<string, number>)[0]
  const objects = database
    .query<{ type: string; name: string; sql: string }, []>(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name",
    )
    .all()
  const rows = objects.filter(({ type }) => type === "table").flatMap(({ name }) => insertsOf(database, name))
  return [
    `PRAGMA application_id = ${pragma("application_id")};`,
    `PRAGMA user_version = ${pragma("user_version")};`,
    ...objects.filter(({ type }) => type === "table").map(({ sql }) => `${sql};`),
    ...rows,
    ...objects.filter(({ type }) => type !== "table").map(({ sql }) => `${sql};`),
    "",
  ].join("\n")
}

function insertsOf(database: Database, table: string): string[] {
  const columns = database
    .query<{ name: string }, []>(`PRAGMA table_info("${table}")`)
    .all()
    .map(({ name }) => name)
  const quoted = columns.map((name) => `quote("${name}")`).join(" || ', ' || ")
  const rows = database.query<{ row: string }, []>(`SELECT ${quoted} AS row FROM "${table}"`).all()
  return rows.map(
    ({ row }) => `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${row});`,
  )
}

using folder = scratch()
const booth = await furnish(join(folder.path, "data"), { lines: 3 })
await makeOperator(booth.data, "correct horse battery")
await using server = await serve(booth.data)
await use(server.url, booth)
await server.end("SIGTERM")
const lines = JSON.parse(await must(["line", "list", "--data", booth.data, "--json"])) as unknown
const keys = JSON.parse(await must(["key", "list", "--data", booth.data, "--json"])) as unknown
await Bun.write(`test/fixtures/${version}.sql`, dump(join(booth.data, "adbooth.db")))
await Bun.write(`test/fixtures/${version}.json`, `${JSON.stringify({ lines, keys }, null, 2)}\n`)
process.stdout.write(`test/fixtures/${version}.sql\n`)
