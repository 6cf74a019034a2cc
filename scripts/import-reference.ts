import type { TObject, TSchema } from "@sinclair/typebox"
import {
  ImportedAgentKey,
  ImportedCampaign,
  ImportedLine,
  ImportedOrganization,
  ImportedUser,
  ImportFile,
} from "../src/domain/import/import-file.ts"

// docs/import-file.md is made from the schemas that the import itself uses: bun scripts/import-reference.ts writes it, and a test
// compares.

export const REFERENCE = "docs/import-file.md"

/** The whole page. */
export function importReference(): string {
  const openings = ImportedAgentKey.properties.opened.items
  return `# The import file

\`adbooth import FILE.json\` reads such a file, \`adbooth export\` writes one, and \`adbooth import --schema\` prints its JSON Schema. [The first hour](first-hour.md) has a short one. This page is made from the program (\`scripts/import-reference.ts\`).

- All or nothing: problems are listed with their places, and nothing is changed. An entry that is malformed is checked for that alone: what it contradicts is found once it is well-formed.
- Importing again updates: slugs, IDs, e-mail addresses and labels say what is what.

${section("The file", ImportFile)}
${section("`organizations`", ImportedOrganization)}
${section("`users`", ImportedUser)}
${section("`campaigns`", ImportedCampaign)}
${section("`campaigns[].lines`", ImportedLine)}
${section("`agent_keys`", ImportedAgentKey)}
${section("`agent_keys[].opened`", openings)}
## \`products\` and \`formats\`

Objects as AdCP 3.1 defines them: [operators.md](operators.md).

- A product needs \`product_id\`, \`name\`, \`description\`, \`publisher_properties\`, \`delivery_type\`, \`pricing_options\`, \`reporting_capabilities\`, and \`format_ids\` or \`format_options\`.
- A format needs \`format_id\` and \`name\`.
`
}

function section(title: string, schema: TObject): string {
  const rows = Object.entries(schema.properties).map(
    ([name, field]) => `- \`${name}\` (${kindOf(field)}${needed(schema, name)}): ${field["description"] ?? ""}`,
  )
  return `## ${title}

${schema.description ?? ""}

${rows.join("\n")}
`
}

const needed = ({ required = [] }: TObject, name: string) => (required.includes(name) ? ", required" : "")

function kindOf(schema: TSchema): string {
  const choices = (schema["anyOf"] ?? []) as TSchema[]
  if (choices.length > 0)
    return choices.map((one) => one["const"] ?? (one["type"] === "null" ? "null" : kindOf(one))).join(", ")
  if (schema["type"] === "array") return `list of ${kindOf(schema["items"] as TSchema)}s`
  return schema["type"] === "boolean" ? "true, false" : String(schema["type"] ?? "object")
}

if (import.meta.main) await Bun.write(REFERENCE, importReference())
