import type { Command } from "commander"
import { SETTINGS, type SettingName } from "../../../config.ts"
import { type CliContext, type CommonOptions, settled, withSettings } from "../context.ts"
import { print, table } from "../io.ts"

export function configCommand(program: Command, context: CliContext): void {
  withSettings(program.command("config"))
    .description("show the settings in force, and where each comes from")
    .option("--json", "print JSON")
    .action((options: CommonOptions) => {
      const { texts, origins, variables } = settled(context, options)
      const names = Object.keys(SETTINGS) as SettingName[]
      const rows = names.map((name) => ({
        name: SETTINGS[name].option,
        value: texts[name],
        from: origins[name],
        environment: variables[name],
      }))
      const json = Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest]))
      const cells = rows.map(({ name, value, from, environment }) => [name, value || "-", from, environment])
      print(context.io, options, json, table(["SETTING", "VALUE", "FROM", "ENVIRONMENT"], cells))
    })
}
