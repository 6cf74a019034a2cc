import type { Command } from "commander"
import { exportFile } from "../../actions/import/export-file.ts"
import { exportEverything, exportTables } from "../../actions/operations/export.ts"
import { examples, onData, type Program, UsageError, withData } from "../context.ts"
import { explained, printJson, printText } from "../print.ts"

interface ExportOptions {
  readonly all?: true
  readonly csv?: string
  readonly json?: true
}

/** Adds `adbooth export`. */
export function registerExport(root: Command, program: Program): void {
  onData(root.command("export"))
    .summary("print the catalog, or save everything as JSON or CSV")
    .description(
      "Print organizations, users, campaigns, formats, products and buyer keys as a file for import. " +
        "--all and --csv export everything that is stored. Exports never contain secrets.",
    )
    .option("--all", "print everything as JSON, one object on each line")
    .option("--csv <dir>", "save everything as CSV, one file for each table")
    .addHelpText("after", examples("export > catalog.json", "export --csv ./adbooth-csv", "export --all > all.jsonl"))
    .action(async (options: ExportOptions) => {
      const { all, csv, json } = options
      if (all && csv !== undefined) throw new UsageError("Give --all or --csv, not both.")
      await withData(program, { ...options }, async (context) => {
        if (csv !== undefined) {
          const files = await exportTables(context, csv)
          return json ? printJson({ folder: csv, files }) : printText(`${csv}: ${files.length} files`)
        }
        if (!all) return printJson(await exportFile(context))
        await exportEverything(context, process.stdout).catch((cause) => Promise.reject(explained(cause)))
      })
    })
}
