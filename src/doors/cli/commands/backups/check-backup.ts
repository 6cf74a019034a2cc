import type { Command } from "commander"
import type { CliContext, CommonOptions } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { print } from "../../io.ts"
import { namedFile } from "../../named-file.ts"

export function checkBackupCommand(program: Command, context: CliContext): void {
  const check = program
    .command("check-backup")
    .description("check that a backup is complete and can be restored, without restoring it")
    .argument("<FILE>", "a backup, compressed or not")
    .option("--json", "print JSON")
    .action(async (file: string, options: CommonOptions) => {
      const { rows, schemaVersion } = await context.checkBackup(namedFile("FILE", file))
      const count = Object.values(rows).reduce((sum, one) => sum + one, 0)
      const json = { file, schema: schemaVersion, rows }
      print(context.io, options, json, `${file}: sound, ${count} rows, schema ${schemaVersion}\n`)
    })
  explained(check, {
    notes: ["A copy is made beside the backup for the time of the check, so there must be room for it."],
    examples: [["check-backup adbooth-2026-11-15.db.zst"]],
  })
}
