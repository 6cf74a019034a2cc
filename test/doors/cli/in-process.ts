import type { CliContext } from "../../../src/doors/cli/context.ts"
import { run } from "../../../src/doors/cli/index.ts"

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
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
  /** Ends a request that takes too long. */
  readonly deadline?: (seconds: number) => AbortSignal
  /** Asks the command to stop. */
  readonly stop?: AbortSignal
  /** Makes standard error a terminal, which is told each line that is drawn on it. */
  readonly drawLine?: (text: string) => void
}

/** Runs a command that needs no store in this very process, so that the test owns its time. */
export async function runCommand(args: readonly string[], wishes: RunWishes = {}): Promise<Ran> {
  let out = ""
  let err = ""
  const waits: number[] = []
  const context: Partial<CliContext> = {
    io: {
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += text
      },
      outStyled: (text) => {
        out += text
      },
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
    databaseUserError: () => null,
    clock: wishes.clock ?? (() => Date.now() * 1_000),
    async wait(seconds) {
      waits.push(seconds)
      await wishes.wait?.(seconds)
    },
    deadline: wishes.deadline ?? (() => new AbortController().signal),
    stopSignal: () => wishes.stop ?? new AbortController().signal,
  }
  const code = await run(args, context as CliContext)
  return { code, out, err, waits }
}
