import { exportCatalogue } from "../../../actions/catalogue/export-catalogue.ts"
import { namedFile, UsageError } from "../arguments.ts"
import { type CommandOutput, command, DATA, says } from "../command.ts"
import { type CliContext, type CommonOptions, onStore, settingsForData } from "../context.ts"
import { printJson } from "../io.ts"
import { saveAs } from "../write-fully.ts"

const ABOUT = "print the catalogue as a file for import, without secrets; or save everything that is stored"
export const exportCommand = command("export", ABOUT, {
  summary: "print what is stored, or save everything as CSV or JSON",
  options: {
    "--all <FILE.jsonl>": "save everything as JSON, one object on each line; - for standard output",
    "--csv <DIR>": "save what people may want as CSV, a file for each kind, without secrets",
  },
  settings: DATA,
  notes: [
    "--all holds what a backup does, except passwords of mail server, bucket and webhook, in a form that other programs can read: figures with their history, keys and passwords as hashes, two-factor secrets. Keep it as safe as a backup. adbooth backup restore makes the same installation from it.",
    "--csv is for spreadsheets and other systems. It has names instead of numbers, times in UTC, and no secrets or hashes.",
  ],
  examples: [
    ["export > catalogue.json", "for import into another installation"],
    ["export --csv ./adbooth-csv", "everything for a spreadsheet"],
    ["export --all everything.jsonl", "everything as JSON"],
    ["export --all - | zstd > everything.jsonl.zst"],
  ],
  run({ cli, options }) {
    const { all, csv } = options
    if (all !== undefined && csv !== undefined) throw new UsageError("Use either --all or --csv.")
    if (all !== undefined) return saveAll(cli, options, all)
    return csv === undefined ? printCatalogue(cli, options) : saveCsv(cli, options, csv)
  },
})

async function printCatalogue(context: CliContext, options: CommonOptions): Promise<CommandOutput> {
  const catalogue = await onStore(context, options, exportCatalogue)
  return (io) => printJson(io, catalogue)
}

async function saveAll(context: CliContext, options: CommonOptions, file: string): Promise<CommandOutput | undefined> {
  if (namedFile("--all", file) === "-" && options.json)
    throw new UsageError("With --all - the export itself goes to standard output, so --json cannot be used.")
  await using everything = await context.readEverything(settingsForData(context, options).config)
  if (file !== "-") {
    const bytes = await saveAs(file, 0o600, everything.jsonLines())
    return says({ file, bytes }, `${file}: ${bytes.toLocaleString("en")} bytes`)
  }
  for await (const text of everything.jsonLines()) context.io.out(text)
  return undefined
}

async function saveCsv(context: CliContext, options: CommonOptions, folder: string): Promise<CommandOutput> {
  await using everything = await context.readEverything(settingsForData(context, options).config)
  const { writeCsvFiles } = await import("../csv-files.ts")
  const files = await writeCsvFiles(everything, folder)
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  return says({ folder, files }, `${folder}: ${files.length} files with ${rows.toLocaleString("en")} rows`)
}
