import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { temporaryFolder } from "./places.ts"

export interface Running extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

/** Starts a server and waits for its line `listening on http://HOST:PORT`. What it logs goes to a file, as it would in service. */
export async function startServer(
  command: readonly string[],
  environment: Record<string, string> = {},
): Promise<Running> {
  const folder = temporaryFolder()
  const log = Bun.file(join(folder.path, "log"))
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: log,
  })
  const url = await listeningAddress(child.stdout)
  if (url === undefined) throw new Error(`${command.join(" ")} did not listen:\n${await log.text()}`)
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM")
      await child.exited
      folder[Symbol.dispose]()
    },
  }
}

async function listeningAddress(output: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const lines = createInterface({ input: Readable.from(output) })
  const ended = once(lines, "close").then(() => undefined)
  const found = new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      const address = /listening on (http:\S+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  return Promise.race([found, ended])
}

/** Runs a program to its end and gives what it printed. */
export async function runProgram(
  command: readonly string[],
  options: { input?: string; cwd?: string; environment?: Record<string, string> } = {},
): Promise<string> {
  const child = Bun.spawn([...command], {
    stdin: new Blob([options.input ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, ...options.environment },
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const [printed, complaints, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${complaints}${printed}`)
  return printed
}

/** Resident memory of a process in MB. */
export async function residentMegabytes(pid: number): Promise<number> {
  return Number(await runProgram(["ps", "-o", "rss=", "-p", String(pid)])) / 1024
}
