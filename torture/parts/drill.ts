import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { type Booth, furnish } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { startLoad } from "../harness/load.ts"
import type { Part } from "../harness/part.ts"
import { command, serve, tryCommand } from "../harness/program.ts"
import { storedInFile } from "../harness/stored.ts"

const FIRST_BACKUP_MS_MAX = 30_000

export const drill: Part = {
  name: "drill",
  promise: "each scheduled backup of a loaded server restores to a sound database with everything accepted before it",
  async run({ folder, isShort, problem }) {
    const data = join(folder, "data")
    const backups = join(folder, "backups")
    const booth = await furnish(["--data", data], 50)
    const ledger = new Ledger(booth)
    const options = ["--backup-every", "1m", "--backup-keep", "3", "--backup-dir", backups]
    const before = await reportOnce(booth, ledger)
    await using server = await serve(booth.place, { options })
    const load = startLoad(ledger, { clients: 2, itemsMax: 20, seed: 1, url: () => server.url })
    const until = performance.now() + FIRST_BACKUP_MS_MAX
    while (backupsIn(backups).length === 0 && performance.now() < until) await Bun.sleep(100)
    // Three minutes bring three more, of which the oldest goes.
    await Bun.sleep(isShort ? 0 : 200_000)
    await load.stop()
    if ((await server.end("SIGTERM")) !== 0) problem("it didn't stop cleanly")

    const names = backupsIn(backups)
    if (names.length === 0) problem("there is no backup")
    if (names.length > 3) problem(`${names.length} backups were kept instead of 3`)
    const counts: number[] = []
    for (const name of names) {
      const restored = ["--data", join(folder, `restored-${name}`)]
      await command(["backup", "restore", join(backups, name), ...restored])
      const { reports, problems } = storedInFile(join(folder, `restored-${name}`))
      counts.push(reports.length)
      for (const text of problems) problem(`${name}: ${text}`)
      if (reports.length < before) problem(`${name} lacks reports from before it`)
      const { code, output } = await tryCommand(["doctor", ...restored])
      if (code !== 0) problem(`the doctor complains about ${name}: ${output.slice(-300)}`)
    }
    return `${names.length} backups restored, with ${counts.join(", ")} reports of ${ledger.accepted}`
  },
}

/** Reports to a server without backups, so that what it accepts belongs into every backup of a later one. */
async function reportOnce({ place }: Booth, ledger: Ledger): Promise<number> {
  await using server = await serve(place)
  // The server must not end before the answer.
  return await ledger.send(server.url, 50)
}

function backupsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter((name) => /\.db(\.gz)?$/.test(name) && !name.startsWith("."))
}
