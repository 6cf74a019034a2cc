import { Database } from "bun:sqlite"
import { mkdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { Glob } from "bun"
import { adbooth } from "../../test/binary.ts"
import { must, serve } from "../harness/booth.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { areOutdatedIn, outdatedDaysProblems } from "../harness/upkeep.ts"

const FIXTURES = "test/fixtures"

export const upgrade: Part = {
  name: "upgrade",
  promise:
    "a database of each released version opens, is brought up to date, keeps its totals and its keys, and is sound",
  async run() {
    const versions = [...new Glob("*.sql").scanSync(FIXTURES)].map((file) => basename(file, ".sql")).sort()
    const problems: string[] = []
    if (versions.length === 0) problems.push("there is no database of a released version")
    for (const version of versions) {
      const found = await open(version)
      problems.push(...found.map((problem) => `${version}: ${problem}`))
    }
    return {
      done: `a database of each of ${versions.length} released versions opened by this one`,
      figures: `${versions.join(", ")}: ${problems.length} problems`,
      problems,
    }
  },
}

interface Kept {
  readonly lines: readonly object[]
  readonly keys: unknown
}

async function open(version: string): Promise<string[]> {
  using folder = scratch()
  const data = join(folder.path, "data")
  mkdirSync(data, { mode: 0o700 })
  using database = new Database(join(data, "adbooth.db"), { create: true })
  database.run(readFileSync(join(FIXTURES, `${version}.sql`), "utf8"))
  database.close()
  const kept = JSON.parse(readFileSync(join(FIXTURES, `${version}.json`), "utf8")) as Kept
  const problems: string[] = []
  const list = async (...command: string[]) => JSON.parse(await must([...command, "--data", data, "--json"])) as unknown
  // Commands leave the upgrade to the server.
  await using server = await serve(data)
  // What later versions added is empty in an older database.
  const lines = kept.lines.map((line) => ({ ...line, external_id: null }))
  // Their state is no part of what is kept: it depends on the day.
  const found = ((await list("line", "list")) as readonly { readonly state: string }[]).map(
    ({ state: _, ...line }) => line,
  )
  if (!Bun.deepEquals(found, lines)) problems.push("lines or totals are not what they were")
  if (!Bun.deepEquals(await list("key", "list"), kept.keys)) problems.push("keys are not what they were")
  const { code, out } = await adbooth(["doctor", "--data", data])
  if (code !== 0) problems.push(`the doctor found something: ${out}`)
  const { key } = (await list("key", "create", "--org", "acme-audio", "--label", "New")) as { key: string }
  const status = await reportWith(server.url, key)
  if (status !== 200) problems.push(`a report was answered ${status}`)
  problems.push(...(await outdatedDaysProblems(areOutdatedIn(data))))
  if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
  return [...problems, ...databaseProblems(data)]
}

async function reportWith(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/api/ingest/delivery/metrics`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ items: [{ package_id: "00000000-0000-4000-8000-000000000000", impressions: 901 }] }),
  })
  return response.status
}
