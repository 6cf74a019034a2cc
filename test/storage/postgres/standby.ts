import { spawn } from "node:child_process"
import { once } from "node:events"
import { chownSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SQL } from "bun"
import { until } from "../../until.ts"
import { AS_NOBODY } from "./binaries.ts"
import type { CrashingServer } from "./crashing-server.ts"

/** Makes a stopped server a copy of a running one that follows it, and commits of that one wait for it from now on. */
export async function follow(standby: CrashingServer, primary: CrashingServer): Promise<void> {
  await copyData(primary, standby.data)
  // In place of what was set on the primary.
  const settings = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=adbooth sslmode=disable'\n`
  writeOwn(join(standby.data, "postgresql.auto.conf"), settings)
  writeOwn(join(standby.data, "standby.signal"), "")
  await standby.start()
  await using client = new SQL(primary.url, { max: 1 })
  await client.unsafe("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await client.unsafe("SELECT pg_reload_conf()")
  await until(async () => {
    const [found] = await client<{ state: string }[]>`SELECT sync_state AS state FROM pg_stat_replication`
    return found?.state === "sync"
  })
}

/** What pg_basebackup does, which does not come with the binaries. */
async function copyData(primary: CrashingServer, to: string): Promise<void> {
  await using client = new SQL(primary.url, { max: 1 })
  await client.unsafe("SELECT pg_backup_start('standby', true)")
  rmSync(to, { recursive: true, force: true })
  // Files that vanish meanwhile are no error here. Not waited for in place: this process also is the proxy and its clients.
  await once(spawn("cp", ["-a", primary.data, to], { ...AS_NOBODY, cwd: "/", stdio: "ignore" }), "exit")
  const [stopped] = await client<{ label: string }[]>`SELECT labelfile AS label FROM pg_backup_stop(false)`
  for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(to, name), { force: true })
  writeOwn(join(to, "backup_label"), stopped?.label ?? "")
}

/** From now on it takes writes. */
export async function promote({ url }: CrashingServer): Promise<void> {
  await using client = new SQL(url, { max: 1 })
  await client.unsafe("SELECT pg_promote(true, 20)")
}

function writeOwn(file: string, text: string): void {
  writeFileSync(file, text)
  if (AS_NOBODY.uid !== undefined) chownSync(file, AS_NOBODY.uid, AS_NOBODY.gid)
}
