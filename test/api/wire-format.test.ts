import { expect, test } from "bun:test"
import { startApp } from "../harness/app.ts"
import { CODES, DELIVERY, METRICS } from "../harness/data/ingest.ts"
import { isKey } from "../harness/inside.ts"
import { operationOf } from "../harness/openapi.ts"

// What callers have written into their programs. A red line here asks: did you mean to change the wire?

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly minItems?: number
  readonly maxItems?: number
}

async function schemasOf(path: string) {
  await using app = await startApp()
  const { requestBody, responses } = await operationOf(app, path)
  const schemaOf = (content: typeof requestBody | undefined) => content?.content["application/json"]?.schema as Schema
  return { request: schemaOf(requestBody), answer: schemaOf(responses["200"]), statuses: Object.keys(responses) }
}

const namesIn = (schema: Schema | undefined) => Object.keys(schema?.properties ?? {})

test.each([
  [DELIVERY, "items", 1, 500, ["package_id", "as_of", "impressions", "downloads"]],
  [CODES, "codes", 0, 1_000, ["packageId", "code", "slug"]],
  [METRICS, "metrics", 0, 1_000, ["code", "date", "clicks", "conversions", "conversionValue"]],
])("%s has a list of rows with these fields", async (path, field, min, max, fields) => {
  const { request, statuses } = await schemasOf(path)
  const list = request.properties?.[field]
  expect([list?.minItems, list?.maxItems, namesIn(list?.items)]).toEqual([min, max, fields])
  expect(statuses).toEqual(["200", "400", "401", "413", "415", "429", "500", "503"])
})

test("results of delivery items, with their reasons in order", async () => {
  const { answer } = await schemasOf(DELIVERY)
  const result = answer.properties?.["results"]?.items
  expect(namesIn(answer)).toEqual(["accepted", "rejected", "results", "dry_run"])
  expect(namesIn(result)).toEqual(["index", "package_id", "status", "effect", "reason", "message"])
  expect(result?.properties?.["effect"]?.enum).toEqual(["applied", "unchanged", "older_than_current"])
  expect(result?.properties?.["reason"]?.enum).toEqual([
    "invalid_item",
    "duplicate_package_id",
    "not_seller",
    "before_flight_start",
    "as_of_in_future",
    "flat_rate_takes_no_quantity",
    "quantity_required",
    "internal_error",
  ])
})

test.each([CODES, METRICS])("answers of %s", async (path) => {
  const { answer } = await schemasOf(path)
  const error = answer.properties?.["errors"]?.items
  expect(namesIn(answer)).toEqual(["ok", "upserted", "errors", "dry_run"])
  expect(namesIn(error)).toEqual(["index", "status", "reason", "message"])
  expect(error?.properties?.["reason"]?.enum).toEqual(["invalid_row", "not_seller", "date_in_future", "internal_error"])
})

test("a full batch of the longest rows fits into 1 MiB", () => {
  const item = { package_id: crypto.randomUUID(), downloads: 123456789.123, as_of: "2026-11-14T18:30:00.123456+01:00" }
  expect(JSON.stringify({ items: new Array(500).fill(item) }).length).toBeLessThan(1_048_576)
  const row = { code: "x".repeat(128), date: "2026-11-14", clicks: 1e15, conversions: 1e15, conversionValue: 1e9 + 0.1 }
  expect(JSON.stringify({ metrics: new Array(1_000).fill(row) }).length).toBeLessThan(1_048_576)
})

test("keys that were handed out stay valid", () => {
  expect(isKey("abi_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3SARF9")).toBe(true)
  expect(isKey("abi_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3SARF8")).toBe(false)
})
