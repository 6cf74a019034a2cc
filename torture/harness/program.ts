import { resolve } from "node:path"

/** The executable that is tortured. */
export const PROGRAM = process.env["ADBOOTH_TEST_EXECUTABLE"] ?? resolve(import.meta.dir, "../../dist/adbooth")

const UNLIMITED = ["--limit-ingest", "1000000", "--limit-agent-anonymous", "1000000", "--limit-agent-keyed", "1000000"]

export interface CommandResult {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** Runs a command to its end, whatever comes of it. */
export async function tryCommand(args: readonly string[], input = ""): Promise<CommandResult> {
  const child = Bun.spawn([PROGRAM, ...args], { stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" })
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, output, errors }
}

/** Runs a command that must succeed, and returns what it printed. */
export async function command(args: readonly string[], input = ""): Promise<string> {
  const { code, output, errors } = await tryCommand(args, input)
  if (code !== 0) throw new Error(`adbooth ${args[0]} ended with ${code}: ${errors}`)
  return output
}

export interface Server extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** What it wrote to standard error. */
  readonly log: () => string
  /** The exit code, once it has ended. */
  readonly exited: Promise<number>
  /** Sends the signal and waits for the exit code. */
  end(signal: NodeJS.Signals): Promise<number>
}

export interface ServeOptions {
  /** More options. They count instead of those that take the limits away. */
  readonly options?: readonly string[]
  /** Another program that starts this one: ["strace", "-D"]. */
  readonly wrapper?: readonly string[]
}

/** Starts a server and waits until it listens. Throws what it wrote if it ends before. */
export async function serve(place: readonly string[], { options = [], wrapper = [] }: ServeOptions = {}) {
  const limits = options.some((option) => option.startsWith("--limit-")) ? [] : UNLIMITED
  const args = ["serve", "--port", "0", ...place, ...limits, ...options]
  const child = Bun.spawn([...wrapper, PROGRAM, ...args], { stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const log = collect(child.stderr)
  const output = collect(child.stdout)
  const isOver = child.exited.then(() => true)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return child.exited
  }
  for (;;) {
    const url = /^listening on (\S+)$/m.exec(output())?.[1]
    const server = { pid: child.pid, log, exited: child.exited, end }
    if (url !== undefined) return { ...server, url, [Symbol.asyncDispose]: async () => void (await end("SIGKILL")) }
    if (await Promise.race([isOver, Bun.sleep(5)])) throw new Error(`The server ended before it listened: ${log()}`)
  }
}

function collect(stream: ReadableStream<Uint8Array>): () => string {
  const decoder = new TextDecoder()
  let text = ""
  const collecting = (async () => {
    for await (const bytes of stream) text += decoder.decode(bytes, { stream: true })
  })()
  collecting.catch(() => undefined)
  return () => text
}
