import { existsSync } from "node:fs"
import { resolve } from "node:path"

/** The compiled executable, which `npm test` builds before it runs the tests. */
export const BINARY = resolve("dist/adbooth")

export const hasBinary = existsSync(BINARY)
if (!hasBinary) console.error('SKIPPED: tests of the executable need dist/adbooth; "npm run build" makes it.')

export interface Finished {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the executable to its end. */
export async function adbooth(
  args: readonly string[],
  how: { input?: string; env?: Record<string, string>; program?: string } = {},
): Promise<Finished> {
  const child = Bun.spawn([how.program ?? BINARY, ...args], {
    stdin: how.input === undefined ? "ignore" : new Blob([how.input]),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env["PATH"] ?? "", ...how.env },
  })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, out, err }
}

export interface RunningBinary extends AsyncDisposable {
  readonly url: string
  /** Sends the signal and waits for the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>
  /** The exit code, once it has ended by itself. */
  readonly ended: Promise<number>
  /** What it wrote to standard output when it listened. */
  output(): string
  /** What it wrote to standard error so far. */
  errors(): string
  readonly pid: number
}

/** Starts `adbooth serve` on a free port and waits until it says that it listens. */
export async function serveBinary(
  args: readonly string[],
  how: { env?: Record<string, string>; program?: string } = {},
): Promise<RunningBinary> {
  const child = Bun.spawn([how.program ?? BINARY, "serve", "--port", "0", ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env["PATH"] ?? "", ...how.env },
  })
  let errors = ""
  const collecting = (async () => {
    for await (const chunk of child.stderr) errors += new TextDecoder().decode(chunk)
  })()
  const { url, output } = await listeningAddress(child.stdout, () => errors)
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal)
    const code = await child.exited
    await collecting
    return code
  }
  return {
    url,
    stop,
    ended: child.exited.then((code) => collecting.then(() => code)),
    output: () => output,
    errors: () => errors,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  }
}

async function listeningAddress(stdout: ReadableStream<Uint8Array>, errors: () => string) {
  let text = ""
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk)
    const url = /^listening on (http:\S+)$/m.exec(text)?.[1]
    if (url !== undefined) return { url, output: text }
  }
  throw new Error(`the server ended before it listened: ${text}${errors()}`)
}
