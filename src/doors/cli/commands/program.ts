import type { Command } from "commander"
import { type Origin, SETTINGS, type SettingName } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { type CliContext, type CommonOptions, settled, withSettings } from "../context.ts"
import { explained } from "../help.ts"
import { print, printJson } from "../io.ts"
import type { Column } from "../output/table.ts"
import { printTable } from "../output/table.ts"
import { readAnswer } from "../report/server.ts"

interface Row {
  readonly name: string
  readonly value: string | null
  readonly from: Origin
  readonly environment: string
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "SETTING", text: ({ name }) => name },
  { title: "VALUE", text: ({ value }) => value || "-", shrinks: true },
  { title: "FROM", text: ({ from }) => from, colour: ({ from }) => (from === "default" ? "dim" : "green") },
  { title: "ENVIRONMENT", text: ({ environment }) => environment, optional: 1 },
]

export function configCommand(program: Command, context: CliContext): void {
  const config = program
    .command("config")
    .summary("show settings, and where each comes from")
    .description("show the settings that a server started here would have, and where each comes from")
    .option("--json", "print JSON")
    .action((options: CommonOptions) => {
      const { settings, warnings } = settled(context, options)
      const rows = Object.entries(settings).map(([name, { text, from, variable }]) => ({
        name: SETTINGS[name as SettingName].option,
        value: text,
        from,
        environment: variable,
      }))
      for (const warning of warnings) context.io.err(`${warning}\n`)
      if (options.json) return printJson(context.io, Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest])))
      printTable(context.io, rows, COLUMNS)
      if (!context.io.outIsTerminal) return
      context.io.err(
        'These hold for what is started here: options, then this environment, then defaults. A server that runs keeps what it was started with: "adbooth doctor" names it.\n',
      )
    })
  withSettings(config)
  for (const option of config.options) option.hideHelp(option.long !== "--json")
  explained(config, {
    notes: ["Options of adbooth serve can be given as well, to see what they would change."],
    examples: [["config"], ["config --json | jq -r '.data.value'"]],
  })
}

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
  const openapi = withSettings(program.command("openapi"), "limitIngest", "maxBody", "publicUrl")
    .summary("print the OpenAPI document of the ingest API")
    .description("print the OpenAPI 3.1 document of the ingest API")
    .option("--json", "accepted; the document is always JSON")
    .action(async (options: object) => printJson(context.io, await context.openapi(settled(context, options).config)))
  explained(openapi, { examples: [["openapi --public-url https://ads.example.com > openapi.json"]] })
}
