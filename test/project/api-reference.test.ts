import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { startApp } from "../harness/app.ts"
import { published } from "../harness/openapi.ts"

const TEXT = readFileSync("docs/api.md", "utf8")
const WORDS_MAX = 900

/** What the reference has as code: a path, a field, a status or a reason. */
const CODES = new Set([...TEXT.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code.replace(/^POST /, "")))

/** Every name, and every word of a list of words, anywhere in a part of the document. */
function namesIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return []
  const { properties, enum: words, parameters } = part as Record<string, unknown>
  const own = Object.keys(properties ?? {})
  const named = Array.isArray(parameters) ? parameters.map(({ name }: { name: string }) => name) : []
  const listed = Array.isArray(words) ? words.filter((word) => typeof word === "string") : []
  return [...own, ...named, ...listed, ...Object.values(part).flatMap(namesIn)]
}

test("the API reference names every path, field and reason of /openapi.json", async () => {
  await using app = await startApp()
  const { paths } = await published(app)
  const names = new Set([...Object.keys(paths), ...namesIn(paths)])
  expect([...names].filter((name) => !CODES.has(name))).toEqual([])
})

test("the API reference names every header and status", async () => {
  await using app = await startApp()
  const { paths } = await published(app)
  const responses = Object.values(paths).flatMap(({ post }) => Object.entries(post?.responses ?? {}))
  const statuses = responses.map(([status]) => status)
  const headers = responses.flatMap(([, answer]) => Object.keys((answer as { headers?: object }).headers ?? {}))
  expect([...new Set([...statuses, ...headers])].filter((name) => !TEXT.includes(name))).toEqual([])
})

test("each field is in the section of its address", async () => {
  await using app = await startApp()
  const { paths } = await published(app)
  const sections = TEXT.split(/^## /m)
  for (const [path, { post }] of Object.entries(paths)) {
    const section = sections.find((text) => text.includes(path)) ?? ""
    // Both affiliate addresses have the same answer, which the second one describes.
    const shared = sections.find((text) => text.includes("metrics") && text.includes("upserted")) ?? ""
    const common = sections.find((text) => text.startsWith("Every request")) ?? ""
    const described = namesIn(post?.requestBody).concat(namesIn(post?.responses["200"]))
    const missing = described.filter((name) => ![section, shared, common].some((text) => text.includes(`\`${name}\``)))
    expect([path, missing]).toEqual([path, []])
  }
})

test("the API reference is short", () => {
  expect(TEXT.match(/[\w'/.`<>-]*\w[\w'/.`<>-]*/g)?.length).toBeLessThanOrEqual(WORDS_MAX)
})
