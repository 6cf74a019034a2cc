import { exportCatalogue } from "../../../actions/catalogue/export-catalogue.ts"
import { namedFile, UsageError } from "../arguments.ts"
import { type Answer, command, DATA, says } from "../command.ts"
import { type CliContext, type CommonOptions, onStore, settingsForData } from "../context.ts"
import { printJson } from "../io.ts"
import { saveAs } from "../write-fully.ts"

const ABOUT = "print the catalogue as a file for import, without secrets; or save everything that is stored"
export const exportCommand = command("export", ABOUT, {
  summary: "print what is stored, or save everything as JSON",
  options: { "--all <FILE.jsonl>": "save everything as JSON, one object on each line; - for standard output" },
  settings: DATA,
  notes: [
    "--all holds everything that a backup does, in a form that other programs can read: figures with their history, keys and passwords as hashes, two-factor secrets. Keep it as safe as a backup. adbooth backup restore makes the same installation from it.",
  ],
  examples: [
    ["export > catalogue.json", "for import into another installation"],
    ["export --all everything.jsonl", "everything as JSON"],
    ["export --all - | zstd > everything.jsonl.zst"],
  ],
  async run({ cli, options }) {
    if (options.all !== undefined) return saveAll(cli, options, options.all)
    const catalogue = await onStore(cli, options, exportCatalogue)
    return (io) => printJson(io, catalogue)
  },
})

async function saveAll(context: CliContext, options: CommonOptions, file: string): Promise<Answer | undefined> {
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
