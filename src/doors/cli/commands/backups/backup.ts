import type { Command } from "commander"
import { COMPRESSIONS, type Compression } from "../../../../domain/operations/backup.ts"
import { type CliContext, type CommonOptions, settled, withData } from "../../context.ts"
import { explained } from "../../help/help.ts"
import { printJson } from "../../io.ts"
import { namedFile } from "../../named-file.ts"
import { UsageError } from "../../usage-error.ts"

interface BackupOptions extends CommonOptions {
  readonly compress?: Compression | true
}

export function backupCommand(program: Command, context: CliContext): void {
  const backup = withData(program.command("backup"))
    .summary("make a verified backup, also while the server runs")
    .description("make a verified backup of the database, also while the server runs")
    .argument(
      "<FILE>",
      "where to write it; an existing file is replaced once the backup is verified; - for standard output",
    )
    .option("--compress [KIND]", "compress it: gzip or zstd (default: zstd)", readCompression)
    .action(async (file: string, options: BackupOptions) => {
      const { config } = settled(context, options)
      const { io } = context
      const toOutput = namedFile("FILE", file) === "-"
      if (toOutput) refuseOutput(context, options)
      const compression = options.compress === true ? "zstd" : (options.compress ?? "none")
      const made = await context.backUp(config, toOutput ? io.out : file, compression)
      const rows = Object.values(made.rows).reduce((sum, count) => sum + count, 0)
      if (options.json)
        printJson(io, { file: made.file, bytes: made.bytes, schema: made.schemaVersion, rows: made.rows })
      else if (toOutput)
        io.err(`${made.bytes.toLocaleString("en")} bytes, ${rows.toLocaleString("en")} rows, checked\n`)
      else
        io.out(`${made.file}: ${made.bytes.toLocaleString("en")} bytes, ${rows.toLocaleString("en")} rows, checked\n`)
    })
  explained(backup, {
    examples: [
      ["backup adbooth.db.zst --compress"],
      ["backup - --compress | ssh elsewhere 'cat > adbooth.db.zst'", "to another machine"],
    ],
  })
}

function refuseOutput({ io }: CliContext, { json }: BackupOptions): void {
  if (json) throw new UsageError("With - the backup itself goes to standard output, so --json cannot be used.")
  if (io.outIsTerminal)
    throw new UsageError("A backup cannot be written to a terminal. Redirect it: adbooth backup - > FILE.")
}

function readCompression(given: string): Compression {
  const known = COMPRESSIONS.find((one) => one === given)
  if (known !== undefined) return known
  throw new UsageError(
    `--compress must be one of ${COMPRESSIONS.join(", ")}; it is "${given}". If this is the file, put FILE before --compress.`,
  )
}
