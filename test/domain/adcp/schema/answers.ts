import { expect } from "bun:test"
import { answerJson } from "../../../../src/domain/adcp/json.ts"
import type { AdcpAnswer } from "../../../../src/domain/adcp/tools/answer.ts"
import { officialComplaints, officialIsHere } from "./official.ts"

const schemas = {
  get_products: ["media-buy/get-products-response.json"],
  list_creative_formats: [
    "media-buy/list-creative-formats-response.json",
    "creative/list-creative-formats-response.json",
  ],
  get_media_buy_delivery: ["media-buy/get-media-buy-delivery-response.json"],
  get_adcp_capabilities: ["protocol/get-adcp-capabilities-response.json"],
}
export type Tool = keyof typeof schemas
/** Those that are always there, and answer from a view alone. */
export type PlainTool = Exclude<Tool, "get_media_buy_delivery">

/** A payload as loosely typed JSON, for tests that look into it. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of many shapes
export type Json = any

/** Compiles the official schemas of the tool. It takes seconds on a busy machine: not while a server in this process is to answer. */
export function prepareSchemas(tool: Tool): void {
  if (officialIsHere) for (const schema of schemas[tool]) officialComplaints(schema, null)
}

/** Expects a payload to be what the official schemas of the tool allow, and hands it back. */
export function expectValid(tool: Tool, payload: unknown): Json {
  if (officialIsHere) {
    for (const schema of schemas[tool]) expect(officialComplaints(schema, payload)).toEqual([])
  }
  const { adcp_error: error } = payload as Json
  if (error !== undefined && officialIsHere) {
    expect(officialComplaints("core/error.json", error)).toEqual([])
    expect(officialComplaints("enums/error-code.json", error.code)).toEqual([])
  }
  if (error !== undefined) expect(JSON.stringify(error).length).toBeLessThan(4096)
  return payload
}

/** The payload of an answer, valid and written as JSON in the quick way exactly as in the plain one. */
export function payloadOf(tool: Tool, answer: AdcpAnswer): Json {
  const sent = JSON.parse(answerJson(answer.payload))
  expect(sent).toEqual(JSON.parse(JSON.stringify(answer.payload)))
  expect(answer.isError).toBe(answer.payload["status"] === "failed")
  return expectValid(tool, sent)
}
