import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { CODES, DELIVERY, METRICS } from "../harness/data/ingest.ts"
import { startProgram, tryProgram } from "../harness/program.ts"
import { emptyData, exampleData, exampleFile, PACKAGE_ID } from "./given.ts"

const [campaign] = exampleFile().campaigns
const [line] = campaign.lines

/** The example with one line that differs. */
const withLine = (change: object) => ({
  ...exampleFile(),
  campaigns: [{ ...campaign, lines: [{ ...line, ...change }] }],
})

test("a file is imported, and importing it again updates the same entries", async () => {
  using given = emptyData()
  const first = JSON.parse((await given.import(exampleFile(), "--json")).output)
  expect(first).toMatchObject({
    organizations: { created: 2, updated: 0 },
    lines: { created: 1, updated: 0 },
    products: { created: 1, updated: 0 },
  })
  const second = JSON.parse((await given.import(exampleFile(), "--json")).output)
  expect(second).toMatchObject({ lines: { created: 0, updated: 1 }, products: { created: 0, updated: 1 } })
})

test("a new buyer key is printed once", async () => {
  using given = emptyData()
  const first = JSON.parse((await given.import(exampleFile(), "--json")).output)
  const texts = { id: expect.any(String), prefix: expect.any(String), key: expect.stringMatching(/^aba_\w{38}$/) }
  expect(first.agent_keys).toEqual([{ label: "Buyer X", ...texts }])
  const second = JSON.parse((await given.import(exampleFile(), "--json")).output)
  expect(second.agent_keys[0].key).toBeUndefined()
  expect((await given.json("agent-key", "list"))[0].opened).toEqual([
    { product_id: "morning-show", territories: ["AT", "DE"] },
  ])
})

test("a key that was pasted into the file is masked, also in a product that buyers see", async () => {
  using given = emptyData()
  const key = `abi_${"Xy7".repeat(13).slice(0, 38)}`
  const { organizations, campaigns, products } = exampleFile()
  const named = (entry: { readonly name: string }) => ({ ...entry, name: `${entry.name} ${key}` })
  const file = {
    organizations: organizations.map(named),
    campaigns: campaigns.map(named),
    products: products.map(named),
  }
  expect(await given.import(file)).toMatchObject({ code: 0 })
  const { output } = await given.run("export", "--all")
  expect([output.includes(key), output.split("abi_********").length]).toEqual([false, 5])
})

test("without --json, it says in words what was imported", async () => {
  using given = emptyData()
  const { output } = await given.import({ ...exampleFile(), users: [{ email: "a@example.com", name: "A" }] })
  expect(output).toContain("organizations: 2 new, 0 updated\n")
  expect(output).toMatch(/ {2}Buyer X: aba_\w{38}\nCopy new keys now; they won't be shown again/)
  expect(output).toContain('"adbooth user link EMAIL"')
  expect((await given.import({})).output).toBe("The file is empty. Nothing was imported.\n")
})

test("a line without package_id gets one, and keeps it when the file is imported again", async () => {
  using given = await exampleData(withLine({ package_id: undefined }))
  const [imported] = await given.json("line", "list")
  expect(imported.package_id).toMatch(/^[0-9a-f-]{36}$/)
  expect((await given.import(withLine({ package_id: undefined }))).code).toBe(0)
  expect(await given.json("line", "list")).toEqual([imported])
})

test("what a file leaves out of a line stays, and null removes it", async () => {
  const stored = { flight_end: "2026-12-31", booked: 500_000, rate: 12.5, currency: "EUR", external_id: "7" }
  using given = await exampleData(withLine(stored))
  const { package_id, seller, name, pricing_basis, flight_start } = line
  const lineFrom = async (change: object) => {
    const lines = [{ package_id, seller, name, pricing_basis, flight_start, ...change }]
    expect((await given.import({ ...exampleFile(), campaigns: [{ ...campaign, lines }] })).code).toBe(0)
    return JSON.parse((await given.run("export")).output).campaigns[0].lines[0]
  }
  expect(await lineFrom({})).toMatchObject(stored)
  const none = { flight_end: null, booked: null, rate: null, currency: null, external_id: null }
  expect(await lineFrom(none)).toMatchObject(none)
})

describe("a number that stays must mean the same", () => {
  const stored = { booked: 500_000, rate: 12.5, currency: "EUR" }
  const { booked, rate, currency, ...rest } = line

  test.each([
    ["a new basis", { pricing_basis: "flat_rate" }, ["booked", "rate"]],
    ["a new currency", { currency: "USD" }, ["rate"]],
  ])("%s without the numbers is refused", async (_, change, places) => {
    using given = await exampleData(withLine(stored))
    const lines = [{ ...rest, ...change }]
    const { code, errors } = await given.import({ ...exampleFile(), campaigns: [{ ...campaign, lines }] })
    expect(code).toBe(1)
    for (const place of places) expect(errors).toContain(`lines/0/${place}: It has another meaning with a new`)
    const whole = withLine({ ...change, booked: null, rate: 90 })
    expect((await given.import(whole)).code).toBe(0)
  })
})

test("- is standard input", async () => {
  using given = emptyData()
  const imported = await tryProgram(["import", "-", "--data", given.data], {}, JSON.stringify(exampleFile()))
  expect(imported.code).toBe(0)
  expect(await given.json("line", "list")).toHaveLength(1)
})

test("--schema prints the JSON Schema of the file, without a database", async () => {
  const { code, output } = await tryProgram(["import", "--schema"])
  expect(code).toBe(0)
  const schema = JSON.parse(output)
  expect(schema.additionalProperties).toBe(false)
  expect(Object.keys(schema.properties)).toContain("agent_keys")
})

describe("a problem is named with its place, and nothing is written", () => {
  const opened = (product_id: string, country: string) => [{ product_id, territories: [country] }]

  test("every one of them, not only the first", async () => {
    using given = emptyData()
    const lines = [
      { ...line, seller: "nobody" },
      { ...line, package_id: undefined, name: "B", flight_start: "2026-02-30" },
      { ...line, package_id: undefined, name: "C", flight_end: "2026-10-01" },
      { ...line, package_id: undefined, name: "D", currency: null },
      { ...line, package_id: undefined, name: "E", pricing_basis: "flat_rate" },
    ]
    const { code, output, errors } = await given.import({
      ...exampleFile(),
      organizations: [
        ...exampleFile().organizations,
        { slug: "acme-audio", name: "Acme again" },
        { slug: "mars", name: "Mars", time_zone: "Mars/Base" },
      ],
      users: [{ email: "x", name: "" }],
      campaigns: [{ ...campaign, lines }],
      hidden_formats: ["no_such_format"],
      products: [{ product_id: "p" }],
      product_sellers: [{ product_id: "morning-show", seller: "nobody" }],
      agent_keys: [
        { label: "A", buyer: "nobody" },
        { label: "B", opened: opened("morning-show", "XX") },
      ],
    })
    expect([code, output]).toEqual([1, ""])
    expect(errors).toMatch(/wasn't imported: \d+ problems\. Nothing was changed\./)
    for (const place of [
      "organizations/2/slug",
      "organizations/3/time_zone",
      "users/0/email",
      "users/0/name",
      "campaigns/0/lines/0/seller",
      "campaigns/0/lines/1/flight_start",
      "campaigns/0/lines/2/flight_end",
      "campaigns/0/lines/3/currency",
      "campaigns/0/lines/4/booked",
      "hidden_formats/0",
      "products/0",
      "product_sellers/0/seller",
      "agent_keys/0/buyer",
      "agent_keys/1/opened/0/territories/0",
    ])
      expect(errors).toContain(`  /${place}`)
    expect(errors).not.toMatch(/\n\s+at /)
    expect(await given.json("user", "list")).toEqual([])
  })

  test("an unknown product can't be shown to a key", async () => {
    using given = emptyData()
    const { errors } = await given.import({ agent_keys: [{ label: "A", opened: opened("p", "DE") }] })
    expect(errors).toContain('  /agent_keys/0/opened/0/product_id: Unknown product "p".')
  })

  test.each([
    ["a list", [], "/"],
    ["an entry that is nothing", { campaigns: [null] }, "/campaigns/0"],
    ["a text instead of a number", withLine({ rate: "12" }), "/campaigns/0/lines/0/rate"],
  ])("%s has the wrong shape", async (_, file, place) => {
    using given = emptyData()
    const { problems } = JSON.parse((await given.import(file, "--json")).output)
    expect(problems).toEqual([{ place, message: expect.any(String) }])
  })

  test("an unknown field, with the one that was probably meant", async () => {
    using given = emptyData()
    const { errors } = await given.import({ organisations: [] })
    expect(errors).toContain('Unknown field "organisations". Did you mean "organizations"?')
  })
})

describe("a file that can't be read", () => {
  test("the line and the column of an error are named", async () => {
    using given = emptyData()
    const { code, errors } = await given.import('{ "organizations": [\n  { "slug": "a", }\n] }')
    expect(code).toBe(1)
    expect(errors).toContain("isn't valid JSON: there is an error in line 2, column 18. Nothing was changed.")
    expect((await given.import('{ "organizations": [')).errors).toContain("it ends too early")
  })

  test("a missing file, and one that isn't UTF-8, are explained", async () => {
    using given = emptyData()
    expect((await given.run("import", join(given.folder, "missing.json"))).errors).toMatch(
      /^There is no file \S+missing\.json\.\n$/,
    )
    const latin = Buffer.from('{"organizations":[{"slug":"m","name":"M\u00fcller"}]}', "latin1")
    expect(await given.import(latin)).toMatchObject({ code: 1, errors: expect.stringContaining("isn't UTF-8") })
    expect(existsSync(given.data)).toBe(false)
  })
})

describe("an account that exists", () => {
  const MO = { email: "mo@example.com", name: "Mo" }
  const ADMIN = { ...MO, organization: "acme-audio", role: "admin" }
  const withUsers = (...users: readonly object[]) => ({ ...exampleFile(), users })

  test("isn't given rights and loses none: that's an error that names the account", async () => {
    const named = (email: string, rights: object = {}) => ({ email, name: "Mo", ...rights })
    const changes = [
      ["a seat", {}, { organization: "acme-audio" }],
      ["a seat elsewhere", { organization: "acme-audio" }, { organization: "brand-co" }],
      ["an operator's rights", {}, { operator: true }],
      ["a greater role", { organization: "acme-audio" }, { organization: "acme-audio", role: "admin" }],
      ["a lesser role", { organization: "acme-audio", role: "admin" }, { organization: "acme-audio" }],
      ["an operator's end", { operator: true }, { operator: false }],
    ] as const
    using given = await exampleData(withUsers(...changes.map(([, before], i) => named(`${i}@example.com`, before))))
    const rights = await given.json("user", "list")
    const after = changes.map(([, , after], i) => named(`${i}@Example.com`, after))
    const { code, errors } = await given.import(withUsers(...after, named("new@example.com")))
    expect(code).toBe(1)
    for (const [i] of changes.entries())
      expect(errors).toContain(`/users/${i}: ${i}@example.com already has an account with other rights.`)
    expect(await given.json("user", "list")).toEqual(rights)
  })

  test("keeps its rights if the file has the same ones, and may get another name", async () => {
    const people = [
      { ...ADMIN, operator: true },
      { ...MO, organization: "brand-co" },
    ]
    using given = await exampleData(withUsers(...people))
    const rights = await given.json("user", "list")
    expect((await given.import(withUsers(...people))).code).toBe(0)
    expect(await given.json("user", "list")).toEqual(rights)
    expect((await given.import(withUsers({ ...MO, name: "Moritz" }))).code).toBe(0)
    expect(await given.json("user", "list")).toEqual([{ ...rights[0], name: "Moritz" }])
  })
})

describe("once totals are reported for a line, an import doesn't show them to another buyer", () => {
  const OTHER = { slug: "other-co", name: "Other Co" }
  const importing = (...campaigns: readonly object[]) => ({ organizations: [OTHER], campaigns })

  const reportedData = () => dataWith([DELIVERY, { items: [{ package_id: PACKAGE_ID, impressions: 125_000 }] }])

  test("neither with its campaign, nor alone", async () => {
    using given = await reportedData()
    const sold = await given.import(importing({ ...campaign, buyer: "other-co" }))
    expect([
      sold.code,
      sold.errors.includes("/campaigns/0/buyer: This can't change once totals are reported."),
    ]).toEqual([1, true])
    const moved = await given.import(importing({ ...campaign, slug: "elsewhere", buyer: "other-co" }))
    expect([moved.code, moved.errors.includes("/campaigns/0/lines/0/package_id: This line is in another")]).toEqual([
      1,
      true,
    ])
    expect(await given.import(importing(campaign))).toMatchObject({ code: 0 })
  })
})

test("affiliate value doesn't get another currency by an import", async () => {
  const metrics = [{ code: "TUI10", date: "2026-11-05", clicks: 3, conversions: 1, conversionValue: 345.67 }]
  using given = await dataWith([CODES, { codes: [{ code: "TUI10", packageId: PACKAGE_ID }] }], [METRICS, { metrics }])
  const { code, errors } = await given.import(withLine({ currency: "USD" }))
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining("lines/0/currency: The line's affiliate value is in EUR."),
  ])
})

/** The example after a seller's system has sent this. */
async function dataWith(...sent: readonly (readonly [path: string, body: object])[]) {
  const given = await exampleData()
  await using server = await startProgram({ data: given.data })
  const { key } = await given.json("key", "create", "--org", "acme-audio", "--label", "Ad server")
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  for (const [path, body] of sent) {
    const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) })
    expect(await response.text()).toMatch(/"(accepted|upserted)":1/)
  }
  return given
}
