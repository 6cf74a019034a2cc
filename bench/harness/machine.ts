import { Database } from "bun:sqlite"
import { readFileSync } from "node:fs"
import { arch, cpus, platform, release, totalmem } from "node:os"
import { join } from "node:path"
import { loadGeneratorName } from "../load/drive.ts"
import { BENCH, NODE } from "./places.ts"
import { runProgram } from "./process.ts"

/** The machine and every version that took part, as lines for the report. */
export async function describeMachine(): Promise<string[]> {
  const cores = cpus()
  const sqlite = new Database(":memory:").query<{ version: string }, []>("SELECT sqlite_version() AS version").get()
  return [
    `Machine: ${cores.length} x ${model(cores[0]?.model)}, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${release()}`,
    `Bun ${Bun.version}, SQLite ${sqlite?.version}, Node ${(await runProgram([NODE, "--version"])).trim()}`,
    `Peers: ${peers()}`,
    `Load generator: ${await loadGeneratorName()}`,
  ]
}

function peers(): string {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(BENCH, "package.json"), "utf8"),
  )
  return Object.entries(manifest.dependencies)
    .filter(([name]) => name !== "node-gyp")
    .map(([name, version]) => `${name} ${version}`)
    .join(", ")
}

/** Virtual machines often do not say what they are. */
function model(name: string | undefined): string {
  return name === undefined || name === "" || name === "unknown" ? `${arch()} core` : name
}
