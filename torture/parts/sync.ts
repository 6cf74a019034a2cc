import { readFileSync } from "node:fs"
import { join } from "node:path"
import { furnish } from "../harness/booth.ts"
import { Ledger } from "../harness/ledger.ts"
import { startLoad } from "../harness/load.ts"
import { grouped, type Part } from "../harness/part.ts"
import { PROGRAM, serve } from "../harness/program.ts"
import { trace } from "../harness/strace.ts"

const REQUESTS = 20
const CALLS = "trace=recvfrom,sendto,pwrite64,write,fsync,fdatasync,rename,renameat,renameat2"

export const sync: Part = {
  name: "sync",
  promise: "no answer to a write leaves before the sync, and a backup is synced before it gets its name",
  needs: "strace",
  async run({ folder, isShort, problem }) {
    const data = join(folder, "data")
    const booth = await furnish(["--data", data], 100)
    const ledger = new Ledger(booth)
    const file = join(folder, "calls.txt")
    {
      await using server = await serve(booth.place)
      await using _ = await trace(server.pid, ["-y", "-s", "60", "-e", CALLS, "-o", file])
      // One after the other: each answer needs a sync of its own.
      for (let request = 0; request < REQUESTS; request++) await ledger.send(server.url, 5)
      await Bun.write(join(folder, "alone.txt"), Bun.file(file))
      const load = startLoad(ledger, { clients: 8, itemsMax: 20, seed: 1, url: () => server.url })
      await Bun.sleep(isShort ? 1_000 : 20_000)
      await load.stop()
    }
    const alone = answersIn(join(folder, "alone.txt"))
    const all = answersIn(file)
    if (alone.count < REQUESTS) problem(`only ${alone.count} answers were traced`)
    if (alone.withoutSync > 0) problem(`${alone.withoutSync} answers left without a sync of their own`)
    if (all.early > 0) problem(`${all.early} answers left while writes weren't synced`)

    const backup = join(folder, "backup.db")
    const renames = await renamesOfBackup(booth.place, backup, join(folder, "backup.txt"))
    for (const text of renames) problem(text)
    return `${grouped(all.count)} answers traced, ${ledger.accepted} items accepted; a backup traced`
  },
}

/** Joins calls that strace shows in two parts because another thread did something in between. */
function callsIn(file: string): string[] {
  const begun = new Map<string, string>()
  return readFileSync(file, "latin1")
    .split("\n")
    .flatMap((line) => {
      const [, thread = "", call = ""] = /^(\d+) +(.*)$/.exec(line) ?? []
      if (call.endsWith("<unfinished ...>")) {
        begun.set(thread, call.slice(0, -"<unfinished ...>".length))
        return []
      }
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(call)?.[1]
      return resumed === undefined ? [call] : [(begun.get(thread) ?? "") + resumed]
    })
}

/** Looks at each answer: what was written to the log, but not synced, and whether anything was synced since the request came. */
function answersIn(file: string) {
  const found = { count: 0, early: 0, withoutSync: 0 }
  let isUnsynced = false
  let hasSynced = false
  for (const call of callsIn(file)) {
    if (/^recvfrom\(.*"POST /.test(call)) hasSynced = false
    if (/^p?write(?:64)?\(\d+<[^>]*adbooth\.db-wal>/.test(call)) isUnsynced = true
    if (/^f(?:data)?sync\(\d+<[^>]*adbooth\.db-wal>\) = 0/.test(call)) {
      isUnsynced = false
      hasSynced = true
    }
    if (!/^(?:sendto|write)\(\d+<socket:.*"HTTP\/1\.1 200/.test(call)) continue
    found.count++
    if (isUnsynced) found.early++
    if (!hasSynced) found.withoutSync++
  }
  return found
}

/** Makes a backup under strace. Returns what is wrong with the order of writes, syncs and renames. */
async function renamesOfBackup(place: readonly string[], backup: string, file: string): Promise<string[]> {
  const options = ["-f", "-y", "-e", CALLS, "-o", file]
  const child = Bun.spawn(["strace", ...options, PROGRAM, "backup", "create", backup, ...place], {
    stdout: "ignore",
    stderr: "ignore",
  })
  if ((await child.exited) !== 0) return ["the backup failed"]
  const calls = callsIn(file)
  const folder = backup.slice(0, backup.lastIndexOf("/"))
  const renamed = calls.findLastIndex((call) => call.startsWith("rename") && call.includes(`"${backup}"`))
  const from = /"([^"]+)"/.exec(calls[renamed] ?? "")?.[1] ?? ""
  if (renamed === -1) return ["the backup wasn't renamed into place"]
  const isAbout = (path: string) => (call: string) => call.includes(`<${path}>`)
  const isSync = (call: string) => /^f(?:data)?sync\(/.test(call)
  const before = calls.slice(0, renamed).filter(isAbout(from))
  const written = before.findLastIndex((call) => /^p?write/.test(call))
  const problems = before.findLastIndex(isSync) > written ? [] : ["the backup wasn't synced before it got its name"]
  const isFolderSynced = calls.slice(renamed).some((call) => isSync(call) && isAbout(folder)(call))
  return isFolderSynced ? problems : [...problems, "the folder of the backup wasn't synced"]
}
