import type { Command } from "commander"
import { SETTINGS } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, settled } from "../context.ts"
import { explained } from "../help/help.ts"
import { readAnswer } from "../read-answer.ts"

const TIMEOUT_MS = 3_000

// For container health checks: the image has no other program that could ask the server.
export function healthCommand(program: Command, context: CliContext): void {
  const health = program
    .command("health")
    .summary("check that the server is ready, for containers")
    .description("check whether the server on this machine is ready; for container health checks")
    .option("--port <PORT>", `port of the server (default: ${SETTINGS.port.fallback})`)
    .action(async (options: object) => {
      const { config } = settled(context, options)
      const url = `http://127.0.0.1:${config.port}/readyz`
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: Error) => {
        throw new UserError(`No server answers at ${url}.`, { cause })
      })
      if (!response.ok)
        throw new UserError(
          `The server is not ready: ${new TextDecoder().decode((await readAnswer(response)) ?? undefined)}`,
        )
      context.io.out("ready\n")
    })
  explained(health, { examples: [["health --port 3000"]] })
}
