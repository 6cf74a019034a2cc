import { describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import fc from "fast-check"
import { builtInFormats } from "../../../../src/domain/adcp/catalogue/built-in/index.ts"
import { CreativeFormat } from "../../../../src/domain/adcp/schema/format/creative-format.ts"
import { type FormPart, partOf } from "../../../../src/domain/schema/form/part.ts"
import {
  type FormTexts,
  listAt,
  readTexts,
  textsOf,
  withoutRow,
  withRow,
} from "../../../../src/domain/schema/form/texts.ts"
import * as s from "../../../../src/domain/schema/schema-helpers.ts"
import { arbitraryOf } from "../../adcp/schema/arbitrary.ts"
import { plainFormat } from "../../adcp/schema/documents.ts"

const FORMAT = partOf(CreativeFormat)

/** Saves what a form shows, as a browser sends it: an unticked box and an empty group of boxes are not sent. */
function savedUnchanged(part: FormPart, value: unknown) {
  const shown = Object.entries(textsOf(part, value))
  const sent = shown.filter(([, text]) => typeof text === "string" || text.length > 0)
  return readTexts(part, Object.fromEntries(sent), value)
}

describe("a form that is saved as it was shown changes nothing", () => {
  test.each([...builtInFormats, plainFormat].map((format) => [format.format_id.id, format] as const))(
    "%s",
    (_, format) => {
      expect(savedUnchanged(FORMAT, format)).toEqual({ value: format, errors: {} })
    },
  )

  test("every format that the schema allows", () => {
    fc.assert(
      fc.property(arbitraryOf(CreativeFormat), (one) => {
        const plain = JSON.parse(JSON.stringify(one))
        expect(savedUnchanged(FORMAT, plain)).toEqual({ value: plain, errors: {} })
      }),
      { numRuns: 50 },
    )
  })

  test("whatever the values are", () => {
    const part = partOf(
      Type.Object({
        text: s.Text,
        number: Type.Number(),
        flag: s.Flag,
        ...s.optional({
          words: Type.Array(s.choice("a b c")),
          lines: Type.Array(s.Text),
          inner: Type.Object({ on: s.Flag, ...s.optional({ more: s.Flag }) }),
          rows: Type.Array(s.partial({ x: s.Whole, note: s.Text })),
          any: s.AnyObject,
        }),
      }),
    )
    const value = fc.record(
      {
        text: fc.string(),
        number: fc.oneof(fc.integer(), fc.constantFrom(0.5, -14.25, 12.125, 1e21)),
        flag: fc.boolean(),
        words: fc.uniqueArray(fc.constantFrom("c", "b", "a")),
        lines: fc.array(fc.string()),
        inner: fc.record({ on: fc.boolean(), more: fc.boolean() }, { requiredKeys: ["on"] }),
        rows: fc.array(fc.record({ x: fc.nat(), note: fc.string(), hidden: fc.string() }, { requiredKeys: [] })),
        any: fc.dictionary(fc.string(), fc.string()),
      },
      { requiredKeys: ["text", "number", "flag"] },
    )
    fc.assert(
      fc.property(value, (one) => {
        const plain = JSON.parse(JSON.stringify(one))
        expect(savedUnchanged(part, plain)).toEqual({ value: plain, errors: {} })
      }),
    )
  })
})

const OVERLAY = { id: "badge", bounds: { x: 0, y: -4, width: 10, height: 10, unit: "px" } }

const PLAIN = {
  format_id: { id: "mine" },
  name: "Mine",
  assets: [
    { item_type: "individual", asset_id: "a", asset_type: "image", required: true, overlays: [OVERLAY] },
    { item_type: "individual", asset_id: "b", asset_type: "text", required: false },
  ],
}

const edited = (texts: FormTexts) => readTexts(FORMAT, { ...textsOf(FORMAT, PLAIN), ...texts }, PLAIN)

describe("what is typed", () => {
  test("becomes numbers, yes and no, and lists; what is emptied is left out", () => {
    const { value } = edited({
      name: " Yours ",
      "assets.0.requirements.max_file_size_kb": "1 200",
      "assets.0.requirements.formats": ["jpg", "png"],
      "assets.0.requirements.animation_allowed": "false",
      "assets.1.requirements.prohibited_terms": "one\n\n two ",
      "assets.0.required": "",
    })
    expect(value).toEqual({
      ...PLAIN,
      name: "Yours",
      assets: [
        {
          ...PLAIN.assets[0],
          required: false,
          requirements: { max_file_size_kb: 1200, formats: ["jpg", "png"], animation_allowed: false },
        },
        { ...PLAIN.assets[1], requirements: { prohibited_terms: ["one", "two"] } },
      ],
    })
    const emptied = readTexts(
      FORMAT,
      { ...textsOf(FORMAT, value), "assets.1.requirements.prohibited_terms": "" },
      value,
    )
    expect((emptied.value as typeof PLAIN).assets[1]).toEqual(PLAIN.assets[1])
  })

  test("a number that can be read in two ways is refused at its field", () => {
    const { errors } = edited({ "assets.0.requirements.max_width": "1.000", "assets.0.requirements.min_width": "wide" })
    expect(Object.keys(errors)).toEqual(["assets.0.requirements.min_width", "assets.0.requirements.max_width"])
    expect(errors["assets.0.requirements.max_width"]).toContain("can mean")
  })

  test("loudness may be negative", () => {
    const part = partOf(Type.Object({ loudness_lufs: Type.Number() }))
    expect(readTexts(part, { loudness_lufs: "-23" }, {}).value).toEqual({ loudness_lufs: -23 })
  })
})

describe("rows", () => {
  const texts = textsOf(FORMAT, PLAIN)

  test("a removed row takes nothing of the others with it", () => {
    const { value } = readTexts(FORMAT, withoutRow(texts, "assets.0"), PLAIN)
    expect(value).toEqual({ ...PLAIN, assets: [PLAIN.assets[1]] })
  })

  test("a new row has the shape that was chosen, also inside another row", () => {
    const group = listAt(FORMAT, texts, "assets")?.find(({ name }) => name === "repeatable_group")
    if (group === undefined) throw new Error("groups are missing")
    const withGroup = withRow(texts, "assets", group)
    const audio = listAt(FORMAT, withGroup, "assets.2.assets")?.find(({ name }) => name === "audio")
    if (audio === undefined) throw new Error("assets of a group are missing")
    const typed = { ...withRow(withGroup, "assets.2.assets", audio), "assets.2.assets.0.asset_id": "spot" }
    const { value } = readTexts(FORMAT, typed, PLAIN)
    expect((value as typeof PLAIN).assets[2]).toEqual({
      item_type: "repeatable_group",
      required: false,
      assets: [{ asset_type: "audio", asset_id: "spot", required: false }],
    } as never)
  })

  test("a list that the form does not have is not found", () => {
    expect(listAt(FORMAT, texts, "assets.9.assets")).toBeUndefined()
    expect(listAt(FORMAT, texts, "name.what")).toBeUndefined()
  })
})
