import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import Ajv, { type ValidateFunction } from "ajv"
import addFormats from "ajv-formats"

// The official AdCP schemas and examples aren't part of the project. CONTRIBUTING.md says how to get them.
const home = process.env["ADBOOTH_TEST_ADCP"] ?? join(import.meta.dir, "../../../..", "shared", "adcp")

/** False if the official material is missing. Tests that need it are skipped then, and say so. */
export const hasOfficial = existsSync(join(home, "schemas"))
if (!hasOfficial) console.warn("SKIPPED: tests against AdCP's official schemas. ADBOOTH_TEST_ADCP names their folder.")

/** A payload as loosely typed JSON, for tests that look into it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
export type Json = any

/** Compiles schemas as they are, which takes a third of the time: they're official, and few values are checked by each. */
export function quickAjv(): Ajv {
  const quickly = { validateSchema: false, inlineRefs: false, code: { optimize: false } }
  const ajv = new Ajv({ strict: false, allErrors: true, ...quickly })
  addFormats(ajv)
  return ajv
}

let ajv: Ajv | undefined

function officialAjv(): Ajv {
  if (ajv !== undefined) return ajv
  ajv = quickAjv()
  for (const file of readdirSync(join(home, "schemas"), { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".json")) ajv.addSchema(JSON.parse(readFileSync(join(home, "schemas", file), "utf8")))
  return ajv
}

/** What the official schema at a path finds wrong with a value. */
export function officialProblems(path: string, value: unknown): string[] {
  const validate = officialAjv().getSchema(`/schemas/3.1.19/${path}`) as ValidateFunction
  if (validate(value)) return []
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

/** The official examples by file name. */
export function officialExamples(): ReadonlyMap<string, Json> {
  const folder = join(home, "examples")
  return new Map(readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), "utf8"))]))
}

const RESPONSES = {
  get_products: ["media-buy/get-products-response.json"],
  list_creative_formats: [
    "media-buy/list-creative-formats-response.json",
    "creative/list-creative-formats-response.json",
  ],
  get_media_buy_delivery: ["media-buy/get-media-buy-delivery-response.json"],
  get_adcp_capabilities: ["protocol/get-adcp-capabilities-response.json"],
}
export type Tool = keyof typeof RESPONSES

export const TOOLS: readonly Tool[] = ["get_adcp_capabilities", "get_products", "list_creative_formats"]

/** Everything that is wrong with the answer of a tool, by the official schemas. */
export function problemsOfAnswer(tool: Tool, payload: Json): string[] {
  if (!hasOfficial) return []
  const problems = RESPONSES[tool].flatMap((schema) => officialProblems(schema, payload))
  const error = payload.adcp_error
  if (error === undefined) return problems
  const tooLong = JSON.stringify(error).length >= 4_096 ? ["the error is too long for clients"] : []
  const inCodes = officialProblems("enums/error-code.json", error.code)
  return [...problems, ...officialProblems("core/error.json", error), ...inCodes, ...tooLong]
}
