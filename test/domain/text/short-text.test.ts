import { describe, expect, test } from "bun:test"
import { type TSchema, TypeGuard } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { chooseBuyer } from "../../../src/domain/campaign/buyer-choice.ts"
import { ImportFile } from "../../../src/domain/import/import-file.ts"
import { KeyLabel } from "../../../src/domain/keys/api-key.ts"
import { Name } from "../../../src/domain/people/organization.ts"
import { Email } from "../../../src/domain/people/user.ts"
import { checkFor } from "../../../src/domain/schema/check.ts"
import { cutText } from "../../../src/domain/text/short-text.ts"
import { terminalSafe } from "../../../src/doors/cli/output/text.ts"
import { createLog } from "../../../src/log/log.ts"

test.each([
  ["fits exactly", 12, "fits exactly"],
  ["is cut between words", 12, "is cut…"],
  ["one, two, three", 10, "one, two…"],
  ["incomprehensibilities", 8, "incompr…"],
  ["ab \u{1f600}\u{1f600}", 5, "ab…"],
  ["\u{1f600}\u{1f600}\u{1f600}", 4, "\u{1f600}…"],
])("%j in at most %d characters is %j", (text, most, cut) => {
  expect(cutText(text, most)).toBe(cut)
  expect(cutText(text, most).length).toBeLessThanOrEqual(most)
})

const HARMFUL = [
  "\u0000",
  "\u001b[31m",
  "\n",
  "\t",
  "\u007f",
  "\u0085",
  "\u009b31m",
  "\u2028",
  "\u2029",
  "\u202e",
  "\u2066",
]
const INVISIBLE = ["\u200b", "\u200e", "\u2060", "\ufeff", "\u{e0041}"]

describe.each([
  ["a name", Name, (inner: string) => `Ac${inner}me`],
  ["a label", KeyLabel, (inner: string) => `Ad ser${inner}ver`],
  ["an e-mail address", Email, (inner: string) => `a${inner}b@example.com`],
  ["the host of an e-mail address", Email, (inner: string) => `a@exam${inner}ple.com`],
])("%s", (_, schema, around) => {
  const takes = (text: string) => checkFor(schema)(text).ok
  test("takes what people write", () => {
    expect(["", "é", "日本", "ñ-'"].map((inner) => takes(around(inner)))).toEqual([true, true, true, true])
  })
  test.each([...HARMFUL, ...INVISIBLE].map((text) => [JSON.stringify(text), text] as const))(
    "does not take %s",
    (_, text) => {
      expect(takes(around(text))).toBe(false)
    },
  )
  test("has no white space at either end", () => {
    expect([` ${around("")}`, `${around("")} `, " ", ""].map(takes)).toEqual([false, false, false, false])
  })
})

test("a name from right to left may have the marks that its digits and punctuation need, and a Latin one may not", () => {
  const takes = (text: string) => checkFor(Name)(text).ok
  expect(["שלום!\u200f", "\u200fשלום 24", "رقم \u200e12\u200f", "שלום"].map(takes)).toEqual([true, true, true, true])
  expect(["Acme\u200f", "\u200f", "\u200e12", "שלום\u202e", " שלום"].map(takes)).toEqual(Array(5).fill(false))
  const known = [{ slug: "shalom", name: "שלום!" }]
  const chosen = chooseBuyer({ buyer: "שלום!\u200f" }, known, { slug: "acme", name: "Acme" })
  expect(chosen).toEqual({ ok: true, choice: { slug: "shalom" } })
})

test("whatever is printed only shows, and a JSON document stays the same document", () => {
  const text = `a${HARMFUL.join("b")}c`
  const printed = terminalSafe(text)
  expect(printed).not.toMatch(/[^\P{Cc}\n\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
  expect(printed).toContain("\\u001b[31m")
  expect(JSON.parse(terminalSafe(JSON.stringify({ text }, null, 2)))).toEqual({ text })
})

// Compared with a list, so that nothing else gets in: time zones, and what the catalogue has.
const COMPARED = ["$schema", "time_zone", "product_id", "hidden_formats", "formats", "products"]

function* textsOf(name: string, schema: TSchema): Generator<readonly [name: string, schema: TSchema]> {
  if (TypeGuard.IsString(schema)) yield [name, schema]
  else if (TypeGuard.IsArray(schema)) yield* textsOf(name, schema.items)
  else if (TypeGuard.IsUnion(schema)) for (const one of schema.anyOf) yield* textsOf(name, one)
  else if (TypeGuard.IsObject(schema))
    for (const [part, one] of Object.entries(schema.properties)) yield* textsOf(part, one)
}

test("no text of an import file holds commands for a terminal", () => {
  const texts = [...textsOf("", ImportFile)].filter(([name]) => !COMPARED.includes(name))
  expect(texts.length).toBeGreaterThan(10)
  const open = texts.filter(([, schema]) => HARMFUL.some((text) => Value.Check(schema, `a${text}b@example.com`)))
  expect(open.map(([name]) => name)).toEqual([])
})

test("a line of the log on a terminal only shows", () => {
  const lines: string[] = []
  const log = createLog({ format: "text", clock: () => 0, write: (line) => void lines.push(line) })
  log.info("event", { text: `a${HARMFUL.join("b")}c` })
  expect(lines.join("").slice(0, -1)).not.toMatch(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
})
