import { spawn, spawnSync } from "node:child_process"
import { chownSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SQL } from "bun"
import { quickestFolder } from "../../quickest-folder.ts"
import { AS_NOBODY, postgresBinaries } from "./binaries.ts"

const STARTS_WITHIN_MS = 120_000
// The server belongs to a shell that waits for the end of its input: that end comes when this process is gone, even killed.
const KEEPER = `"$@" >>"$FOLDER/log" 2>&1 & cat >/dev/null; kill -QUIT $! 2>/dev/null; kill -CONT $! 2>/dev/null; wait $!; rm -rf "$FOLDER"`

/** A folder for a server's own files, in memory where there is room, unless it is to be on a disk. */
export function serverFolder(onDisk = false): string {
  const folder = mkdtempSync(join(onDisk ? tmpdir() : quickestFolder(), "adbooth-pg-"))
  if (AS_NOBODY.uid !== undefined) chownSync(folder, AS_NOBODY.uid, AS_NOBODY.gid)
  return folder
}

/** The files of a new server in the folder, and where its programs are. A copy of those that ADBOOTH_TEST_CLUSTER names costs least. */
export function newCluster(folder: string): { readonly data: string; readonly binaries: string } {
  const binaries = postgresBinaries(() => folder)
  if (typeof binaries !== "string") throw new Error(binaries.missing)
  const data = join(folder, "data")
  const made = process.env["ADBOOTH_TEST_CLUSTER"]
  const options = ["--username=adbooth", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
  const [program, ...given] =
    made === undefined ? [join(binaries, "initdb"), `--pgdata=${data}`, ...options] : ["cp", "-a", made, data]
  const done = spawnSync(program ?? "", given, { ...AS_NOBODY, cwd: "/", encoding: "utf8" })
  if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr}${done.error ?? ""}`)
  return { data, binaries }
}

/** Runs a server until the returned function is called, or this process ends, however it ends; then its folder is gone. */
export function runUntilWeEnd(server: readonly string[], folder: string): () => void {
  const options = { ...AS_NOBODY, cwd: "/", env: { ...process.env, FOLDER: folder } }
  if (process.platform === "win32") {
    const [program = "", ...given] = server
    const child = spawn(program, given, { ...options, stdio: "ignore" })
    process.on("exit", () => {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    return () => void child.kill()
  }
  // A session of its own, so that Ctrl-C does not end the keeper before it has cleared up.
  const keeper = spawn("/bin/sh", ["-c", KEEPER, "sh", ...server], {
    ...options,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  keeper.unref()
  return () => void keeper.stdin?.end()
}

/** Returns once the server takes connections. */
export async function answering(url: string): Promise<void> {
  const end = performance.now() + STARTS_WITHIN_MS
  for (;;) {
    const client = new SQL(url, { max: 1 })
    try {
      await client`SELECT 1`
      return
    } catch (cause) {
      if (performance.now() > end) throw cause
      await Bun.sleep(20)
    } finally {
      await client.close().catch(() => undefined)
    }
  }
}
