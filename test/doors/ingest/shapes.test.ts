import { describe, expect, test } from "bun:test"
import type { AffiliateReport } from "../../../src/domain/affiliate/affiliate-report.ts"
import type { DeliveryReport } from "../../../src/domain/delivery/delivery-result.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp } from "../../harness.ts"
import { CODES, DELIVERY, METRICS, post, sendCodes } from "./feed.ts"
import { oddRows, TEXTS } from "./odd-rows.ts"
import { type Content, checkers, publishedBy, type Schema } from "./published-schemas.ts"

// What the published schemas say of a row, and what the server says of it, for every odd value of every field and of every pair of
// fields. Where JSON Schema cannot say a rule, the difference is named here.

// The package of the published examples.
const PACKAGE_ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"

interface Difference {
  readonly why: string
  readonly field: string
  /** Whether the schema takes a value that the server refuses, by the digits that were sent. */
  readonly onlySchemaTakes: (digits: string) => boolean
}

const DIFFERENCES: Readonly<Record<string, readonly Difference[]>> = {
  [DELIVERY]: [],
  [CODES]: [],
  [METRICS]: [
    {
      why: "multipleOf 0.000001 would refuse 1.1 in checkers that divide doubles, so that the places are told in words",
      field: "conversionValue",
      onlySchemaTakes: (digits) => /\.\d{7}|e-/i.test(digits),
    },
  ],
}

const REFUSED = ["invalid_item", "invalid_row"]

/** For each row, whether the server read it. What it then made of it is another question. */
function readRows(report: DeliveryReport | AffiliateReport, count: number): boolean[] {
  const refused = new Set(
    ("results" in report ? report.results : report.errors)
      .filter(({ reason }) => REFUSED.includes(reason ?? ""))
      .map(({ index }) => index),
  )
  return Array.from({ length: count }, (_, index) => !refused.has(index))
}

function* parts<Value>(values: readonly Value[], size: number): Generator<Value[]> {
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size)
}

describe.each([DELIVERY, CODES, METRICS])("the schema of %s", (path) => {
  test("takes the rows that the server reads, and answers are as published", async () => {
    await using app = await startApp({ options: { limitIngest: "1000000" } })
    const { seller } = await givenPackageLine(app, { packageId: PACKAGE_ID })
    const key = await givenIngestKey(app, seller)
    const document = await publishedBy(app)
    const checkerOf = checkers(document)
    const operation = document.paths[path]?.["post"]
    const body = operation?.requestBody.content["application/json"] as Content
    const [[field, list] = ["", {} as Schema]] = Object.entries(body.schema.properties ?? {})
    const row = document.components.schemas[list.items?.$ref?.split("/").at(-1) ?? ""] as Schema
    const isRow = checkerOf(row)
    const isAnswer = checkerOf(operation?.responses["200"]?.content["application/json"]?.schema as Schema)

    const disagreements: string[] = []
    const used = new Set<string>()
    let taken = 0
    const rows = oddRows(row)
    await sendCodes(app, key, [{ packageId: PACKAGE_ID, code: "AUTUMN10" }])
    for (const [index, some] of [...parts(rows, list.maxItems ?? 1)].entries()) {
      const query = index % 2 === 0 ? "" : "?dry_run=true"
      const response = await post(app, path + query, key, `{"${field}":[${some.join(",")}]}`)
      const answer = (await response.json()) as DeliveryReport | AffiliateReport
      expect([response.status, isAnswer(answer), isAnswer.errors]).toEqual([200, true, null])
      for (const [index, read] of readRows(answer, some.length).entries()) {
        const text = some[index] ?? ""
        const published = isRow(JSON.parse(text))
        if (read) taken++
        if (read === published) continue
        const known = (DIFFERENCES[path] ?? []).find(({ field, onlySchemaTakes }) => {
          const digits = new RegExp(`"${field}":(-?[0-9][-+.0-9eE]*)`).exec(text)?.[1]
          return published && digits !== undefined && onlySchemaTakes(digits)
        })
        if (known === undefined) disagreements.push(`${text.slice(0, 300)} schema ${published}, server ${read}`)
        else used.add(known.field)
      }
    }
    expect(disagreements.slice(0, 20)).toEqual([])
    expect([...used].sort()).toEqual((DIFFERENCES[path] ?? []).map((difference) => difference.field).sort())
    // Neither side is right by refusing everything.
    expect(taken).toBeGreaterThan(rows.length / 100)
    expect(rows.length - taken).toBeGreaterThan(rows.length / 100)
  })
})

test("every published pattern means the same to checkers that read texts by character and by 16-bit unit", async () => {
  await using app = await startApp()
  const { schemas } = (await publishedBy(app)).components
  const patterns = Object.values(schemas)
    .flatMap(({ properties = {} }) => Object.values(properties))
    .flatMap(({ pattern }) => pattern ?? [])
  expect(patterns.length).toBeGreaterThan(5)
  for (const pattern of patterns) {
    const byCharacter = new RegExp(pattern, "u")
    const byUnit = new RegExp(pattern)
    expect(TEXTS.filter((text) => byCharacter.test(text) !== byUnit.test(text))).toEqual([])
  }
})
