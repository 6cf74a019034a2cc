import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { adbooth, BINARY } from "../../test/binary.ts"
import { EXAMPLE_FILE } from "../../test/doors/cli/example-file.ts"

const UNLIMITED = ["--limit-ingest", "1000000", "--limit-agent-anonymous", "1000000", "--limit-agent-keyed", "1000000"]

/** A data directory with something to sell in it, and the keys to it. */
export interface Booth {
  readonly data: string
  readonly packageIds: readonly string[]
  readonly ingestKey: string
  readonly agentKey: string
}

export interface Furnishing {
  readonly lines: number
  /** Where another database than the data directory's is named. */
  readonly env?: Readonly<Record<string, string>>
  /** Another path of the executable. */
  readonly program?: string
}

/** Fills a data directory through the command line, as an operator would. */
export async function furnish(data: string, { lines, ...how }: Furnishing): Promise<Booth> {
  const packageIds = Array.from({ length: lines }, (_, i) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`)
  const campaign = {
    slug: "torture",
    name: "Torture",
    buyer: "brand-co",
    lines: packageIds.map((package_id, i) => ({
      package_id,
      seller: "acme-audio",
      name: `Line ${i}`,
      pricing_basis: "impressions",
      flight_start: "2020-01-01",
    })),
  }
  // In the words of every version.
  const agent_keys = EXAMPLE_FILE.agent_keys.map(({ buyer: _, ...key }) => key)
  const file = { ...EXAMPLE_FILE, agent_keys, campaigns: [...EXAMPLE_FILE.campaigns, campaign] }
  const imported = await must(["import", "-", "--data", data, "--json"], { input: JSON.stringify(file), ...how })
  const made = JSON.parse(imported) as { agent_keys: { key: string }[] }
  const { key } = await createKey(data, how)
  return { data, packageIds, ingestKey: key, agentKey: made.agent_keys[0]?.key ?? "" }
}

/** A new ingest key of the seller. */
export async function createKey(data: string, how: Given = {}): Promise<{ readonly id: string; readonly key: string }> {
  const command = ["key", "create", "--org", "acme-audio", "--label", "Feed", "--data", data, "--json"]
  return JSON.parse(await must(command, how)) as { id: string; key: string }
}

export interface Given {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly program?: string
}

/** Runs a command of the executable that has to succeed. */
export async function must(args: readonly string[], how: Given = {}): Promise<string> {
  const { code, out, err } = await adbooth(args, how)
  if (code !== 0) throw new Error(`adbooth ${args[0]} ended with ${code}: ${err}`)
  return out
}

export interface Server extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Everything that it wrote to standard error so far. */
  log(): string
  signal(signal: NodeJS.Signals): void
  /** The exit code, once it has ended. */
  readonly ended: Promise<number>
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number>
}

export interface ServeOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Another path of the executable. */
  readonly program?: string
  /** Put before the program: a wrapper such as faketime. */
  readonly wrapper?: readonly string[]
  /** Where its log goes; beside the data unless given. */
  readonly logs?: string
}

/** Starts the executable on a booth, without limits of rate, and waits until it listens. Its log goes to a file. */
export async function serve(data: string, options: ServeOptions = {}): Promise<Server> {
  const { args = [], env = {}, wrapper = [], program = BINARY, logs = join(data, "..") } = options
  const logFile = join(logs, `serve-${crypto.randomUUID()}.log`)
  const log = openSync(logFile, "a")
  const child = Bun.spawn([...wrapper, program, "serve", "--port", "0", "--data", data, ...UNLIMITED, ...args], {
    stdio: ["ignore", "pipe", log],
    env: { PATH: process.env["PATH"] ?? "", ...env },
  })
  closeSync(log)
  const url = await listening(child.stdout, logFile)
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return child.exited
  }
  return {
    url,
    pid: child.pid,
    log: () => readFileSync(logFile, "utf8"),
    signal: (signal) => child.kill(signal),
    ended: child.exited,
    end,
    [Symbol.asyncDispose]: async () => void (await end("SIGKILL")),
  }
}

async function listening(stdout: ReadableStream<Uint8Array>, logFile: string): Promise<string> {
  let text = ""
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk)
    const found = /^listening on (http:\S+)$/m.exec(text)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`the server ended before it listened: ${text}${readFileSync(logFile, "utf8").slice(-2_000)}`)
}
