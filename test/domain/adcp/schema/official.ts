import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import Ajv, { type ValidateFunction } from "ajv"
import addFormats from "ajv-formats"

// The official AdCP schemas and examples are not part of the project. CONTRIBUTING.md says how to get them.
const home = process.env["ADBOOTH_TEST_ADCP"] ?? join(import.meta.dir, "../../../../..", "shared", "adcp")

/** False where the official material is missing; the tests that need it then say so and are skipped. */
export const officialIsHere = existsSync(join(home, "schemas"))
if (!officialIsHere) {
  console.warn(
    "SKIPPED: tests that compare with AdCP's official schemas need them: ADBOOTH_TEST_ADCP names the folder (CONTRIBUTING.md).",
  )
}

let ajv: Ajv | undefined

function officialAjv(): Ajv {
  if (ajv) return ajv
  const fresh = new Ajv({ strict: false, allErrors: true })
  addFormats(fresh)
  for (const file of readdirSync(join(home, "schemas"), { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".json")) fresh.addSchema(JSON.parse(readFileSync(join(home, "schemas", file), "utf8")))
  }
  ajv = fresh
  return fresh
}

/** What the official schema of that path finds wrong with the value. */
export function officialComplaints(path: string, value: unknown): string[] {
  const validate = officialAjv().getSchema(`/schemas/3.1.19/${path}`) as ValidateFunction
  if (validate(value)) return []
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** An official schema, or a part of it, by its path or by a reference to it. */
export function officialSchema(path: string): Record<string, unknown> {
  const [name = "", part = ""] = path.replace(HOME, "").split("#")
  const schema = officialAjv().getSchema(HOME + name)?.schema
  const steps = part.split("/").slice(1)
  const found = steps.reduce((holder: unknown, step) => (holder as Json)[step], schema)
  return named(found, HOME + name) as Json
}

type Json = Record<string, unknown>
const HOME = "/schemas/3.1.19/"

/** With the file in each reference that is to a part of it. */
function named(value: unknown, file: string): unknown {
  if (Array.isArray(value)) return value.map((each) => named(each, file))
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, named(field, file)])
  const copy = Object.fromEntries(fields) as Json
  return String(copy["$ref"]).startsWith("#") ? { ...copy, $ref: `${file}${copy["$ref"]}` } : copy
}

/** The official examples, by file name. */
export function officialExamples(): Map<string, unknown> {
  const folder = join(home, "examples")
  return new Map(readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), "utf8"))]))
}
