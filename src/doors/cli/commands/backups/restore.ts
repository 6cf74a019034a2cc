import type { Command } from "commander"
import { type CliContext, type CommonOptions, settled, withData, withSettings } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { print } from "../../io.ts"

interface RestoreCommandOptions extends CommonOptions {
  readonly force?: boolean
}

export function restoreCommand(program: Command, context: CliContext): void {
  const restore = withSettings(withData(program.command("restore")), "backupDir")
    .summary("replace the database with a verified backup")
    .description("replace the database with a backup, once it is verified; also while the server runs")
    .argument("<FILE>", "a backup or an export --all, compressed or not; - for standard input")
    .option("--force", "replace existing data, which is kept in another file (with PostgreSQL: in --backup-dir)")
    .action(async (file: string, options: RestoreCommandOptions) => {
      const { config } = settled(context, options)
      const how = { force: options.force ?? false, input: file === "-" ? context.io.inputStream() : undefined }
      const { rows, schemaVersion, aside } = await context.restore(config, file, how)
      const count = Object.values(rows).reduce((sum, one) => sum + one, 0)
      const from = file === "-" ? "standard input" : file
      const kept = aside === null ? "" : `The previous database is kept in ${aside}\n`
      const json = { restored: file, schema: schemaVersion, rows, aside }
      print(context.io, options, json, `Restored ${count.toLocaleString("en")} rows from ${from}.\n${kept}`)
    })
  explained(restore, {
    notes: [
      "Keys revoked after the backup stay revoked. Everybody has to sign in again. Users removed after the backup are back. Reports received after the backup are in the previous database, which is kept.",
    ],
    examples: [
      ["restore adbooth.db.zst --data ./new", "into an empty place"],
      ["restore adbooth.db.zst --force", "replace what is there, and keep it in another file"],
    ],
  })
}
