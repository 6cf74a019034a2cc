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

const EXAMPLE = {
  organizations: [
    { slug: "acme-audio", name: "Acme Audio", time_zone: "Europe/Berlin" },
    { slug: "brand-co", name: "Brand Co" },
  ],
  users: [{ email: "ada@example.com", name: "Ada", organization: "acme-audio", role: "admin" }],
  campaigns: [
    {
      slug: "autumn",
      name: "Autumn",
      buyer: "brand-co",
      lines: [
        {
          package_id: "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01",
          seller: "acme-audio",
          name: "Pre-roll",
          pricing_basis: "impressions",
          flight_start: "2026-11-01",
          flight_end: "2026-12-31",
          booked: 500000,
          rate: 12.5,
          currency: "EUR",
          external_id: "GAM-4711",
        },
      ],
    },
  ],
  hidden_formats: ["display_970x250_image"],
  agent_keys: [{ label: "Buyer", opened: [] }],
}

/** The whole page. */
export function importReference(): string {
  const openings = ImportedAgentKey.properties.opened.items
  return `# The import file

Made from the schemas of the program (\`scripts/import-reference.ts\`). \`adbooth import FILE.json\` reads such a file, \`adbooth export\` writes one, and
\`adbooth import --schema\` prints its JSON Schema, products and formats included, for editors and other programs.

- All or nothing: if something is wrong, every problem is listed with its place, and nothing is changed.
- Importing again updates: slugs, IDs, e-mail addresses and labels say what is what. What is not in the file stays as it is.
- Unknown fields are refused, so that typing mistakes are found.

\`\`\`json
${JSON.stringify(EXAMPLE, null, 2)}
\`\`\`

${section("The file", ImportFile)}
${section("`organizations`", ImportedOrganization)}
${section("`users`", ImportedUser)}
${section("`campaigns`", ImportedCampaign)}
${section("`campaigns[].lines`", ImportedLine)}
${section("`agent_keys`", ImportedAgentKey)}
${section("`agent_keys[].opened`", openings)}
## \`products\` and \`formats\`

Objects as AdCP 3.1 defines them; a complete product is in [operators.md](operators.md). Every optional field may be used, and is checked, kept and shown untouched. A
\`format_id\` without \`agent_url\` is a format of this installation, and has to exist. In short:

- a product needs \`product_id\`, \`name\`, \`description\`, \`publisher_properties\`, \`delivery_type\`, \`pricing_options\`, \`reporting_capabilities\`, and \`format_ids\` or \`format_options\`;
- a format needs \`format_id\` and \`name\`.
`
}

function section(title: string, schema: TObject): string {
  const rows = Object.entries(schema.properties).map(
    ([name, field]) => `| \`${name}\` | ${needed(schema, name)} | ${kindOf(field)} | ${aboutOf(field)} |`,
  )
  return `## ${title}

${schema.description ?? ""}

| Field | | Kind | Meaning |
|---|---|---|---|
${rows.join("\n")}
`
}

const needed = ({ required = [] }: TObject, name: string) => (required.includes(name) ? "required" : "")

const aboutOf = ({ description = "" }: TSchema) => String(description).replaceAll("|", "\\|")

function kindOf(schema: TSchema): string {
  const choices = (schema["anyOf"] ?? []) as TSchema[]
  if (choices.length > 0)
    return choices.map((one) => one["const"] ?? (one["type"] === "null" ? "null" : kindOf(one))).join(", ")
  if (schema["type"] === "array") return `list of ${kindOf(schema["items"] as TSchema)}s`
  return schema["type"] === "boolean" ? "true, false" : String(schema["type"] ?? "object")
}

if (import.meta.main) await Bun.write(REFERENCE, importReference())
