import type { Command } from "commander"
import { COMPRESSIONS, type Compression } from "../../../domain/backup.ts"
import { type CliContext, type CommonOptions, settled, withData } from "../context.ts"
import { printJson } from "../io.ts"
import { UsageError } from "../usage-error.ts"

interface BackupOptions extends CommonOptions {
  readonly compress?: string | true
}

export function backupCommand(program: Command, context: CliContext): void {
  withData(program.command("backup"))
    .description("copy the database, also from a running server; the copy is opened, checked and counted")
    .argument("<FILE>", "where the copy goes; a file that is there is replaced once the new copy is good")
    .option("--compress [KIND]", "compress the copy: gzip or zstd (zstd unless said)")
    .action(async (file: string, options: BackupOptions) => {
      const { config } = settled(context, options)
      const made = await context.backUp(config.data, file, readCompression(options.compress))
      const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0)
      if (options.json)
        printJson(context.io, { file: made.file, bytes: made.bytes, schema: made.schemaVersion, rows: made.rows })
      else context.io.out(`${made.file}: ${made.bytes} bytes, ${rows} rows, checked\n`)
    })
}

function readCompression(given: string | true | undefined): Compression {
  if (given === undefined) return "none"
  if (given === true) return "zstd"
  const known = COMPRESSIONS.find((one) => one === given)
  if (known === undefined)
    throw new UsageError(`--compress must be one of ${COMPRESSIONS.join(", ")}; it is "${given}".`)
  return known
}
