import { EXPORT_MARK, readExport } from "../../copy/export-lines.ts"
import { tableShapes } from "../copy/shapes.ts"
import { sqliteWriteSide } from "../copy/write-side.ts"
import { SCHEMA_VERSION } from "../engine/migrate.ts"

/** Whether a file is an export of everything, and not a database. */
export async function isExport(file: string): Promise<boolean> {
  return (await Bun.file(file).slice(0, EXPORT_MARK.length).text()) === EXPORT_MARK
}

/** Makes a database from an export of everything. `name` is what to call the export in errors. */
export async function databaseFromExport(file: string, name: string, path: string): Promise<void> {
  using side = sqliteWriteSide(path)
  const tables = tableShapes()
  const revision = await readExport(linesOf(file), name, {
    schema: SCHEMA_VERSION,
    tables,
    write: ({ table, text }) => side.write(table, only(text)),
  })
  await side.finish(tables, revision)
}

async function* only(text: string) {
  yield text
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let rest = ""
  for await (const chunk of Bun.file(file).stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
  if (rest !== "") yield rest
}
