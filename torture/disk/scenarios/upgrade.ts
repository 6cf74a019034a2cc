import { Database } from "bun:sqlite"
import { mkdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { Glob } from "bun"
import { must, serve } from "../../harness/booth.ts"
import { areOutdatedIn, outdatedDaysProblems } from "../../harness/upkeep.ts"
import type { Scenario } from "../recording.ts"
import { inspect } from "./inspect.ts"

const FIXTURES = "test/fixtures"

/** The first start of this version on the database of an old one, until its days are worked out. */
export const upgrade: Scenario = {
  name: "upgrade",
  prepare(root) {
    mkdirSync(join(root, "data"), { mode: 0o700 })
    using database = new Database(join(root, "data", "adbooth.db"), { create: true })
    database.run(readFileSync(join(FIXTURES, `${oldest()}.sql`), "utf8"))
  },
  async act({ root, logs, disk, random }) {
    disk.slowDown(random.pick([0, 2]), 2)
    await using server = await serve(join(root, "data"), { env: disk.env, logs })
    const unfinished = await outdatedDaysProblems(areOutdatedIn(join(root, "data")))
    await server.end(random.pick(["SIGTERM", "SIGKILL"]))
    const kept = JSON.parse(readFileSync(join(FIXTURES, `${oldest()}.json`), "utf8")) as Record<
      "lines" | "keys",
      unknown
    >
    return async (left) => {
      const problems = [...unfinished, ...(await inspect(left))]
      const list = async (...command: string[]) =>
        JSON.parse(await must([...command, "--data", join(left, "data"), "--json"])) as unknown
      if (!Bun.deepMatch({ lines: kept.lines }, { lines: await list("line", "list") }))
        problems.push("lines or totals are not what they were")
      if (!Bun.deepMatch({ keys: kept.keys }, { keys: await list("key", "list") }))
        problems.push("keys are not what they were")
      return problems
    }
  },
}

function oldest(): string {
  const versions = [...new Glob("*.sql").scanSync(FIXTURES)].map((file) => basename(file, ".sql"))
  return versions.sort(Bun.semver.order)[0] ?? ""
}
