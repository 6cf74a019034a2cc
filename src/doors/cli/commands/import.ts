import type { ParseError } from "jsonc-parser"
import type { ImportOutcome } from "../../../actions/catalogue/import-catalogue.ts"
import type { Context } from "../../../actions/context.ts"
import { UserError } from "../../../domain/user-error.ts"
import { readBytes } from "../../../files/read-text.ts"
import { UsageError } from "../arguments.ts"
import { command, DATA, says } from "../command.ts"
import { onStore } from "../context.ts"
import { type Io, printJson } from "../io.ts"

const PROBLEMS_SHOWN_MAX = 100

const ABOUT = "import organizations, users, campaigns, formats, products and buyers' keys; all or nothing"
export const importCommand = command("import [FILE.json]", ABOUT, {
  summary: "import campaigns, products, people and buyers' keys from a file",
  words: { "FILE.json": "the file to read; - for standard input" },
  options: { "--schema": "print the JSON Schema of such a file instead, for editors and other programs" },
  settings: DATA,
  notes: [
    "Entries are matched by slug or ID, so importing a file again updates them. Everything else stays as it is. docs/import-file.md shows every field.",
  ],
  examples: [
    ["import catalogue.json"],
    ["export --data ./old | adbooth import - --data ./new", "the catalogue of another installation"],
    ["import --schema > adbooth-import.schema.json", 'name it in the file: "$schema": "./adbooth-import.schema.json"'],
  ],
  async run({ cli, options }, file?: string) {
    // The shapes of products and formats are loaded only where they are needed.
    if (options.schema) {
      const { importSchema } = await import("../../../domain/import/import-schema.ts")
      return (io) => io.out(`${JSON.stringify(importSchema())}\n`)
    }
    if (file === undefined) throw new UsageError("FILE.json is missing.")
    const value = await readJsonFile(file, cli.io)
    const { importCatalogue } = await import("../../../actions/catalogue/import-catalogue.ts")
    const importIt = (on: Context) => importCatalogue(on, value, "command")
    const outcome = await onStore(cli, options, importIt, { create: true })
    if (outcome.ok) return says(asJson(outcome), asText(outcome))
    const problems = outcome.problems.map(({ pointer, message }) => ({ place: pointer || "/", message }))
    if (options.json) printJson(cli.io, { imported: false, problems })
    throw new UserError(refusal(file, problems))
  },
})

function refusal(file: string, problems: readonly { place: string; message: string }[]): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`
  const listed = problems.slice(0, PROBLEMS_SHOWN_MAX).map(({ place, message }) => `  ${place}: ${message}.`)
  const more = problems.length > listed.length ? [`  ... and ${problems.length - listed.length} more.`] : []
  return [`${file} was not imported: ${count}. Nothing was changed.`, ...listed, ...more].join("\n")
}

type Done = Extract<ImportOutcome, { ok: true }>

function asJson({ imported, secrets }: Done): unknown {
  const { agentKeys, ...counts } = imported
  return {
    ...counts,
    agent_keys: agentKeys.map(({ isNew, ...key }) => ({ ...key, ...(isNew && { key: secrets.get(key.label) }) })),
  }
}

function asText({ imported, secrets }: Done): string {
  const { agentKeys, ...counts } = imported
  const lines = Object.entries(counts).flatMap(([name, { created, updated }]) =>
    created + updated === 0 ? [] : [`${name}: ${created} new, ${updated} updated`],
  )
  const fresh = agentKeys.filter(({ isNew }) => isNew)
  if (agentKeys.length > 0) lines.push(`buyers' keys: ${fresh.length} new, ${agentKeys.length - fresh.length} updated`)
  for (const { label } of fresh) lines.push(`  ${label}: ${secrets.get(label)}`)
  if (fresh.length > 0) lines.push("New keys are shown only once. Send each to its buyer.")
  if (imported.users.created > 0) lines.push('New users set their password with a link: "adbooth user link EMAIL".')
  return lines.length > 0 ? lines.join("\n") : "The file is empty. Nothing was imported."
}

/** Parses a JSON file; "-" is standard input. */
async function readJsonFile(file: string, io: Io): Promise<unknown> {
  const text = decode(await read(file, io), file)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${file} is not valid JSON: the error is ${await placeOfMistake(text)}. Nothing was changed.`, {
      cause,
    })
  }
}

const read = async (file: string, io: Io): Promise<Uint8Array> =>
  file === "-" ? new Response(io.inputStream()).bytes() : readBytes(file)

// A lenient decoder would import names with missing letters from a file in another encoding.
function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UserError(`${file} is not UTF-8. Save it in that encoding. Nothing was changed.`, { cause })
  }
}

/** Line and column of the first syntax error in a text that JSON.parse refused: the runtime's message does not tell them. */
export async function placeOfMistake(text: string): Promise<string> {
  const { parse } = await import("jsonc-parser")
  const mistakes: ParseError[] = []
  parse(text, mistakes, { disallowComments: true })
  const { offset = text.length } = mistakes[0] ?? {}
  if (offset >= text.length) return "at its end, which comes too early"
  const lines = text.slice(0, offset).split("\n")
  return `in line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`
}
