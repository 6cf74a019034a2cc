import type { Command } from "commander"
import { SETTINGS } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, settled, withSettings } from "../context.ts"
import { explained } from "../help.ts"
import { print, printJson } from "../io.ts"
import { readAnswer } from "../report/server.ts"

const TIMEOUT_MS = 3_000

// For container health checks: the image has no other program that could ask the server.
export function healthCommand(program: Command, context: CliContext): void {
  const health = program
    .command("health", { hidden: true })
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

export function versionCommand(program: Command, context: CliContext): void {
  const version = program
    .command("version")
    .summary("print the versions of the program and its parts")
    .description("print the versions of the program and of its parts")
    .option("--json", "print JSON")
    .action(async (options: { json?: boolean }) => {
      const versions = await context.versions()
      const lines = Object.entries(versions).map(([name, version]) => `${name} ${version}\n`)
      print(context.io, options, versions, lines.join(""))
    })
  explained(version, { examples: [["version --json"]] })
}

export function openapiCommand(program: Command, context: CliContext): void {
  const openapi = withSettings(program.command("openapi", { hidden: true }), "limitIngest", "publicUrl")
    .description("print the OpenAPI 3.1 document of the ingest API")
    .option("--json", "accepted; the document is always JSON")
    .action(async (options: object) => printJson(context.io, await context.openapi(settled(context, options).config)))
  explained(openapi, { examples: [["openapi --public-url https://ads.example.com > openapi.json"]] })
}
