import type { Command } from "commander"
import { SETTINGS } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, settled } from "../context.ts"
import { readAnswer } from "../read-answer.ts"

const PATIENCE_MS = 3_000

// For containers: their image holds nothing but this program, so the program itself asks the running server.
export function healthCommand(program: Command, context: CliContext): void {
  program
    .command("health")
    .description("ask the server on this machine whether it is ready; for container health checks")
    .option("--port <PORT>", `port the server listens on (default ${SETTINGS.port.fallback})`)
    .action(async (options: object) => {
      const { config } = settled(context, options)
      const url = `http://127.0.0.1:${config.port}/readyz`
      const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch((cause: Error) => {
        throw new UserError(`No server answers at ${url}.`, { cause })
      })
      if (!response.ok)
        throw new UserError(
          `The server is not ready: ${new TextDecoder().decode((await readAnswer(response)) ?? undefined)}`,
        )
      context.io.out("ready\n")
    })
}
