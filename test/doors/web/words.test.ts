import { expect, test } from "bun:test"
import { seedDemo } from "../../../src/demo/seed.ts"
import { sentenceOf } from "../../../src/doors/web/operator/audit-words.ts"
import { dotted, formatMoney } from "../../../src/doors/web/parts/format.tsx"
import { createLog } from "../../../src/log/log.ts"
import { startApp } from "../../harness.ts"
import { crawl, fewOfEachKind } from "./crawl.ts"
import { signedIn } from "./visitor.ts"

// What a machine can hold of the wording: sentences of the app are short, and say dates and names as people do.

const WORDS_MAX = 25
const ISO_DATE = /\b\d{4}-\d\d-\d\d\b/
/** Such as package_id or packageId. */
const IDENTIFIER = /\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]{2,}[A-Z][A-Za-z]*\b/
/** Code, what people typed, and what only programs read. */
const NO_PROSE = /<(script|style|svg|code|pre|kbd|textarea|datalist|select|time)\b[\s\S]*?<\/\1>/g
const INLINE = /<\/?(?:a|b|span|strong|em|abbr|i)\b[^>]*>/g

function sentencesOf(html: string): string[] {
  const text = html
    .replace(NO_PROSE, " … ")
    .replace(INLINE, " ")
    .replace(/<[^>]*>/g, "\n")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
  return text
    .split("\n")
    .flatMap((block) => block.split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
}

const wordsIn = (sentence: string) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

test("no sentence of a page has an ISO date, an identifier of the API, or more than 25 words", async () => {
  await using app = await startApp()
  await seedDemo({ ...app, log: createLog({ format: "json", clock: app.clock, write: () => undefined }) })
  const wrong = new Map<string, string>()
  let seen = 0
  for (const [email, start] of [
    ["olga@adbooth.example", "/app/operator/system"],
    ["ada@lighthouse.example", "/app/o/lighthouse-audio"],
    ["flora@fernweh.example", "/app"],
  ] as const) {
    const user = await app.store.users.findByEmail(email)
    const person = await signedIn(app, user?.id ?? 0)
    for (const { path, html } of await crawl(person, [start], { isWanted: fewOfEachKind() })) {
      seen++
      for (const sentence of sentencesOf(html)) {
        const isWrong = ISO_DATE.test(sentence) || IDENTIFIER.test(sentence) || wordsIn(sentence) > WORDS_MAX
        if (isWrong && !wrong.has(sentence)) wrong.set(sentence, path)
      }
    }
  }
  expect(seen).toBeGreaterThan(100)
  expect([...wrong].map(([sentence, path]) => `${path}: ${sentence}`)).toEqual([])
})

test("a name that is written from right to left stays in its part of a line", () => {
  expect(dotted("Bought by Brand Co", "20 Oct")).toBe("Bought by Brand Co · 20 Oct")
  expect(dotted("Bought by شركة", "20 Oct")).toBe("\u2068Bought by شركة\u2069 · 20 Oct")
})

test.each([
  ["EUR", "€1,234.50"],
  ["USD", "$1,234.50"],
  ["NZD", "NZ$1,234.50"],
  ["SEK", "SEK\u00a01,234.50"],
  ["KWD", "KWD\u00a01,234.500"],
])("an amount in %s says of which country the dollars or crowns are: %s", (currency, text) => {
  expect(formatMoney(1_234.5, currency)).toBe(text)
})

test("every change in the audit trail is said as a sentence", async () => {
  const actions = new Set<string>()
  for await (const path of new Bun.Glob("src/{actions,storage}/**/*.ts").scan()) {
    const text = await Bun.file(path).text()
    for (const [, action = ""] of text.matchAll(/\baction(?: =|:)[^\n]*?"([a-z]+ [a-z_]+)"/g)) actions.add(action)
  }
  expect(actions.size).toBeGreaterThan(30)
  const entry = {
    id: 1,
    at: 0,
    actor: "user:1",
    organizationId: null,
    organization: null,
    details: null,
    email: "a@b.example",
  }
  const names = { people: new Map([["user:1", "Ada"]]), keys: new Map(), products: new Map(), others: new Map() }
  expect(sentenceOf({ ...entry, action: "enable two_factor", subject: "user:1" }, names)).toBe(
    "Ada switched on two-factor sign-in",
  )
  const said = (action: string, subject: string, details: object) =>
    sentenceOf({ ...entry, action, subject, details }, names)
  expect(said("add member", "user:1", { role: "admin" })).toBe("Ada joined")
  expect(said("remove campaign", "spring-2", { name: "Spring" })).toBe("Ada deleted the campaign Spring")
  expect(said("make backup", "installation", {})).toBe("Ada made a backup")
  expect(said("create share_link", "1", { label: "Brew & Co", campaign: 1 })).toBe(
    "Ada shared a campaign with Brew & Co",
  )
  expect(said("withdraw delivery_reports", "upload 1", { reports: 2 })).toBe("Ada withdrew 2 reports")
  expect(said("report upload", "1", { fileName: "up.csv" })).toBe("Ada reported the file up.csv")
  const unsaid = [...actions].filter((action) => said(action, "1", {}) === `Ada ${action.replaceAll("_", " ")}`)
  expect(unsaid).toEqual([])
})
