import { cpSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { adbooth } from "../../../test/binary.ts"
import { must, serve } from "../../harness/booth.ts"
import { Ledger } from "../../harness/ledger.ts"
import { databaseProblems } from "../../harness/part.ts"
import type { Scenario } from "../recording.ts"
import { inspect } from "./inspect.ts"
import type { Furnished } from "./load.ts"

const BACKUPS = 3
const KINDS = [[], ["--compress"]]

interface Done {
  readonly at: number
  readonly name: string
  /** Items that were answered before the backup began have to be in it. */
  readonly covers: number
}

/** Backups while reports come in; every other one replaces the one before. */
export function backups({ booth }: Furnished): Scenario {
  return {
    name: "backup",
    prepare(root) {
      cpSync(booth.data, join(root, "data"), { recursive: true })
      mkdirSync(join(root, "backups"))
    },
    async act({ root, logs, disk, random }) {
      disk.slowDown(random.pick([0, 2]), 2)
      const data = join(root, "data")
      await using server = await serve(data, { env: disk.env, logs })
      const ledger = new Ledger(booth, disk.position)
      const done: Done[] = []
      for (let i = 0; i < BACKUPS; i++) {
        for (let sent = 0; sent < 5; sent++) await ledger.send(server.url, 1 + random.below(200))
        const covers = disk.position()
        const name = `backup-${i >> 1}`
        await must(["backup", "create", join(root, "backups", name), "--data", data, ...random.pick(KINDS)], {
          env: disk.env,
        })
        done.push({ at: disk.position(), name, covers })
      }
      await server.end("SIGKILL")
      return async (left, position) => {
        const problems = [...(await inspect(left)), ...ledger.problems(join(left, "data"), position)]
        // Of those under the same name the last counts.
        const last = new Map(done.filter(({ at }) => at <= position).map((one) => [one.name, one]))
        for (const one of last.values()) problems.push(...(await backupProblems(left, one, ledger)))
        return problems
      }
    },
  }
}

async function backupProblems(left: string, { name, covers }: Done, ledger: Ledger): Promise<string[]> {
  const file = join(left, "backups", name)
  if (!existsSync(file)) return ["a finished backup is gone"]
  const data = join(left, `restored-${name}`)
  const { code, err } = await adbooth(["backup", "restore", file, "--data", data])
  if (code !== 0) return [`a finished backup cannot be restored: ${err.trim()}`]
  const problems = [...databaseProblems(data), ...ledger.problems(data, covers)]
  return problems.map((problem) => `a finished backup: ${problem}`)
}
