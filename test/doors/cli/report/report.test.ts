import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { databasePath } from "../../../../src/storage/sqlite/engine/open.ts"
import { givenIngestKey, givenOrganization, givenPackageLine } from "../../../given.ts"
import { startApp, type TestApp, temporaryFolder } from "../../../harness.ts"
import { currentTotal, historyOf, sendCodes } from "../../ingest/feed.ts"
import { type RunWishes, runCommand } from "../in-process.ts"

async function given(options: Record<string, string> = {}) {
  const app = await startApp({ options })
  const seller = await givenOrganization(app)
  const line = await givenPackageLine(app, { seller })
  const key = await givenIngestKey(app, seller)
  const report = (csv: string, args: readonly string[] = [], wishes: RunWishes = {}) =>
    runCommand(["report", "-", "--url", app.url, ...args], {
      input: csv,
      environment: { ADBOOTH_KEY: key },
      wait: (seconds) => app.clock.advance({ seconds }),
      ...wishes,
    })
  return { app, seller, line, key, report, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const stored = <Row>(app: TestApp, sql: string) => {
  using database = new Database(databasePath(app.config.data), { readonly: true })
  return database.query<Row, []>(sql).all()
}

/** Hands every request on, but hangs up on the first callers before they hear the answer. */
function hangingUpProxy(target: string, times: number): Disposable & { readonly url: string } {
  let calls = 0
  const server = createServer((socket) => {
    let heard = ""
    socket.on("error", () => undefined)
    socket.on("data", async (data) => {
      heard += String(data)
      const [head = "", body] = heard.split("\r\n\r\n")
      if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1])) return
      const path = head.split(" ")[1] ?? ""
      const Authorization = /authorization: (.*)/i.exec(head)?.[1]?.trim() ?? ""
      const headers = { Authorization, "Content-Type": "text/csv" }
      const text = await (await fetch(target + path, { method: "POST", headers, body })).text()
      if (calls++ < times) socket.destroy()
      else socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
    })
  })
  server.listen(0, "127.0.0.1")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void server.close(),
  }
}

describe("report sends a CSV file", () => {
  test("the header row decides the columns; the summary goes to standard error", async () => {
    await using g = await given()
    const ran = await g.report(`as_of,note,impressions,package_id\n2026-11-14,x,1200,${g.line.packageId}\n`)
    expect(ran).toEqual({ code: 0, out: "", err: "1 total reported.\n", waits: [] })
    expect(await currentTotal(g.app, g.line.packageId)).toMatchObject({ quantity: 1200 })
  })

  test("as spreadsheets write it: byte order mark, semicolons, quotes, Windows line ends, empty lines", async () => {
    await using g = await given()
    const ran = await g.report(`\ufeff"package_id";"impressions"\r\n"${g.line.packageId}"; 7 \r\n\r\n`)
    expect(ran.code).toBe(0)
    expect(await currentTotal(g.app, g.line.packageId)).toMatchObject({ quantity: 7 })
  })

  test("a comma inside a figure never cuts it", async () => {
    await using g = await given()
    const german = await g.report(`package_id;impressions\n${g.line.packageId};1234,0\n`)
    expect(german.err).toBe("1 total reported.\n")
    expect(await currentTotal(g.app, g.line.packageId)).toMatchObject({ quantity: 1_234 })
    const grouped = await g.report(`package_id,impressions\n${g.line.packageId},1,234\n`)
    expect(grouped).toMatchObject({ code: 1, out: expect.stringContaining("It has 3 cells, but the header has 2") })
  })

  test("a number that can be read in two ways is rejected with both", async () => {
    await using g = await given()
    const line = await givenPackageLine(g.app, { seller: g.seller, pricingBasis: "downloads" })
    const { out } = await g.report(`package_id,downloads\n${line.packageId},217.500\n`)
    expect(out).toContain(",invalid_item,")
    expect(out).toContain("217.500 can mean 217500 or 217.5.")
    expect(await currentTotal(g.app, line.packageId)).toBeNull()
  })

  test("rejected rows come back as CSV with row and reason, and the exit code says so", async () => {
    await using g = await given()
    const missing = crypto.randomUUID()
    const ran = await g.report(
      `package_id,impressions,note\n${g.line.packageId},5,"fine, really"\n${missing},5,"a, b"\n${g.line.packageId},many,\n`,
    )
    expect(ran.code).toBe(1)
    expect(ran.out.split("\n")).toEqual([
      "package_id,impressions,note,row,reason,message",
      expect.stringMatching(new RegExp(`^${missing},5,"a, b",3,not_seller,"?None of your lines has the ID`)),
      expect.stringMatching(new RegExp(`^${g.line.packageId},many,,4,invalid_item,.*many is not a number`)),
      "",
    ])
    expect(ran.err).toStartWith("1 total reported; 2 rejected.\n")
  })

  test("the CSV of rejected rows can be corrected and sent as it is", async () => {
    await using g = await given()
    using folder = temporaryFolder()
    const file = join(folder.path, "rejected.csv")
    expect((await g.report(`package_id,impressions\n${g.line.packageId},x\n`, ["--rejected", file])).out).toBe("")
    const corrected = (await Bun.file(file).text()).replace(",x,", ",9,")
    expect(await g.report(corrected)).toMatchObject({ code: 0, out: "" })
    const wrongAgain = await g.report(corrected.replace(",9,", ",-1,"))
    expect(wrongAgain.out.split("\n")[0]).toBe("package_id,impressions,row,reason,message")
  })

  test("--json prints one document and nothing else", async () => {
    await using g = await given()
    const ran = await g.report(`package_id,impressions\n${g.line.packageId},1\nnonsense,1\n`, ["--json"])
    expect(JSON.parse(ran.out)).toMatchObject({
      rows: 2,
      accepted: 1,
      rejected: 1,
      ignored: 0,
      dry_run: false,
      problems: [{ reason: "invalid_item", rows: "3" }],
    })
    const dry = await g.report(`package_id,impressions\n${g.line.packageId},1\n`, ["--json", "--dry-run"])
    expect(JSON.parse(dry.out)).toMatchObject({ rows: 1, accepted: 1, rejected: 0, dry_run: true })
    expect(Object.keys(JSON.parse(dry.out))).toEqual(Object.keys(JSON.parse(ran.out)))
  })

  test("--dry-run gets the answers and writes nothing", async () => {
    await using g = await given()
    const ran = await g.report(`package_id,impressions\n${g.line.packageId},1\n`, ["--dry-run"])
    expect(ran.err).toContain("Nothing was written: this was a dry run.")
    expect(await currentTotal(g.app, g.line.packageId)).toBeNull()
  })

  test("from a file by its name", async () => {
    await using g = await given()
    using folder = temporaryFolder()
    const file = join(folder.path, "totals.csv")
    await Bun.write(file, `package_id,impressions\n${g.line.packageId},3\n`)
    const environment = { MY_KEY: g.key }
    const ran = await runCommand(["report", file, "--url", `${g.app.url}/`, "--key-env", "MY_KEY"], { environment })
    expect(ran.code).toBe(0)
  })

  test("affiliate codes and affiliate metrics, exact to the last digit", async () => {
    await using g = await given()
    const codes = await g.report(`packageId,code,slug\n${g.line.packageId},A,first\n${g.line.packageId},B,\n`, [
      "--affiliate-codes",
    ])
    expect(codes.err).toBe("2 codes reported.\n")
    const metrics = await g.report(
      "code,date,clicks,conversions,conversionValue\nA,2026-11-14,10,,8999999999.123457\nB,2026-11-14,,2,\nC,2026-11-14,1,,\n",
      ["--affiliate-metrics"],
    )
    expect(metrics.out).toContain("C,2026-11-14,1,,,4,not_seller,None of your lines has this code.")
    expect(stored(g.app, "SELECT clicks, conversions, value_micros AS micros FROM affiliate_metric")).toEqual([
      { clicks: 10, conversions: null, micros: 8999999999123457 },
      { clicks: null, conversions: 2, micros: null },
    ])
  })

  test("many totals of one line, in the order of the file", async () => {
    await using g = await given({ limitIngest: "100" })
    const other = await givenPackageLine(g.app, { seller: g.seller })
    const days = Array.from({ length: 10 }, (_, i) => i + 1)
    const rows = [g.line, other].flatMap(({ packageId }) => days.map((day) => `${packageId},${day}`))
    const ran = await g.report(`package_id,impressions\n${rows.join("\n")}\n`)
    expect(ran).toMatchObject({ code: 0, waits: [] })
    for (const { packageId } of [g.line, other]) {
      expect(await currentTotal(g.app, packageId)).toMatchObject({ quantity: 10 })
      expect((await historyOf(g.app, g.seller, packageId)).map(({ quantity }) => quantity)).toEqual(days.toReversed())
    }
  })
})

describe("report gets through", () => {
  test("obeys Retry-After", async () => {
    await using g = await given({ limitIngest: "1" })
    const csv = (total: number) => `package_id,impressions\n${g.line.packageId},${total}\n`
    expect((await g.report(csv(1))).waits).toEqual([])
    const ran = await g.report(csv(2))
    expect([ran.code, ran.waits]).toEqual([0, [60]])
    expect(ran.err).toContain("The server asks for a pause. Retrying in 60 s.")
  })

  test("sends again what broke on the way, also when the server had taken it", async () => {
    await using g = await given()
    using proxy = hangingUpProxy(g.app.url, 2)
    const ran = await g.report(`package_id,impressions,as_of\n${g.line.packageId},5,2026-11-14\n`, ["--url", proxy.url])
    expect(ran).toMatchObject({ code: 0, waits: [1, 2] })
    expect(await historyOf(g.app, g.seller, g.line.packageId)).toHaveLength(1)
  })

  test("gives up in the end, and says what was done", async () => {
    await using g = await given()
    const ran = await g.report(`package_id,impressions\n${g.line.packageId},5\n`, ["--url", "http://127.0.0.1:1"])
    expect(ran.code).toBe(1)
    expect(ran.waits).toEqual([1, 2, 4, 8, 15, 30, 60, 120])
    expect(ran.err).toContain("http://127.0.0.1:1 cannot be reached")
  })
})

describe("report says what is wrong", () => {
  test.each([
    ["a wrong key", "package_id\nx\n", ["--key-env", "WRONG"], 1, "refused the request with 401"],
    ["no key", "package_id\nx\n", ["--key-env", "NOTHING"], 2, "NOTHING is not set"],
    ["an address that is none", "package_id\nx\n", ["--url", "ftp://x"], 2, "--url must be an address"],
    ["an address of something else", "package_id\nx\n", ["--url", "URL/elsewhere"], 1, "refused the request with 404"],
    ["an address with a query", "package_id\nx\n", ["--url", "http://h?x=1"], 2, "--url must be an address without"],
    ["an address with a fragment", "package_id\nx\n", ["--url", "http://h/#y"], 2, "--url must be an address without"],
    ["an address with a password", "package_id\nx\n", ["--url", "http://u:p@h"], 2, "--url must be an address without"],
    ["a key in two lines", "package_id\nx\n", ["--key-env", "LINES"], 2, "LINES does not hold an API key"],
    ["a key with a typographic dash", "package_id\nx\n", ["--key-env", "DASH"], 2, "DASH does not hold an API key"],
    ["rejected rows without a file", "package_id\nx\n", ["--rejected", ""], 2, "--rejected must name a file"],
    ["rejected rows for a folder", "package_id\nx\n", ["--rejected", "x/"], 2, "--rejected must name a file"],
    [
      "rejected rows in a folder that is not there",
      "package_id\nx\n",
      ["--rejected", "/nowhere/at/all/x"],
      1,
      "The folder /nowhere/at/all does not exist.",
    ],
    ["figures that are neither", "package_id\nx\n", ["--figures", "weekly"], 2, "--figures must be totals or daily"],
    ["two kinds at once", "code\n", ["--affiliate-codes", "--affiliate-metrics"], 2, "either"],
    ["columns that nobody knows", "what,impressions\nx,1\n", [], 1, 'not have our names: "what", "impressions"'],
    ["a missing column", "what,slug\nx,1\n", ["--affiliate-codes"], 1, "has no column packageId and code"],
    ["two missing columns", "clicks\n1\n", ["--affiliate-metrics"], 1, "has no column code and date"],
    ["nothing at all", "", [], 1, "is empty"],
    ["a quote that does not end", 'package_id,impressions\n"x,1\n', [], 1, "could not be read as CSV"],
  ])("%s", async (_, csv, args, code, sentence) => {
    await using g = await given()
    const cut = g.key.slice(0, 20)
    const environment = {
      ADBOOTH_KEY: g.key,
      WRONG: `${g.key}x`,
      LINES: `${cut}\n${g.key.slice(20)}`,
      DASH: `${g.key}\u2013`,
    }
    const ran = await g.report(
      csv,
      args.map((arg) => arg.replace("URL", g.app.url)),
      { environment },
    )
    expect(ran.code).toBe(code)
    expect(ran.err).toContain(sentence)
    expect(ran.err + ran.out).not.toContain(g.key.slice(12, 20))
    expect(ran.waits).toEqual([])
  })

  test("a file that is not there", async () => {
    const ran = await runCommand(["report", "nowhere.csv"], { environment: { ADBOOTH_KEY: "x" } })
    expect(ran.code).toBe(1)
    expect(ran.err).toContain("nowhere.csv.")
  })

  test("a header without rows is an error, and so is a file of which nothing is accepted", async () => {
    await using g = await given()
    const empty = await g.report("package_id,impressions\n")
    expect([empty.code, empty.err]).toEqual([1, "There are no rows below the header.\n"])
    const others = await g.report("external_id,impressions\nnobody,5\n", ["--json"])
    expect([others.code, JSON.parse(others.out)]).toMatchObject([1, { accepted: 0, rejected: 0, ignored: 1 }])
  })

  test("codes of another organization are refused row by row", async () => {
    await using g = await given()
    const other = await givenPackageLine(g.app)
    await sendCodes(g.app, await givenIngestKey(g.app, other.seller), [{ packageId: other.packageId, code: "THEIRS" }])
    const ran = await g.report("code,date,clicks\nTHEIRS,2026-11-14,1\n", ["--affiliate-metrics"])
    expect(ran.out).toContain("THEIRS,2026-11-14,1,2,not_seller,")
  })
})
