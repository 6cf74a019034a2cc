import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { sqliteStore } from "../../../src/storage/sqlite/index.ts"
import { hasBinary } from "../../binary.ts"
import { temporaryFolder } from "../../harness.ts"
import { adbooth } from "./in-process.ts"

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
  test.each(["line list", "key list", "agent-key list", "user list", "calls"])(
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
  test("export --all and restore give the same installation, also compressed and through a pipe", async () => {
    using other = temporaryFolder()
    const file = join(other.path, "everything.jsonl")
    expect(await on("export", "--all", file)).toMatchObject({ code: 0, err: "" })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const copy = join(other.path, "copy")
    expect(await adbooth(["backup", "restore", file, "--data", copy])).toMatchObject({ code: 0 })
    const again = await adbooth(["export", "--all", "-", "--data", copy])
    expect(comparable(again.out)).toEqual(comparable(await Bun.file(file).text()))
    const packed = join(other.path, "everything.jsonl.gz")
    await Bun.write(packed, Bun.gzipSync(again.out))
    expect(await adbooth(["backup", "restore", packed, "--data", join(other.path, "second")])).toMatchObject({
      code: 0,
    })
    expect((await adbooth(["doctor", "--data", copy])).out).toContain("every total matches its history")
  })

  test.each([
    ["cut off", (text: string) => text.slice(0, text.length / 2), "is damaged: line"],
    ["without its end", (text: string) => text.replace(/\{"end".*\n$/, ""), "is incomplete"],
    ["with a row too few", (text: string) => text.replace(/\n\{"organization".*/, ""), "is incomplete"],
    ["of another version", (text: string) => text.replace(/"schema":\d+/, '"schema":999'), "of another version"],
    ["with a table that nobody knows", (text: string) => text.replace('{"user":', '{"usr":'), "unknown table in line"],
    ["with a number for a name", (text: string) => text.replace(/"slug":"[^"]*"/, '"slug":1'), "has no valid slug"],
  ])("an export %s is refused, and changes nothing", async (_, spoil, why) => {
    using other = temporaryFolder()
    const { out } = await on("export", "--all", "-")
    const refused = await adbooth(["backup", "restore", "-", "--data", join(other.path, "copy")], { input: spoil(out) })
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining(why) })
    expect(readdirSync(other.path)).toEqual([])
  })

  test("export --csv says where no folder can be made", async () => {
    using other = temporaryFolder()
    await Bun.write(join(other.path, "file"), "")
    const target = join(other.path, "file", "csv")
    const refused = await on("export", "--csv", target)
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`The folder ${target} cannot be created`)])
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

/** Without the revision of the catalogue, which moves with every copy. */
function comparable(text: string): string[] {
  return text.split("\n").filter((line) => !line.includes("catalogue_revision"))
}
