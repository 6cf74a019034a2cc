import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { sqliteStore } from "../../../src/storage/sqlite/index.ts"
import { hasBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { adbooth } from "./in-process.ts"

setDefaultTimeout(180_000)

// A database with something of nearly everything, of an older version, as a server of this one has upgraded it.
const FIXTURE = "test/fixtures/0.1.0.sql"

let folder: ReturnType<typeof temporaryFolder>
let data = ""

const on = (...args: string[]) => adbooth([...args, "--data", data])
const json = async (...args: string[]) => JSON.parse((await on(...args, "--json")).out)

beforeAll(async () => {
  folder = temporaryFolder()
  data = folder.path
  {
    using database = new Database(join(data, "adbooth.db"))
    database.run(await Bun.file(FIXTURE).text())
  }
  await sqliteStore(data, "test").store[Symbol.asyncDispose]()
})
afterAll(() => folder[Symbol.dispose]())

describe.if(hasBinary)("lists and what is in them", () => {
  test.each(["org", "campaign", "product", "format"])("%s list and show agree", async (noun) => {
    const listed = (await json(noun, "list")) as Record<string, unknown>[]
    expect(listed.length).toBeGreaterThan(0)
    const idOf = (one: Record<string, unknown>) => String(one["slug"] ?? one["product_id"] ?? one["format_id"])
    const text = await on(noun, "list")
    for (const one of listed) expect(text.out).toContain(idOf(one))
    const [first = {}] = listed
    const shown = (await json(noun, "show", idOf(first))) as Record<string, unknown>
    expect(shown["name"]).toBe(first["name"] as string)
    expect((await on(noun, "show", idOf(first))).out).toContain(idOf(first))
    const unknown = await on(noun, "show", "no-such-thing")
    expect(unknown).toMatchObject({ code: 1, out: "", err: expect.stringContaining('"no-such-thing"') })
  })

  test.each(["org list", "campaign list", "product list", "line list", "key list", "calls"])(
    "%s without entries prints nothing, and says so to people",
    async (words) => {
      using empty = temporaryFolder()
      await adbooth(["import", "-", "--data", empty.path], { input: "{}" })
      const args = [...words.split(" "), "--data", empty.path]
      expect(await adbooth(args)).toMatchObject({ code: 0, out: "", err: expect.stringMatching(/^No .* yet\./) })
      expect(await adbooth([...args, "--json"])).toEqual({ code: 0, out: "[]\n", err: "" })
    },
  )

  test("calls by key and by time", async () => {
    const all = (await json("calls")) as { agent_key: { id: string } | null; at: string }[]
    const keyed = all.filter(({ agent_key: key }) => key !== null)
    expect(keyed.length).toBeGreaterThan(0)
    expect(await json("calls", "--key", keyed[0]?.agent_key?.id ?? "")).toEqual(
      keyed.filter(({ agent_key: key }) => key?.id === keyed[0]?.agent_key?.id),
    )
    expect(await json("calls", "--key", "anonymous")).toEqual(all.filter(({ agent_key: key }) => key === null))
    expect(await json("calls", "--since", all.at(-1)?.at ?? "")).toContainEqual(all.at(-1))
    expect(await json("calls", "--since", "2999-01-01")).toEqual([])
    expect(await on("calls", "--since", "2999-01-01")).toMatchObject({ code: 0, out: "", err: "No calls match.\n" })
    expect(await on("calls", "--since", "soon")).toMatchObject({ code: 2 })
  })
})

describe.if(hasBinary)("everything", () => {
  test("export --all has every row that a backup has, but sessions and links", async () => {
    using other = temporaryFolder()
    const file = join(other.path, "everything.jsonl")
    expect(await on("export", "--all", file)).toMatchObject({ code: 0, err: "" })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const [head, ...lines] = (await Bun.file(file).text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    const { end } = lines.pop()
    expect(head).toEqual({ adbooth_export: 1, schema: expect.any(Number), catalogue_revision: expect.any(Number) })
    expect(end).toEqual({ rows: lines.length })
    const { rows } = await json("backup", join(other.path, "copy.db"))
    const exported = Object.groupBy(lines, (line) => Object.keys(line)[0] ?? "")
    for (const [table, count] of Object.entries<number>(rows)) {
      if (["session", "one_time_link"].includes(table)) expect(exported[table]).toBeUndefined()
      else expect({ table, rows: exported[table]?.length ?? 0 }).toEqual({ table, rows: count })
    }
  })

  test("export --csv has a file for each table, with names for numbers and without any secret", async () => {
    using other = temporaryFolder()
    const target = join(other.path, "csv")
    const { files } = await json("export", "--csv", target)
    expect(readdirSync(target).sort()).toEqual(files.map(({ file }: { file: string }) => file).sort())
    const read = (name: string) => Bun.file(join(target, name)).text()
    const [first] = await json("line", "list")
    expect(await read("package-line.csv")).toContain(`${first.package_id},${first.campaign},${first.seller}`)
    expect(await read("delivery-report.csv")).toMatch(/^as_of,package_id,quantity,received_at,source/)
    expect(await read("membership.csv")).toMatch(/^user,organization,role\n\S+@\S+,[a-z-]+,(admin|member)\n/)
    const all = (await Promise.all(readdirSync(target).map(read))).join("")
    using database = new Database(join(data, "adbooth.db"), { readonly: true })
    const secrets = [
      "user.password_hash",
      "user.totp_secret",
      "ingest_key.fingerprint",
      "agent_key.fingerprint",
      "share_link.token_hash",
      "invitation.token_hash",
    ]
    for (const place of secrets) {
      const [table = "", column = ""] = place.split(".")
      const found = database.query(`SELECT "${column}" AS secret FROM "${table}" WHERE "${column}" IS NOT NULL`).all()
      for (const { secret } of found as { secret: string }[])
        expect({ place, shown: all.includes(secret) }).toEqual({ place, shown: false })
    }
    expect(database.query("SELECT count(*) AS count FROM delivery_report").get()).toEqual({
      count: files.find(({ file }: { file: string }) => file === "delivery-report.csv").rows,
    })
  })
})
