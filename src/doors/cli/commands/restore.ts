import type { Command } from "commander"
import { type CliContext, type CommonOptions, settled, withData } from "../context.ts"
import { printJson } from "../io.ts"

interface RestoreCommandOptions extends CommonOptions {
  readonly force?: boolean
}

export function restoreCommand(program: Command, context: CliContext): void {
  withData(program.command("restore"))
    .description("put a backup in the place of the database, after checking it; also while a server runs")
    .argument("<FILE>", "a copy that backup made, compressed or not; - for standard input")
    .option("--force", "restore although there is data; it is kept aside")
    .addHelpText(
      "after",
      "\nKeys that were revoked after the backup stay revoked, everybody signs in again, and people who were removed are back. Reports after the" +
        "\nbackup are in the database that is kept aside.",
    )
    .action(async (file: string, options: RestoreCommandOptions) => {
      const { config } = settled(context, options)
      const how = { force: options.force ?? false, input: file === "-" ? context.io.inputStream() : undefined }
      const { rows, schemaVersion, aside } = await context.restore(config.data, file, how)
      if (options.json) printJson(context.io, { restored: file, schema: schemaVersion, rows, aside })
      else {
        const count = Object.values(rows).reduce((sum, one) => sum + one, 0)
        context.io.out(`restored ${count} rows from ${file === "-" ? "standard input" : file}\n`)
        if (aside !== null) context.io.out(`what was there is kept in ${aside}\n`)
      }
    })
}
