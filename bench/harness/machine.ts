import { Database } from "bun:sqlite"
import { arch, cpus, loadavg, platform, release, totalmem } from "node:os"
import { NODE, ROOT } from "./places.ts"
import { runProgram } from "./process.ts"

/** The machine and every version that took part, as lines for the report. */
export async function describeMachine(): Promise<string[]> {
  const cores = cpus()
  const sqlite = new Database(":memory:").query<{ version: string }, []>("SELECT sqlite_version() AS version").get()
  const commit = await runProgram(["git", "describe", "--always", "--dirty"], { cwd: ROOT }).catch(() => "unknown")
  return [
    `Commit: ${commit.trim()}`,
    `Machine: ${cores.length} x ${model(cores[0]?.model)}, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${release()}, load ${Math.round(loadavg()[0] ?? 0)}`,
    `Bun ${Bun.version}, SQLite ${sqlite?.version}, Node ${(await runProgram([NODE, "--version"])).trim()}`,
  ]
}

/** Virtual machines often do not say what they are. */
function model(name: string | undefined): string {
  return name === undefined || name === "" || name === "unknown" ? `${arch()} core` : name
}
