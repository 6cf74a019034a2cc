import { describe, expect, test } from "bun:test"
import { importCatalogue } from "../src/actions/catalogue/import-catalogue.ts"
import { DELIVERY_REASONS } from "../src/domain/delivery/delivery.ts"
import { type FailureCode, statusOf } from "../src/domain/failure.ts"
import { runSnippet, snippets } from "./docs-snippets.ts"
import { CODES, currentTotal, DELIVERY, METRICS, post, sendCodes } from "./doors/ingest/feed.ts"
import { givenIngestKey, givenOrganization } from "./given.ts"
import { startApp } from "./harness.ts"

// The guides for integrators are full of examples. Each is tried here as it stands.

const PAGES = ["docs/first-feed.md", "docs/files.md", "docs/reasons.md"]
const GUIDE = (await Promise.all(PAGES.map((page) => Bun.file(page).text()))).join("\n")
const FIRST_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
const PATHS: Readonly<Record<string, string>> = { items: DELIVERY, codes: CODES, metrics: METRICS }

const blocks = (language: string) => snippets(GUIDE, language)

async function given() {
  const app = await startApp({ now: "2026-11-15T15:00:00Z" })
  const seller = await givenOrganization(app)
  const lines = [...GUIDE.matchAll(/^\| `([0-9a-f-]{36})` \| (\w+)(?: (\w+))? \| ([\d-]+) \|$/gm)].map(
    ([, package_id, basis, more, flight_start]) => ({
      package_id,
      seller: seller.slug,
      name: package_id,
      pricing_basis: more === undefined ? basis : `${basis}_${more}`,
      flight_start,
    }),
  )
  expect(lines).toHaveLength(3)
  const campaigns = [{ slug: "autumn", name: "Autumn", buyer: seller.slug, lines }]
  expect(await importCatalogue(app, { campaigns }, "test")).toMatchObject({ ok: true })
  const key = await givenIngestKey(app, seller)
  await sendCodes(app, key, [{ packageId: FIRST_LINE, code: "AUTUMN10" }])
  return { app, key, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** The reasons in an answer of any feed. */
async function reasonsIn(response: Response): Promise<string[]> {
  const body = (await response.json()) as { results?: { reason?: string }[]; errors?: { reason: string }[] }
  return (body.results ?? body.errors ?? []).flatMap(({ reason }) => reason ?? [])
}

describe("the guide for integrators", () => {
  const examples = blocks("json").filter(({ words }) => words[0] === "wrong")

  test.each(examples)("example: $words", async ({ words: [, reason = ""], text }) => {
    await using g = await given()
    const [field = ""] = Object.keys(JSON.parse(text) as object)
    const response = await post(g.app, PATHS[field] ?? "", g.key, text)
    expect(response.status).toBe(200)
    expect(await reasonsIn(response)).toEqual([reason])
  })

  test("explains every reason, with an example where the caller can be wrong", () => {
    for (const reason of [...DELIVERY_REASONS, "invalid_row", "date_in_future"])
      expect(GUIDE).toContain(`**\`${reason}\`**`)
    const shown = new Set(examples.map(({ words: [, reason] }) => reason))
    const ownFault = (reason: string) => reason !== "internal_error"
    expect([...DELIVERY_REASONS].filter(ownFault).filter((reason) => !shown.has(reason))).toEqual([])
  })

  test("names every failure of a request with its status", () => {
    const rows = [...GUIDE.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => [Number(status), code])
    for (const [status, code] of rows) {
      expect(statusOf(code as FailureCode)).toBe(status as number)
    }
    expect(rows).toHaveLength(10)
  })

  test.each([
    ["sh", "sh", 126_000],
    ["python3", "python", 125_500],
  ])("the example for %s works as it stands", async (program, language, total) => {
    const command = Bun.which(program)
    if (command === null) return console.error(`SKIPPED: the guide's example needs ${program}.`)
    await using g = await given()
    const text = blocks(language)[0]?.text ?? ""
    const ran = await runSnippet(command, { name: "example", text }, { ADBOOTH_URL: g.app.url, ADBOOTH_KEY: g.key })
    expect([ran.code, ran.code === 0 ? "" : ran.err]).toEqual([0, ""])
    expect(await currentTotal(g.app, FIRST_LINE)).toMatchObject({ quantity: total })
    if (program === "sh") expect(JSON.parse(ran.out)).toEqual(JSON.parse(blocks("json")[0]?.text ?? ""))
    else expect(ran.out).toBe("")
  })

  test("the spreadsheet example works as it stands", async () => {
    await using g = await given()
    const { runCommand } = await import("./doors/cli/in-process.ts")
    const input = blocks("csv")[0]?.text ?? ""
    const environment = { ADBOOTH_KEY: g.key }
    const ran = await runCommand(["report", "-", "--url", g.app.url, "--key-env", "ADBOOTH_KEY"], {
      input,
      environment,
    })
    expect(ran).toMatchObject({ code: 0, err: "2 totals reported.\n" })
  })
})
