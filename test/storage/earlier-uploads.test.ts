import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { SQL } from "bun"
import { migrations as onPostgres } from "../../migrations/postgres/index.ts"
import { migrations as onSqlite } from "../../migrations/sqlite/index.ts"
import { emptyDatabase, noPostgres } from "./postgres/server.ts"

// Files of earlier builds: their text in pieces, also of a second sheet, their lines as ids, columns that were remembered one by one.
const EARLIER = [
  "INSERT INTO organization (id, slug, name, time_zone, created_at) VALUES (1, 'acme', 'Acme', 'UTC', 1)",
  ...["columns", "done", "arriving", "discarded", "reporting"].map(
    (state, i) =>
      `INSERT INTO upload (id, organization_id, kind, file_name, state, bytes, digest, uploaded_at, changed_at, rows, rows_done, choices, summary)
       VALUES (${i + 1}, 1, 'delivery', 'a.csv', '${state}', 4, '', 5, 5, 1, 0, '{"sheet":0}', '{}')`,
  ),
  "INSERT INTO upload_part VALUES (1, 'file', 1, 'b'), (1, 'file', 0, 'a'), (1, 'file', 10000, 'c'), (3, 'file', 0, 'x')",
  "INSERT INTO upload_part VALUES (2, 'lines', 0, '[7,{\"id\":8,\"name\":\"Eight\"}]'), (2, 'preview', 0, '[]')",
  "INSERT INTO upload_column VALUES (1, 'reading', 'h', '{}'), (1, 'line', 'Mid', 'x'), (1, 'delivery', 'Views', 'impressions')",
]

const KEPT = {
  files: [
    { id: 1, state: "open", asks: "true", lines: null },
    { id: 2, state: "done", asks: "false", lines: [{ id: 7 }, { id: 8, name: "Eight" }] },
    { id: 5, state: "open", asks: "false", lines: null },
  ],
  texts: [
    { upload_id: 1, sheet: 0, content: "ab" },
    { upload_id: 1, sheet: 1, content: "c" },
  ],
  memory: ["line Mid x", "reading h {}"],
}

type Row = Record<string, unknown>
type Run = (statement: string) => Row[] | Promise<Row[]>

const sqlOf = (migrations: readonly { readonly name: string; readonly sql: string }[]) => {
  const last = migrations.findIndex(({ name }) => name.endsWith("plain-uploads"))
  const statements = (from: number, to: number) =>
    migrations.slice(from, to).flatMap(({ sql }) => sql.split("--> statement-breakpoint"))
  return { before: statements(0, last), itself: statements(last, last + 1) }
}

async function upgraded(run: Run, { before, itself }: ReturnType<typeof sqlOf>) {
  for (const statement of [...before, ...EARLIER, ...itself]) await run(statement)
  const files = await run("SELECT id, state, choices, lines FROM upload ORDER BY id")
  const texts = await run("SELECT upload_id, sheet, content FROM upload_text ORDER BY upload_id, sheet")
  const memory = await run("SELECT kind, name, meaning FROM upload_memory ORDER BY kind")
  return {
    files: files.map(({ id, state, choices, lines }) => ({
      id: Number(id),
      state,
      asks: String(JSON.parse(String(choices)).asks ?? false),
      lines: lines === null ? null : JSON.parse(String(lines)),
    })),
    texts: texts.map(({ upload_id, sheet, content }) => ({
      upload_id: Number(upload_id),
      sheet: Number(sheet),
      content,
    })),
    memory: memory.map(({ kind, name, meaning }) => `${kind} ${name} ${meaning}`),
  }
}

test("files of earlier builds are still there after an upgrade with SQLite", async () => {
  using database = new Database(":memory:")
  const run = (statement: string) => database.query<Row, []>(statement).all()
  expect(await upgraded(run, sqlOf(onSqlite))).toEqual(KEPT)
})

test.skipIf(noPostgres !== null)(
  "files of earlier builds are still there after an upgrade with PostgreSQL",
  async () => {
    await using database = await emptyDatabase()
    await using client = new SQL(database.url, { max: 1 })
    const run = async (statement: string) => Array.from(await client.unsafe<Row[]>(statement))
    expect(await upgraded(run, sqlOf(onPostgres))).toEqual(KEPT)
  },
)
