import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { BUILT_IN } from "../../../src/domain/presets/built-in.ts"
import { formatMoment } from "../../../src/domain/time/moment.ts"
import type { FileResult } from "../../../src/doors/cli/watch/folder.ts"
import { startApp, type TestApp, temporaryFolder } from "../../harness.ts"
import { CODES, EXPORTS, givenSeller, historyOf, LINES, type Seller, totalOf } from "./exports.ts"
import { type Ran, type RunWishes, runCommand } from "./in-process.ts"

const MADE = "2026-11-15T06:00:00Z"
const HEADER = "Dimension.DATE,Dimension.LINE_ITEM_ID,Column.AD_SERVER_IMPRESSIONS"
const days = (...rows: readonly (readonly [string, number])[]) =>
  [HEADER, ...rows.map(([day, count]) => `${day},5001,${count}`), ""].join("\n")

let app: TestApp
let seller: Seller
let folder: ReturnType<typeof temporaryFolder>

beforeAll(async () => {
  app = await startApp({ options: { limitIngest: "100000" } })
})
afterAll(async () => {
  folder?.[Symbol.dispose]()
  await app[Symbol.asyncDispose]()
})

interface Tried {
  readonly ran: Ran
  readonly files: readonly FileResult[]
  readonly left: readonly string[]
}

async function watchOnce(wishes: RunWishes & { readonly url?: string } = {}): Promise<Tried> {
  const { url = app.url, ...rest } = wishes
  const environment = { ADBOOTH_KEY: seller.key, ...rest.environment }
  const ran = await runCommand(["report", "watch", folder.path, "--once", "--json", "--url", url], {
    clock: app.clock,
    ...rest,
    environment,
  })
  const { files = [], left = [] } = ran.out === "" ? {} : (JSON.parse(ran.out) as Partial<Tried>)
  return { ran, files, left }
}

function drop(name: string, content: string | Uint8Array, made = MADE): string {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  utimesSync(path, new Date(made), new Date(made))
  return path
}

const inFolder = (...names: string[]) => readdirSync(join(folder.path, ...names)).filter((one) => !one.startsWith("."))
const resultOf = (place: string) =>
  JSON.parse(readFileSync(join(folder.path, `${place}.result.json`), "utf8")) as FileResult
const statuses = (files: readonly FileResult[]) => Object.fromEntries(files.map(({ file, status }) => [file, status]))

/** Hands requests on to the server, and says when a file has arrived there. */
function inFrontOf({ url }: TestApp, arrived: () => void) {
  return Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      const body = method === "POST" ? await request.bytes() : null
      const answer = await fetch(url + pathname + search, { method, headers, body })
      if (method === "POST") arrived()
      return new Response(await answer.text(), { status: answer.status, headers: answer.headers })
    },
  })
}

describe("a watched folder", () => {
  beforeEach(async () => {
    folder?.[Symbol.dispose]()
    folder = temporaryFolder()
    seller = await givenSeller(app)
  })

  test("has an export in the shape of every preset, and the totals are right", async () => {
    expect([...EXPORTS.keys()].sort()).toEqual(BUILT_IN.map(({ name }) => name).sort())
    for (const { file, text } of EXPORTS.values()) drop(file, text)
    const { ran, files } = await watchOnce()
    expect([ran.code, ran.err]).toEqual([0, ""])
    for (const [preset, { file }] of EXPORTS) {
      const result = files.find((one) => one.file === file)
      expect([file, result?.status, result?.report?.preset]).toEqual([file, "reported", preset])
      expect(existsSync(join(folder.path, "done", file))).toBe(true)
      expect(resultOf(`done/${file}`)).toEqual(result as FileResult)
    }
    expect(inFolder()).toEqual(["done"])
    for (const [externalId, , quantity, asOf] of LINES) {
      const total = await totalOf(app, seller, externalId)
      expect([externalId, total?.quantity, formatMoment(total?.asOf ?? 0)]).toEqual([externalId, quantity, asOf])
    }
    const codes = (await app.store.affiliateFigures.figures({ organizationIds: [seller.organizationId] })).codes
    for (const [code, expected] of Object.entries(CODES)) {
      const codeId = codes.find((one) => one.code === code)?.codeId ?? 0
      const figures = (await app.store.affiliateFigures.figures({ organizationIds: [seller.organizationId], codeId }))
        .days
      const seen = figures.map(({ date, clicks, conversions, valueMicros }) => [date, clicks, conversions, valueMicros])
      expect([code, seen]).toEqual([code, expected])
    }
  })

  test("takes exports as programs write them: line ends, byte order marks, UTF-16, compressed", async () => {
    const windows = (text: string) => text.replaceAll("\n", "\r\n")
    const marked = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")
    const shapes = [
      windows,
      (text: string) => `\ufeff${windows(text)}`,
      (text: string) => text.replaceAll("\n", "\r"),
      (text: string) => marked(windows(text)),
      (text: string) => marked(text).swap16(),
      (text: string) => Bun.gzipSync(marked(text)),
      (text: string) => `${text}\n\n`,
      (text: string) => text.trimEnd(),
    ]
    let next = 0
    for (const { file, text } of EXPORTS.values()) drop(file, shapes[next++ % shapes.length]?.(text) ?? "")
    const { ran, files } = await watchOnce()
    expect([ran.code, files.filter(({ status }) => status !== "reported")]).toEqual([0, []])
    for (const [externalId, , quantity] of LINES)
      expect([externalId, (await totalOf(app, seller, externalId))?.quantity]).toEqual([externalId, quantity])
  })

  test("a total of every day is kept, so that the next export may begin later", async () => {
    drop("first.csv", days(["2026-11-01", 1000], ["2026-11-02", 500]))
    await watchOnce()
    drop("second.csv", days(["2026-11-02", 600], ["2026-11-03", 50]))
    drop("third.csv", days(["2026-11-04", 7]), "2026-11-15T07:00:00Z")
    const { files } = await watchOnce()
    expect(statuses(files)).toEqual({ "second.csv": "reported", "third.csv": "reported" })
    expect(await historyOf(app, seller, "5001")).toEqual([1000, 1500, 1600, 1650, 1657])
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(1657)
  })

  test("an export that leaves days out is refused with the reason, not added up wrongly", async () => {
    drop("first.csv", days(["2026-11-01", 1000]))
    await watchOnce()
    drop("gap.csv", days(["2026-11-04", 7]))
    const { ran, files } = await watchOnce()
    expect(ran.code).toBe(1)
    expect(statuses(files)).toEqual({ "gap.csv": "failed" })
    expect(JSON.stringify(resultOf("failed/gap.csv"))).toContain("the total at the end of 2026-11-03 is not known")
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(1000)
  })

  test("a partial export does not lower a total; report --allow-lower does", async () => {
    drop("all.csv", days(["2026-11-01", 1000], ["2026-11-02", 500]))
    await watchOnce()
    drop("partial.csv", days(["2026-11-01", 10], ["2026-11-02", 5], ["2026-11-03", 1]))
    const { files } = await watchOnce()
    expect(statuses(files)).toEqual({ "partial.csv": "failed" })
    const { report } = resultOf("failed/partial.csv")
    expect(report?.lines_left_out).toEqual([{ line: "5001", current: 1500, total: 15 }])
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(1500)

    const file = join(folder.path, "failed/partial.csv")
    const args = ["report", file, "--preset", "auto", "--allow-lower", "--url", app.url]
    const ran = await runCommand(args, { environment: { ADBOOTH_KEY: seller.key } })
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("3 totals reported.")])
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(16)
  })

  test("figures of affiliates do not go down either", async () => {
    drop("clicks.csv", EXPORTS.get("converstream-clicks")?.text ?? "")
    await watchOnce()
    drop("half.csv", "Click ID,Affiliate,Campaign,Date\nk1,CLICKS10,Autumn,2026-11-05T10:00:00Z\n")
    await watchOnce()
    expect(resultOf("failed/half.csv").report?.problems[0]?.text).toContain("has 2 clicks on 2026-11-05")
  })

  test("a file that is still being written stays, whatever tells that it is", async () => {
    drop("download.csv.part", days(["2026-11-01", 1]))
    drop("export.csv.tmp", days(["2026-11-01", 2]))
    drop(".hidden.csv", days(["2026-11-01", 3]))
    const growing = drop("growing.csv", days(["2026-11-01", 4]))
    const { ran, left } = await watchOnce({ wait: () => appendFileSync(growing, "2026-11-02,5001,5\n") })
    expect([ran.code, left]).toEqual([1, ["growing.csv"]])
    expect(ran.err).toContain("Left for the next time: growing.csv.")
    expect(inFolder().sort()).toEqual(["download.csv.part", "export.csv.tmp", "growing.csv"])
    expect(await totalOf(app, seller, "5001")).toBeNull()

    renameSync(join(folder.path, "download.csv.part"), join(folder.path, "download.csv"))
    rmSync(growing)
    expect(statuses((await watchOnce()).files)).toEqual({ "download.csv": "reported" })
  })

  test.if(process.platform === "linux")("a file that a program has open for writing stays", async () => {
    const path = drop("open.csv", days(["2026-11-01", 4]))
    const descriptor = openSync(path, "a")
    expect((await watchOnce()).left).toEqual(["open.csv"])
    closeSync(descriptor)
    expect(statuses((await watchOnce()).files)).toEqual({ "open.csv": "reported" })
  })

  test("the same file twice is sent once, also after a restart, and names do not clash", async () => {
    const text = days(["2026-11-01", 1000])
    drop("monday.csv", text)
    drop("copy.csv", text, "2026-11-15T07:00:00Z")
    expect(statuses((await watchOnce()).files)).toEqual({ "monday.csv": "reported", "copy.csv": "duplicate" })
    drop("monday.csv", text, "2026-11-15T08:00:00Z")
    expect(statuses((await watchOnce()).files)).toEqual({ "monday.csv": "duplicate" })
    drop("monday.csv", days(["2026-11-01", 1000], ["2026-11-02", 1]))
    expect(statuses((await watchOnce()).files)).toEqual({ "monday.csv": "reported" })
    const files = inFolder("done").filter((name) => name.endsWith(".csv"))
    expect(files.sort()).toEqual(["copy.csv", "monday-2.csv", "monday-3.csv", "monday.csv"])
    expect(resultOf("done/monday-2.csv").message).toContain("reported as monday.csv")
    expect((await app.store.uploads.list(seller.organizationId, 50)).length).toBe(2)
  })

  test("a broken file, a file of another kind and one that cannot be read end in failed, each with its reason", async () => {
    drop("quote.csv", `${HEADER}\n2026-11-01,5001,"7\n`)
    drop("short.csv", "")
    drop("photo.csv", new Uint8Array([0xff, 0xd8, 0xff, 0, 1, 2, 0]))
    drop("sheet.xlsx", new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 0]))
    drop("damaged.csv.gz", new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0]))
    drop("letter.txt", "Dear all,\nplease find attached\n")
    drop("unknown.csv", "Placement,Views\n1,2\n")
    drop("figure.csv", days(["2026-11-01", 1]).replace(",1\n", ",many\n"))
    drop("strangers.csv", days(["2026-11-01", 1]).replace("5001", "7777"))
    const locked = drop("locked.csv", days(["2026-11-01", 1]))
    chmodSync(locked, 0)
    const { ran, files } = await watchOnce()
    expect(ran.code).toBe(1)
    const isRoot = process.getuid?.() === 0
    const reasons: Record<string, string> = {
      "quote.csv": "a quotation mark in row 2 is never closed",
      "short.csv": "No preset fits",
      "photo.csv": "not a text file",
      "sheet.xlsx": "Excel or ZIP file",
      "damaged.csv.gz": "not a text file",
      "letter.txt": "No preset fits",
      "unknown.csv": "No preset fits",
      "figure.csv": "Nothing reported; 2 rejected",
      "strangers.csv": "None of its rows matches one of your lines",
      ...(!isRoot && { "locked.csv": "It cannot be read" }),
    }
    for (const [file, reason] of Object.entries(reasons)) {
      expect([file, files.find((one) => one.file === file)?.status]).toEqual([file, "failed"])
      expect([file, resultOf(`failed/${file}`).message]).toEqual([file, expect.stringContaining(reason)])
    }
    expect(await totalOf(app, seller, "5001")).toEqual(isRoot ? expect.anything() : null)
  })

  test("whatever a file is called, it is put aside and the others do not wait for it; folders are told", async () => {
    const names = [
      `${"ä".repeat(125)}.csv`,
      `a.${"x".repeat(253)}`,
      "two\nlines.csv",
      "-rf & ?x=#.csv",
      "x.csv.result.json",
    ]
    names.forEach((name, i) => {
      drop(name, days(["2026-11-01", i + 1]), `2026-11-15T06:00:0${i}Z`)
    })
    mkdirSync(join(folder.path, "monthly"))
    const { ran, files } = await watchOnce()
    expect(files.map(({ file, status }) => [file, status])).toEqual(names.map((name) => [name, "reported"]))
    expect(inFolder("done")).toHaveLength(2 * names.length)
    expect(inFolder().sort()).toEqual(["done", "monthly"])
    expect(ran.err).toContain("monthly is a folder")
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(names.length)
  })

  test("a compressed export is unpacked", async () => {
    drop("report.csv.gz", Bun.gzipSync(days(["2026-11-01", 42])))
    expect(statuses((await watchOnce()).files)).toEqual({ "report.csv.gz": "reported" })
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(42)
  })

  test("a link is not followed", async () => {
    using elsewhere = temporaryFolder()
    writeFileSync(join(elsewhere.path, "secret.csv"), days(["2026-11-01", 1]))
    symlinkSync(join(elsewhere.path, "secret.csv"), join(folder.path, "link.csv"))
    const { ran, files } = await watchOnce()
    expect([ran.code, files]).toEqual([0, []])
    expect(ran.err).toContain("link.csv is a link")
  })

  test.each(["done", "failed"])("a link in the place of %s is refused: nothing is sent or moved", async (name) => {
    using elsewhere = temporaryFolder()
    drop("report.csv", days(["2026-11-01", 42]))
    symlinkSync(elsewhere.path, join(folder.path, name))
    const { ran } = await watchOnce()
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(`${name} is a link`)])
    expect(readdirSync(elsewhere.path)).toEqual([])
    expect(inFolder()).toContain("report.csv")
  })

  test("a link that takes the place of done while it watches is not followed either", async () => {
    using elsewhere = temporaryFolder()
    drop("report.csv", days(["2026-11-01", 42]))
    using between = inFrontOf(app, () => symlinkSync(elsewhere.path, join(folder.path, "done")))
    const { ran, left } = await watchOnce({ url: between.url.origin })
    expect([ran.code, left]).toEqual([1, ["report.csv"]])
    expect(ran.err).toContain("cannot be put aside")
    expect(readdirSync(elsewhere.path)).toEqual([])
  })

  test("a stop between any two steps neither loses a file nor reports it with another effect", async () => {
    const text = EXPORTS.get("ghost")?.text ?? ""
    const post = "https://news.example.com/autumn/"
    drop("ghost.csv", text)
    await watchOnce()
    const history = await historyOf(app, seller, post)
    const back = () => renameSync(join(folder.path, "done/ghost.csv"), join(folder.path, "ghost.csv"))

    // Stopped after the result was written, before the file was moved.
    back()
    expect(statuses((await watchOnce()).files)).toEqual({ "ghost.csv": "reported" })
    expect(inFolder("done").sort()).toEqual(["ghost.csv", "ghost.csv.result.json"])

    // Stopped after it was sent, before its result was written; meanwhile a newer file came.
    drop("newer.csv", text.replace(",2100,", ",2200,"), "2026-11-15T08:00:00Z")
    await watchOnce()
    back()
    rmSync(join(folder.path, "done/ghost.csv.result.json"))
    app.clock.advance({ hours: 2 })
    await watchOnce()
    app.clock.advance({ hours: -2 })
    expect((await totalOf(app, seller, post))?.quantity).toBe(2200)
    expect(await historyOf(app, seller, post)).toEqual([...history, 2200])
  })

  test("while the server is away files stay; it is asked again, later and later", async () => {
    drop("report.csv", days(["2026-11-01", 42]))
    const { ran, left } = await watchOnce({ url: "http://127.0.0.1:9" })
    expect([ran.code, left]).toEqual([1, ["report.csv"]])
    expect(ran.waits).toEqual([5, 1, 2, 4, 8, 15, 30, 60, 120])
    expect(ran.err).toContain("cannot be reached")
    expect(inFolder()).toEqual(["report.csv"])
  })

  test("a file that cannot be put aside, as on a full disk, stays and is not sent again", async () => {
    const report = drop("report.csv", days(["2026-11-01", 42]))
    const done = join(folder.path, "done")
    // A file: nothing can be written there.
    using between = inFrontOf(app, () => writeFileSync(done, ""))
    let pauses = 0
    const { ran, files } = await watchOnce({
      url: between.url.origin,
      wait: () => {
        pauses++
        if (pauses === 3) expect(existsSync(report)).toBe(true)
        if (pauses === 3) rmSync(done)
      },
    })
    expect(ran.err).toContain("report.csv cannot be put aside")
    expect([ran.code, statuses(files)]).toEqual([0, { "report.csv": "reported" }])
    expect(inFolder("done").sort()).toEqual(["report.csv", "report.csv.result.json"])
    expect((await app.store.uploads.list(seller.organizationId, 50)).length).toBe(1)
    expect(resultOf("done/report.csv").message).toBe("1 total reported.")
  })

  test("a file that is replaced while it is sent is reported too", async () => {
    drop("report.csv", days(["2026-11-01", 42]))
    let sent = 0
    using between = inFrontOf(app, () => {
      if (++sent === 1) drop("report.csv", days(["2026-11-01", 43]), "2026-11-15T06:00:01Z")
    })
    const url = between.url.origin
    const first = await watchOnce({ url })
    expect(first.files.map(({ status, message }) => [status, message])).toEqual([
      ["reported", "1 total reported. Meanwhile the file was replaced: the new one comes next."],
    ])
    expect(first.left).toEqual(["report.csv"])
    expect(statuses((await watchOnce({ url })).files)).toEqual({ "report.csv": "reported" })
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(43)
    expect(sent).toBe(2)
  })

  test("a file that is taken away while it is sent leaves no result behind", async () => {
    const report = drop("report.csv", days(["2026-11-01", 42]))
    using between = inFrontOf(app, () => rmSync(report))
    expect(await watchOnce({ url: between.url.origin })).toMatchObject({ files: [], ran: { code: 1 } })
    expect(inFolder("done")).toEqual([])
  })

  test("a server that asks for a pause gets it", async () => {
    using busy = Bun.serve({
      port: 0,
      fetch: () => new Response("{}", { status: 429, headers: { "Retry-After": "33" } }),
    })
    drop("report.csv", days(["2026-11-01", 42]))
    const { ran } = await watchOnce({ url: String(busy.url) })
    expect(ran.waits.slice(0, 3)).toEqual([5, 33, 33])
  })

  test("a wrong key stops it at once, and files stay", async () => {
    drop("report.csv", days(["2026-11-01", 42]))
    const { ran } = await watchOnce({ environment: { ADBOOTH_KEY: "abi_wrong" } })
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("refused the request with 401. Check the key")])
    expect(inFolder()).toEqual(["report.csv"])
  })

  test("a folder that is not there is explained", async () => {
    const missing = await runCommand(["report", "watch", join(folder.path, "nowhere")], {
      environment: { ADBOOTH_KEY: "x" },
    })
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining("There is no folder")])
  })

  test("without --once it goes on until it is stopped, also when the folder goes away for a while", async () => {
    const stop = new AbortController()
    const gone = `${folder.path}-gone`
    let looks = 0
    const ran = await runCommand(["report", "watch", folder.path, "--json", "--url", app.url], {
      clock: app.clock,
      environment: { ADBOOTH_KEY: seller.key },
      stop: stop.signal,
      wait: async () => {
        looks++
        if (looks === 1) drop("report.csv", days(["2026-11-01", 42]))
        if (looks === 3) renameSync(folder.path, gone)
        if (looks === 5) renameSync(gone, folder.path)
        if (looks === 6) drop("next.csv", days(["2026-11-01", 43]))
        if (looks === 12) stop.abort(130)
      },
    })
    expect(ran.code).toBe(130)
    const lines = ran.out.trim().split("\n")
    expect(lines.map((line) => (JSON.parse(line) as FileResult).file)).toEqual(["report.csv", "next.csv"])
    expect(ran.err).toContain("cannot be read")
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(43)
  })
})
