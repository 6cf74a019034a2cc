import { join } from "node:path"
import { SELLER } from "../workload/lines.ts"
import { BUN, PRODUCT, ROOT, temporaryFolder } from "./places.ts"
import { type Running, runProgram, startServer } from "./process.ts"

/** Rate limits are raised for the run, not switched off: every request still passes the limiter. */
const RAISED = ["--limit-ingest", "--limit-agent-anonymous", "--limit-agent-keyed"].flatMap((limit) => [
  limit,
  "1000000",
])

export async function buildProduct(root = ROOT): Promise<void> {
  await runProgram([BUN, join("scripts", "build.ts")], { cwd: root })
}

/** A data directory with what a scenario needs, made through the product's own commands. */
export interface Installation extends Disposable {
  readonly data: string
  command(...words: readonly string[]): Promise<string>
  serve(...options: readonly string[]): Promise<Running>
  /** The same with variables of its own. */
  serveIn(environment: Record<string, string>): Promise<Running>
  /** Imports and gives the secrets of the agent keys that were new. */
  importAll(...parts: readonly object[]): Promise<string[]>
  ingestKey(): Promise<string>
}

export interface Choice {
  /** The URL of a PostgreSQL database; otherwise everything is stored in the data directory. */
  readonly databaseUrl?: string
  /** The executable of another commit. */
  readonly executable?: string
}

export function newInstallation({ databaseUrl, executable = PRODUCT }: Choice = {}): Installation {
  const folder = temporaryFolder()
  const data = join(folder.path, "data")
  const place = ["--data", data, ...(databaseUrl === undefined ? [] : ["--database-url", databaseUrl])]
  const command = (...words: readonly string[]) => runProgram([executable, ...words, ...place])
  const serving = [executable, "serve", "--port", "0", ...place, ...RAISED]
  return {
    data,
    command,
    serve: (...options) => startServer([...serving, ...options]),
    serveIn: (environment) => startServer(serving, environment),
    async importAll(...parts) {
      const file = join(folder.path, "import.json")
      await Bun.write(file, JSON.stringify(Object.assign({}, ...parts)))
      const printed: { agent_keys?: { key?: string }[] } = JSON.parse(await command("import", file, "--json"))
      return (printed.agent_keys ?? []).flatMap(({ key }) => key ?? [])
    },
    async ingestKey() {
      return JSON.parse(await command("key", "create", "--org", SELLER, "--label", "bench", "--json")).key
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
