import type { Command } from "commander"
import { type Origin, SETTINGS, type SettingName } from "../../../config.ts"
import { type CliContext, type CommonOptions, settled, withSettings } from "../context.ts"
import { explained } from "../help/help.ts"
import { printJson } from "../io.ts"
import { printTable } from "../output/print-list.ts"
import type { Column } from "../output/table.ts"

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
      const { texts, origins, variables, warnings } = settled(context, options)
      const names = Object.keys(SETTINGS) as SettingName[]
      const rows = names.map((name) => ({
        name: SETTINGS[name].option,
        value: texts[name],
        from: origins[name],
        environment: variables[name],
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
