import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { BENCH, BUN, NODE } from "./places.ts"
import { runProgram } from "./process.ts"

const stamp = join(BENCH, "node_modules", ".installed")

/** Installs the locked peers into bench/node_modules, once per lock file. better-sqlite3 may compile for two minutes. */
export async function installPeers(): Promise<void> {
  const wanted = Bun.hash(readFileSync(join(BENCH, "bun.lock"))).toString(16)
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  process.stderr.write("Installing the peers (once; compiling better-sqlite3 can take two minutes)...\n")
  useInstalledNodeHeaders()
  await runProgram([BUN, "install", "--frozen-lockfile"], { cwd: BENCH })
  writeFileSync(stamp, wanted)
}

/** A native module is compiled against the headers that came with Node, where they did, and not against downloaded ones. */
function useInstalledNodeHeaders(): void {
  const prefix = dirname(dirname(NODE))
  if (existsSync(join(prefix, "include", "node", "node_api.h"))) process.env["npm_config_nodedir"] ??= prefix
}
