import { stat } from "node:fs/promises"
import type { CliContext } from "../../../src/doors/cli/context.ts"
import { run } from "../../../src/doors/cli/index.ts"
import { storedBackups } from "../../../src/jobs/bucket-in-force.ts"
import { versions } from "../../../src/server/versions.ts"
import * as storage from "../../../src/storage/open.ts"
import { adbooth as executable, type Finished } from "../../binary.ts"

export interface Ran extends Finished {
  /** How long it waited, in seconds, each time. */
  readonly waits: readonly number[]
}

export interface RunWishes {
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
  /** What happens while the command waits. */
  readonly wait?: (seconds: number) => void | Promise<void>
  /** In microseconds; the real time unless given. */
  readonly clock?: () => number
  /** The service of this machine; there is none unless given. */
  readonly installed?: ReturnType<CliContext["installed"]>
  /** Ends a request that takes too long. */
  readonly deadline?: (seconds: number) => AbortSignal
  /** Asks the command to stop. */
  readonly stop?: AbortSignal
  /** Makes standard error a terminal, which is told each line that is drawn on it. */
  readonly drawLine?: (text: string) => void
}

const realClock = () => Date.now() * 1_000
const stamp = () => new Date().toISOString().replaceAll(":", "")

const openStore: CliContext["openStore"] = async (place, how) =>
  (await storage.openStore(place, { ...how, stamp: stamp() })).store

const OF_THE_EXECUTABLE = ["serve"]

/** What main.ts provides, but for the streams, the time and what only the executable does. */
const parts: Omit<
  CliContext,
  "io" | "environment" | "installed" | "clock" | "wait" | "deadline" | "stopSignal" | "serve"
> = {
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
  ...storage,
  openStore,
  diskFreeBytes: async () => 10 ** 12,
  modeOf: async (path) => (path === null ? null : (await stat(path)).mode & 0o777),
  checkBackup: (file) => storage.checkBackup(file, stamp()),
  restore: (place, file, how) => storage.restore(place, file, { ...how, stamp: stamp() }),
  backups: storedBackups(openStore),
  rollback: (place, how) => storage.rollback(place, { ...how, stamp: stamp() }),
  versions,
}

const ofTheExecutable = () => Promise.reject(new Error("only the executable does this"))

/** Runs a command as the executable would, in a tenth of the time that it needs to start. */
export async function adbooth(
  args: readonly string[],
  { input, env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Finished> {
  if (OF_THE_EXECUTABLE.includes(args[0] ?? "")) return executable(args, { env, ...(input !== undefined && { input }) })
  const { code, out, err } = await runCommand(args, { environment: env, ...(input !== undefined && { input }) })
  return { code, out, err }
}

/** Runs a command in this very process, so that the test owns its time. */
export async function runCommand(args: readonly string[], wishes: RunWishes = {}): Promise<Ran> {
  const out: Uint8Array[] = []
  let err = ""
  const waits: number[] = []
  const context: CliContext = {
    ...parts,
    serve: ofTheExecutable,
    io: {
      out: (content) => void out.push(Buffer.from(content)),
      err: (text) => {
        err += text
      },
      outStyled: (text) => void out.push(Buffer.from(text)),
      outHasColours: false,
      errHasColours: false,
      columns: () => null,
      isTerminal: wishes.drawLine !== undefined,
      outIsTerminal: false,
      outIsClosed: false,
      drawLine: (text) => wishes.drawLine?.(text),
      ask: async () => null,
      readInput: async () => wishes.input ?? "",
      inputStream: () => new Blob([wishes.input ?? ""]).stream(),
    },
    environment: wishes.environment ?? {},
    installed: () => wishes.installed ?? null,
    clock: wishes.clock ?? realClock,
    async wait(seconds) {
      waits.push(seconds)
      await wishes.wait?.(seconds)
    },
    deadline: wishes.deadline ?? (() => new AbortController().signal),
    stopSignal: () => wishes.stop ?? new AbortController().signal,
  }
  const code = await run(args, context)
  return { code, out: Buffer.concat(out).toString(), err, waits }
}
