import { describe, expect, test } from "bun:test"
import Ajv2020 from "ajv/dist/2020.js"
import { importReference, REFERENCE } from "../../../scripts/import-reference.ts"
import { importSchema } from "../../../src/domain/import/import-schema.ts"
import { snippets } from "../../docs-snippets.ts"
import { EXAMPLE_FILE } from "../../doors/cli/example-file.ts"

const isValid = new Ajv2020({ strict: false }).compile(importSchema())

const EXAMPLES = [
  EXAMPLE_FILE,
  ...(await Promise.all(
    ["docs/first-hour.md", "docs/operators.md"].map(async (file) =>
      snippets(await Bun.file(file).text(), "json").map(({ text }) => JSON.parse(text) as object),
    ),
  ).then((found) => found.flat())),
]

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
    ["a role that does not exist", { users: [{ email: "a@example.com", name: "A", role: "boss" }] }],
  ])("refuses %s", (_, file) => {
    expect(isValid(JSON.parse(JSON.stringify(file)))).toBe(false)
  })

  test("docs/import-file.md is made from the same schemas: bun scripts/import-reference.ts writes it", async () => {
    expect(await Bun.file(REFERENCE).text()).toBe(importReference())
  })
})
