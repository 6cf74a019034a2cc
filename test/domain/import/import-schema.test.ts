import { describe, expect, test } from "bun:test"
import type { TSchema } from "@sinclair/typebox"
import Ajv2020 from "ajv/dist/2020.js"
import { ImportFile } from "../../../src/domain/import/import-file.ts"
import { importSchema } from "../../../src/domain/import/import-schema.ts"
import { snippets } from "../../docs-snippets.ts"
import { EXAMPLE_FILE } from "../../doors/cli/example-file.ts"

const isValid = new Ajv2020({ strict: false }).compile(importSchema())

const EXAMPLES = [
  EXAMPLE_FILE,
  ...(await Promise.all(
    ["docs/first-hour.md", "docs/operators.md", "docs/import-file.md"].map(async (file) =>
      snippets(await Bun.file(file).text(), "json").map(({ text }) => JSON.parse(text) as object),
    ),
  ).then((found) => found.flat())),
]

/** The names of the fields of a schema and of the objects in its lists. */
function fieldsOf(schema: TSchema): string[] {
  const own = Object.entries((schema["properties"] ?? {}) as Record<string, TSchema>)
  return own.flatMap(([name, field]) => [name, ...fieldsOf(field["items"] ?? {})])
}

describe("the JSON Schema of the import file", () => {
  test("takes the files of the guides, products and formats included", () => {
    expect(EXAMPLES.length).toBeGreaterThan(2)
    for (const file of EXAMPLES)
      expect({ file, ok: isValid(file), why: isValid.errors ?? null }).toMatchObject({ ok: true })
  })

  test.each([
    ["an unknown field", { ...EXAMPLE_FILE, organisations: [] }],
    ["a line without a seller", { campaigns: [{ slug: "a", name: "A", buyer: "b", lines: [{ name: "x" }] }] }],
    ["a product without a name", { products: [{ ...EXAMPLE_FILE.products[0], name: undefined }] }],
    ["a product with a field that is not supported", { products: [{ ...EXAMPLE_FILE.products[0], is_custom: true }] }],
    ["a role that does not exist", { users: [{ email: "a@example.com", name: "A", role: "boss" }] }],
  ])("refuses %s", (_, file) => {
    expect(isValid(JSON.parse(JSON.stringify(file)))).toBe(false)
  })

  test("the file of docs/import-file.md has every field", async () => {
    const [file] = snippets(await Bun.file("docs/import-file.md").text(), "json")
    // Only editors want to know where the schema is.
    const missing = fieldsOf(ImportFile).filter((name) => !file?.text.includes(`"${name}":`) && name !== "$schema")
    expect(missing).toEqual([])
  })
})
