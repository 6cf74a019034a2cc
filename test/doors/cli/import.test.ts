import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../harness.ts"
import { EXAMPLE_FILE } from "./example-file.ts"
import { adbooth } from "./in-process.ts"

const PACKAGE_ID = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"

/** A folder with a file in it, and a data directory that does not exist yet. */
async function given(value: unknown) {
  const folder = temporaryFolder()
  const file = join(folder.path, "catalogue.json")
  await Bun.write(file, typeof value === "string" ? value : JSON.stringify(value))
  return { folder, file, data: join(folder.path, "data"), [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const first = EXAMPLE_FILE.campaigns[0]
const line = first?.lines[0]

/** The example with one line changed. */
function withLine(change: Record<string, unknown>) {
  return { ...EXAMPLE_FILE, campaigns: [{ ...first, lines: [{ ...line, ...change }] }] }
}

describe("adbooth import", () => {
  test("upserts; importing again updates", async () => {
    using at = await given(EXAMPLE_FILE)
    const once = await adbooth(["import", at.file, "--data", at.data, "--json"])
    expect(once).toMatchObject({ code: 0, err: "" })
    expect(JSON.parse(once.out).lines).toEqual({ created: 1, updated: 0 })
    const twice = await adbooth(["import", at.file, "--data", at.data, "--json"])
    expect(JSON.parse(twice.out).lines).toEqual({ created: 0, updated: 1 })
  })

  test("a new agent key's secret is printed once, under agent_keys[].key", async () => {
    using at = await given(EXAMPLE_FILE)
    const once = await adbooth(["import", at.file, "--data", at.data, "--json"])
    expect(JSON.parse(once.out).agent_keys[0]).toMatchObject({
      label: "Buyer X",
      key: expect.stringMatching(/^aba_\w{38}$/),
    })
    const twice = await adbooth(["import", at.file, "--data", at.data, "--json"])
    expect(JSON.parse(twice.out).agent_keys[0]).not.toHaveProperty("key")
  })

  test("package_id may be left out, and is then made; importing again updates the same line", async () => {
    using at = await given(withLine({ package_id: undefined }))
    await adbooth(["import", at.file, "--data", at.data])
    await adbooth(["import", at.file, "--data", at.data])
    const lines = JSON.parse((await adbooth(["line", "list", "--data", at.data, "--json"])).out)
    expect(lines).toEqual([
      expect.objectContaining({ name: "Pre-roll", package_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    ])
  })

  test("reads standard input with -", async () => {
    using at = await given("")
    const done = await adbooth(["import", "-", "--data", at.data], { input: JSON.stringify(EXAMPLE_FILE) })
    expect(done.code).toBe(0)
  })

  test.each([
    [
      "a key that acts for an unknown organization",
      { ...EXAMPLE_FILE, agent_keys: [{ label: "Buyer X", buyer: "nobody" }] },
      "/agent_keys/0/buyer",
      "nobody",
    ],
    ["a line of an unknown seller", withLine({ seller: "nobody" }), "/campaigns/0/lines/0/seller", "nobody"],
    [
      "a flight start of 30 February",
      withLine({ flight_start: "2026-02-30" }),
      "/campaigns/0/lines/0/flight_start",
      "2026-02-30",
    ],
    [
      "a flight that ends before it starts",
      withLine({ flight_end: "2026-10-01" }),
      "/campaigns/0/lines/0/flight_end",
      "2026-11-01",
    ],
    [
      "a rate without a currency",
      withLine({ currency: null }),
      "/campaigns/0/lines/0/currency",
      "required with a rate",
    ],
    [
      "a quantity booked at a flat rate",
      withLine({ pricing_basis: "flat_rate" }),
      "/campaigns/0/lines/0/booked",
      "a flat rate has no quantity",
    ],
    [
      "a duplicate slug",
      {
        organizations: [
          { slug: "a", name: "A" },
          { slug: "a", name: "B" },
        ],
      },
      "/organizations/1/slug",
      "/organizations/0",
    ],
    [
      "an unknown time zone",
      { organizations: [{ slug: "a", name: "A", time_zone: "Mars/Base" }] },
      "/organizations/0/time_zone",
      "Mars/Base",
    ],
    ["a misspelt field", { organisations: [] }, "/organisations", "unknown field"],
    ["a product without its fields", { products: [{ product_id: "p" }] }, "/products/0/pricing_options", "required"],
    [
      "an opening of an unknown product",
      { agent_keys: [{ label: "x", opened: [{ product_id: "p", territories: ["DE"] }] }] },
      "/agent_keys/0/opened/0/product_id",
      '"p"',
    ],
    [
      "a country that is none",
      { agent_keys: [{ label: "x", opened: [{ product_id: "p", territories: ["XX"] }] }] },
      "/agent_keys/0/opened/0/territories/0",
      '"XX"',
    ],
    ["not an object", [], "/", "object"],
  ])("%s is named with its place, and nothing is written", async (_, file, pointer, word) => {
    using at = await given(file)
    const refused = await adbooth(["import", at.file, "--data", at.data])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(`${pointer}: `)
    expect(refused.err).toContain(word)
    expect(refused.err).not.toMatch(/\n\s+at /)
    expect(refused.out).toBe("")
    const lines = await adbooth(["line", "list", "--json", "--data", at.data])
    expect(JSON.parse(lines.out || "[]")).toEqual([])
  })

  test("every problem is reported, not only the first", async () => {
    using at = await given({
      ...withLine({ flight_start: "2026-02-30", seller: "nobody" }),
      users: [{ email: "x", name: "" }],
    })
    const shape = await adbooth(["import", at.file, "--data", at.data])
    expect(shape.err).toContain("/users/0/email")
    expect(shape.err).toContain("/users/0/name")
    using other = await given(withLine({ flight_start: "2026-02-30", seller: "nobody" }))
    const meaning = await adbooth(["import", other.file, "--data", other.data])
    expect(meaning.err).toContain("/campaigns/0/lines/0/flight_start")
    expect(meaning.err).toContain("/campaigns/0/lines/0/seller")
  })

  test("and in one round, however malformed another part is, each with its own place", async () => {
    const line = { ...(EXAMPLE_FILE.campaigns[0]?.lines ?? [])[0], package_id: undefined }
    const { lines: _, ...campaign } = EXAMPLE_FILE.campaigns[0] ?? { lines: [] }
    using at = await given({
      ...EXAMPLE_FILE,
      organizations: [{ slug: "only-malformed" }, ...EXAMPLE_FILE.organizations],
      users: [{ email: "x" }, { email: "b@example.com", name: "B", organization: "nobody" }],
      campaigns: [
        { name: "no slug" },
        {
          ...campaign,
          lines: [
            { ...line, rate: "12" },
            { ...line, name: "B", flight_start: "2026-02-30" },
          ],
        },
        { ...campaign, buyer: "only-malformed" },
      ],
      hidden_formats: ["no_such_format"],
      agent_keys: 5,
    })
    const refused = await adbooth(["import", at.file, "--json", "--data", at.data])
    const { problems } = JSON.parse(refused.out) as { problems: { place: string; message: string }[] }
    expect(problems.map(({ place }) => place).sort()).toEqual([
      "/agent_keys",
      "/campaigns/0/buyer",
      "/campaigns/0/slug",
      "/campaigns/1/lines/0/rate",
      "/campaigns/1/lines/1/flight_start",
      "/campaigns/2/slug",
      "/hidden_formats/0",
      "/organizations/0/name",
      "/users/0/email",
      "/users/0/name",
      "/users/1/organization",
    ])
    expect(problems.find(({ place }) => place === "/campaigns/2/slug")?.message).toContain("/campaigns/1")
  })

  test.each([
    [{ users: [5], products: [null] }, "/products/0"],
    [{ users: [5], formats: [null] }, "/formats/0"],
    [{ users: [5], campaigns: [null, 7, []] }, "/campaigns/1"],
    [{ "my-notes": [null] }, "/my-notes"],
  ])("and entries that are nothing at all: %j", async (file, place) => {
    using at = await given(file)
    const refused = await adbooth(["import", at.file, "--json", "--data", at.data])
    const { problems } = JSON.parse(refused.out) as { problems: { place: string }[] }
    expect(problems.map(({ place }) => place)).toContain(place)
  })

  test("a missing file and invalid JSON are told in a sentence, exit code 1", async () => {
    using at = await given('{ "organizations": [\n  { "slug": "a", }\n] }')
    expect(await adbooth(["import", at.file, "--data", at.data])).toMatchObject({
      code: 1,
      err: `${at.file} is not valid JSON: the error is in line 2, column 18. Nothing was changed.\n`,
    })
    const missing = await adbooth(["import", `${at.file}.nope`, "--data", at.data])
    expect(missing).toMatchObject({ code: 1, err: `There is no file ${at.file}.nope.\n` })
  })

  test("a file in another encoding than UTF-8 is refused, so that no letter of a name is lost", async () => {
    using at = await given("")
    await Bun.write(at.file, Buffer.from('{"organizations":[{"slug":"m","name":"M\u00fcller"}]}', "latin1"))
    const refused = await adbooth(["import", at.file, "--data", at.data])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is not UTF-8") })
  })

  test("what older versions stored is exported, and an import says what it lacks", async () => {
    using at = await given(EXAMPLE_FILE)
    await adbooth(["import", at.file, "--data", at.data])
    const database = new Database(join(at.data, "adbooth.db"))
    database.run("UPDATE package_line SET currency = NULL")
    const bare = await adbooth(["export", "--data", at.data])
    expect(bare.code).toBe(0)
    expect((await adbooth(["import", "-", "--data", at.data], { input: bare.out })).err).toContain(
      "required with a rate",
    )
    database.run("UPDATE package_line SET currency = 'EUR', pricing_basis = 'flat_rate'")
    database.close()
    const flat = await adbooth(["export", "--data", at.data])
    expect([flat.err, await adbooth(["import", "-", "--data", at.data], { input: flat.out })]).toMatchObject([
      "",
      { code: 0 },
    ])
  })

  test("export then import into an empty directory gives the same catalogue", async () => {
    using at = await given({ ...EXAMPLE_FILE, hidden_formats: [] })
    await adbooth(["import", at.file, "--data", at.data])
    const exported = await adbooth(["export", "--data", at.data])
    expect(exported.out).not.toMatch(/aba_\w{20,}/)
    const again = join(at.folder.path, "again")
    mkdirSync(again)
    await adbooth(["import", "-", "--data", again], { input: exported.out })
    expect((await adbooth(["export", "--data", again])).out).toBe(exported.out)
    expect(JSON.parse(exported.out).campaigns[0].lines[0].package_id).toBe(PACKAGE_ID)
  })
})
