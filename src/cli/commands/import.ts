import type { Command } from "commander"
import { type ParseError, parse } from "jsonc-parser"
import type { Context } from "../../actions/context.ts"
import type { ImportedKey } from "../../actions/import/catalogue.ts"
import { type Imported, importFile } from "../../actions/import/import-file.ts"
import { UserError } from "../../domain/errors.ts"
import { ImportFileSchema } from "../../domain/import-file.ts"
import { examples, onData, type Program, readNamed, UsageError, withData } from "../context.ts"
import { printJson, printText, write } from "../print.ts"

const PROBLEMS_SHOWN = 100

interface ImportOptions {
  readonly schema?: true
  readonly json?: true
}

/** Adds `adbooth import`. */
export function registerImport(root: Command, program: Program): void {
  onData(root.command("import"))
    .argument("[file.json]", "file to read; - for standard input")
    .summary("import organizations, campaigns, products, people and buyer keys")
    .description(
      "Import organizations, users, campaigns, formats, products and buyer keys from a file. Either all of it is " +
        "written, or nothing. Slugs and IDs identify entries, so importing a file again updates them. Everything else stays as it is.",
    )
    .option("--schema", "print the JSON Schema of import files instead, for editors")
    .addHelpText(
      "after",
      examples(
        "import catalog.json",
        "export --data ./old | adbooth import - --data ./new",
        "import --schema > adbooth-import.schema.json",
      ),
    )
    .action(async (file: string | undefined, options: ImportOptions) => {
      if (options.schema) return write(`${JSON.stringify(ImportFileSchema)}\n`)
      if (file === undefined) throw new UsageError("Name the file to import, or - for standard input.")
      await runImport(program, file, options)
    })
}

async function runImport(program: Program, file: string, { json, ...given }: ImportOptions): Promise<void> {
  const value = await readJson(file)
  const work = (context: Context) => importFile(context, "command", value)
  const { imported, problems = [] } = await withData(program, given, work, { mayCreate: true })
  if (imported !== undefined) return json ? printJson(asJson(imported)) : printText(inWords(imported))
  const places = problems.map(({ pointer, message }) => ({ place: pointer || "/", message }))
  if (json) await printJson({ imported: false, problems: places })
  throw new UserError(refusal(file, places))
}

function refusal(file: string, problems: readonly { readonly place: string; readonly message: string }[]): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`
  const shown = problems.slice(0, PROBLEMS_SHOWN).map(({ place, message }) => `  ${place}: ${sentence(message)}`)
  const rest = problems.length - shown.length
  const more = rest > 0 ? [`  … and ${rest} more.`] : []
  return [`${file} wasn't imported: ${count}. Nothing was changed.`, ...shown, ...more].join("\n")
}

const sentence = (message: string): string => (/[.?!]$/.test(message) ? message : `${message}.`)

function asJson({ buyerKeys, ...counts }: Imported): unknown {
  return { imported: true, ...counts, agent_keys: buyerKeys }
}

function inWords({ buyerKeys, ...counts }: Imported): string {
  const lines = Object.entries(counts).flatMap(([name, { created, updated }]) =>
    created + updated === 0 ? [] : [`${name}: ${created} new, ${updated} updated`],
  )
  const created = buyerKeys.filter(({ key }) => key !== undefined)
  if (buyerKeys.length > 0)
    lines.push(`buyer keys: ${created.length} new, ${buyerKeys.length - created.length} updated`)
  lines.push(...created.map(({ label, key }: ImportedKey) => `  ${label}: ${key}`))
  if (created.length > 0) lines.push("Copy new keys now; they won't be shown again. Send each to its buyer.")
  if (counts.users.created > 0) lines.push('New users set their password with a link: "adbooth user link EMAIL".')
  return lines.length === 0 ? "The file is empty. Nothing was imported." : lines.join("\n")
}

async function readJson(file: string): Promise<unknown> {
  const text = decode(await readNamed(file), file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${file} isn't valid JSON: ${placeOfError(text)}. Nothing was changed.`, { cause })
  }
}

/** A lenient decoder would import names with missing letters from a file in another encoding. */
function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UserError(`${file} isn't UTF-8. Save it in that encoding. Nothing was changed.`, { cause })
  }
}

/** Finds the first syntax error, because the message of JSON.parse doesn't locate it. */
function placeOfError(text: string): string {
  const errors: ParseError[] = []
  parse(text, errors, { disallowComments: true })
  const [{ offset } = { offset: text.length }] = errors
  if (offset >= text.length) return "it ends too early"
  const lines = text.slice(0, offset).split("\n")
  return `there is an error in line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`
}
