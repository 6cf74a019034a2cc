import { Database } from "bun:sqlite"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { adbooth } from "../../test/binary.ts"
import { furnish, must, serve } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"

const EVERY_SECONDS = 10
const KEEP = 3

export const drill: Part = {
  name: "drill",
  promise:
    "each scheduled backup of a loaded server restores to a sound installation with all that was accepted before it",
  async run({ drillSeconds }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 50 })
    const backups = join(folder.path, "backups")
    const schedule = ["--backup-every", `${EVERY_SECONDS}s`, "--backup-keep", String(KEEP), "--backup-dir", backups]
    await using server = await serve(booth.data, { args: schedule })
    const ledger = new Ledger(booth)
    const counts: { at: number; accepted: number }[] = []
    const until = performance.now() + drillSeconds * 1_000
    do {
      await ledger.send(server.url, 20)
      counts.push({ at: Date.now(), accepted: ledger.acceptedCount })
      await Bun.sleep(5)
    } while (performance.now() < until || !hasBackup(backups))
    const problems: string[] = []
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    const names = readdirSync(backups)
      .filter((name) => name.endsWith(".db"))
      .sort()
    if (names.length > KEEP) problems.push(`${names.length} backups were kept instead of ${KEEP}`)
    const restored: number[] = []
    for (const name of names) {
      const data = join(folder.path, `restored-${name}`)
      await must(["backup", "restore", join(backups, name), "--data", data])
      const rows = reportsIn(data)
      restored.push(rows)
      // The name tells the second in which the backup was begun.
      const begun = counts.findLast(({ at }) => at < momentOf(name))?.accepted ?? 0
      if (rows < begun) problems.push(`${name} holds ${rows} reports, but ${begun} were accepted before it`)
      problems.push(...databaseProblems(data))
      const { code, out } = await adbooth(["doctor", "--data", data])
      if (code !== 0) problems.push(`the doctor found something in ${name}: ${out}`)
    }
    return {
      done: `${drillSeconds} s under load with a backup every ${EVERY_SECONDS} s, keeping ${KEEP}; each restored elsewhere and examined`,
      figures: `${names.length} backups restored with ${restored.join(", ")} reports, of ${ledger.acceptedCount} accepted in the end`,
      problems,
    }
  },
}

function hasBackup(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith(".db"))
  } catch {
    return false
  }
}

function momentOf(name: string): number {
  const [, y, mo, d, h, mi, s] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(name) ?? []
  return Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s))
}

function reportsIn(data: string): number {
  using database = new Database(join(data, "adbooth.db"))
  return database.query<{ count: number }, []>("SELECT count(*) AS count FROM delivery_report").get()?.count ?? 0
}
