import { Database } from "bun:sqlite"
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { adbooth } from "../../../test/binary.ts"
import { must, serve } from "../../harness/booth.ts"
import type { Scenario } from "../recording.ts"
import { inspect } from "./inspect.ts"
import type { Furnished } from "./load.ts"

/** What the backup is restored over. */
export type Before = "a running server" | "a stopped server" | "nothing" | "a damaged file with a log"
export const BEFORE: readonly Before[] = [
  "a running server",
  "a stopped server",
  "nothing",
  "a damaged file with a log",
]

const PAGE = 4_096
const DAMAGE = 0x55

/** A backup restored over another database: afterwards it is the one or the other. */
export function restores({ booth }: Furnished, before: Before): Scenario {
  return {
    name: `restore over ${before}`,
    async prepare(root) {
      const data = join(root, "data")
      cpSync(booth.data, data, { recursive: true })
      await must(["backup", "create", join(root, "backup.db"), "--data", data])
      // Told apart by a campaign that only the database before has.
      await must(["import", "-", "--data", data], { input: JSON.stringify(MARK) })
      if (before === "a damaged file with a log") await damage(data)
      if (before === "nothing") rmSync(data, { recursive: true })
    },
    async act({ root, logs, disk, random }) {
      disk.slowDown(random.pick([0, 2]), 2)
      const data = join(root, "data")
      const server = before === "a running server" ? await serve(data, { env: disk.env, logs }) : null
      await must(["backup", "restore", join(root, "backup.db"), "--data", data, "--yes"], { env: disk.env })
      const doneAt = disk.position()
      await server?.end("SIGKILL")
      return (left, position) => check(left, before, doneAt <= position)
    },
  }
}

const MARK = { campaigns: [{ slug: "before", name: "Before", buyer: "brand-co", lines: [] }] }

/** A log that holds what the file does not, beside a file that cannot be read. */
async function damage(data: string): Promise<void> {
  {
    await using server = await serve(data, { logs: join(data, "..", "..", "logs") })
    await must(["key", "create", "--org", "acme-audio", "--label", "In the log", "--data", data])
    await server.end("SIGKILL")
  }
  if (!existsSync(join(data, "adbooth.db-wal"))) throw new Error("there is no log")
  const path = join(data, "adbooth.db")
  const bytes = await Bun.file(path).bytes()
  bytes.fill(DAMAGE, PAGE)
  writeFileSync(path, bytes)
}

async function check(left: string, before: Before, isDone: boolean): Promise<string[]> {
  const data = join(left, "data")
  const hadDatabase = before === "a running server" || before === "a stopped server"
  if (!isDone && before === "a damaged file with a log") return await checkDamaged(data, left)
  const problems = await inspect(left)
  if (problems.length > 0) return problems
  const { lines, isBefore } = contentOf(data)
  if (isDone && (isBefore || lines === 0)) return ["a finished restore is not there"]
  if (!isDone && hadDatabase && lines === 0) return ["both the database before and the backup are gone"]
  return []
}

/** Until the new file counts it is still damaged, but then restoring again has to work. */
async function checkDamaged(data: string, left: string): Promise<string[]> {
  const file = Bun.file(join(data, "adbooth.db"))
  const isDamaged = (await file.exists()) && (await file.slice(PAGE, PAGE + 1).bytes())[0] === DAMAGE
  if (isDamaged) {
    const { code, err } = await adbooth(["backup", "restore", join(left, "backup.db"), "--data", data, "--yes"])
    if (code !== 0) return [`restoring again ends with ${code}: ${err.trim()}`]
  }
  const problems = await inspect(left)
  return problems.length === 0 && contentOf(data).isBefore ? ["it is not restored"] : problems
}

function contentOf(data: string): { readonly lines: number; readonly isBefore: boolean } {
  using database = new Database(join(data, "adbooth.db"), { readwrite: true })
  const count = (sql: string) => database.query<{ count: number }, []>(sql).get()?.count ?? 0
  return {
    lines: count("SELECT count(*) AS count FROM package_line"),
    isBefore: count("SELECT count(*) AS count FROM campaign WHERE slug = 'before'") > 0,
  }
}
