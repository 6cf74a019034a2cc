import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** How to start the program: its executable, or the runtime and a file. */
export type Program = readonly string[]

// Everybody sends far more than the limits allow.
const UNLIMITED = ["--limit-ingest", "1000000", "--limit-agent-anonymous", "1000000", "--limit-agent-keyed", "1000000"]

export interface RunningServer extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly startedMs: number
}

/** Starts a server that prints where it listens. */
export async function startServer(command: readonly string[], cwd = process.cwd()): Promise<RunningServer> {
  const began = performance.now()
  const child = Bun.spawn([...command], { cwd, stdin: "ignore", stdout: "pipe", stderr: "ignore" })
  const decoder = new TextDecoder()
  const reader = child.stdout.getReader()
  let output = ""
  for (;;) {
    const url = /^listening on (\S+?)\/?$/m.exec(output)?.[1]
    if (url !== undefined) {
      return {
        url,
        pid: child.pid,
        startedMs: performance.now() - began,
        async [Symbol.asyncDispose]() {
          child.kill("SIGTERM")
          await child.exited
        },
      }
    }
    const { done, value } = await reader.read()
    if (done) throw new Error(`${command.join(" ")} ended before it listened.`)
    output += decoder.decode(value, { stream: true })
  }
}

/** A new database, with the commands of one version of the program. */
export function install(program: Program, databaseUrl?: string) {
  const folder = mkdtempSync(join(tmpdir(), "adbooth-bench-"))
  const data = join(folder, "data")
  const place = databaseUrl === undefined ? ["--data", data] : ["--data", data, "--database-url", databaseUrl]

  async function run(args: readonly string[], input = ""): Promise<string> {
    const child = Bun.spawn([...program, ...args, ...place], {
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    })
    const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    if ((await child.exited) !== 0) throw new Error(`adbooth ${args[0]} failed: ${errors}`)
    return output
  }

  return {
    folder,
    data,
    run,
    /** Imports a file, and returns the keys that it created for buyers. */
    async import(file: object): Promise<string[]> {
      const printed = await run(["import", "-", "--json"], JSON.stringify(file))
      const { agent_keys = [] } = JSON.parse(printed) as { agent_keys?: { key: string }[] }
      return agent_keys.map(({ key }) => key)
    },
    async newKey(organization: string): Promise<string> {
      const printed = await run(["key", "create", "--org", organization, "--label", "Bench", "--json"])
      return (JSON.parse(printed) as { key: string }).key
    },
    serve: () => startServer([...program, "serve", "--port", "0", ...place, ...UNLIMITED]),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Installation = ReturnType<typeof install>
