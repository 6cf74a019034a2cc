import { describe, expect, test } from "bun:test"
import Ajv2020 from "ajv/dist/2020.js"
import { checkFormat, checkProduct, unsupportedIn } from "../../../../src/domain/adcp/catalogue/check.ts"
import { emitFormat, emitProduct } from "../../../../src/domain/adcp/catalogue/emit.ts"
import { importSchema } from "../../../../src/domain/import/import-schema.ts"
import { own } from "../given.ts"
import type { Json } from "../schema/answers.ts"
import { addressed, agentUrl, plainFormat, plainProduct } from "../schema/documents.ts"
import type { Schema } from "../schema/largest.ts"
import { officialComplaints, officialIsHere, officialSchema } from "../schema/official.ts"
import { placesIn, smallest } from "../schema/places.ts"

const isImported = new Ajv2020({ strict: false }).compile(importSchema())

const nouns = [
  {
    noun: "product",
    path: "core/product.json",
    base: plainProduct,
    check: checkProduct,
    show: (body: Json) => emitProduct(body, ["*"], own, agentUrl),
    // Two also say where it is sold; the third, of an earlier version, does not belong to this buyer's brief.
    ours: /^(?:description|ext|brief_relevance|format_options)$/,
  },
  {
    noun: "format",
    path: "core/format.json",
    base: { ...plainFormat, accepts_parameters: ["dimensions"] },
    check: checkFormat,
    show: (body: Json) => emitFormat(body, agentUrl),
    ours: /^$/,
  },
] as const

/** Documents that AdCP allows, each with one more of the fields that it may have, however deep. */
function documentsOf({ path, base }: Pick<(typeof nouns)[number], "path" | "base">) {
  const fields = Object.entries((officialSchema(path) as Schema).properties ?? {})
  const all = fields.flatMap(([name, schema]) => {
    const put = (value: unknown) => ({ ...base, [name]: name === "pricing_options" ? priced(value) : value })
    return [{ where: name, schema, put }, ...placesIn(schema, put, name)]
  })
  return all
    .map(({ where, schema, put }) => ({ where, body: JSON.parse(JSON.stringify(put(smallest(schema)))) as Json }))
    .filter(({ body }) => officialComplaints(path, addressed(body)).length === 0)
}

/** Of formats these are anything, and not supported. */
const priced = (options: unknown) =>
  (options as Json[]).map((option) => ("floor_price" in option ? option : { fixed_price: 1, ...option }))

describe.skipIf(!officialIsHere)("each field that AdCP has", () => {
  test.each(nouns)("of a $noun is shown as it was saved, or refused by name, and shown if it is stored", (of) => {
    const [accepted, refused] = [new Set<string>(), new Set<string>()]
    for (const { where, body } of documentsOf(of)) {
      // Empty, it is no list of formats.
      if (where === "format_ids") continue
      const messages = of.check(body, own).map(({ message }) => message)
      const unsupported = unsupportedIn(of.noun, body)
      expect({ where, messages }).toEqual({
        where,
        messages: unsupported.map((name) => `${name} is not supported by this version`),
      })
      // Editors that know the schema of import files say the same.
      expect({ where, isImported: isImported({ [`${of.noun}s`]: [body] }) }).toEqual({
        where,
        isImported: unsupported.length === 0,
      })
      ;(unsupported.length === 0 ? accepted : refused).add(where)
      const [name = ""] = where.split(/[.[]/)
      if (of.ours.test(name)) continue
      const shown = JSON.parse(JSON.stringify(of.show(body)))[name]
      expect({ where, shown }).toEqual({ where, shown: (addressed(body) as Json)[name] })
    }
    expect(accepted.size).toBeGreaterThan(100)
    expect(refused.size).toBeGreaterThan(200)
  })
})
