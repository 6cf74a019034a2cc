import { describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { answer, report as reportInTheApp, startUploads } from "../harness/data/uploads.ts"
import { temporaryFolder } from "../harness/folder.ts"
import { type CommandResult, tryProgram } from "../harness/program.ts"

const OURS = "external_id,impressions,as_of\n"

/** Runs `adbooth report` on a file of this text, or with it as standard input. */
async function run(text: string, args: readonly string[], environment: Record<string, string>): Promise<CommandResult> {
  using folder = temporaryFolder()
  const file = join(folder.path, "october.csv")
  writeFileSync(file, text)
  const isNamed = args.some((arg) => arg === "-" || arg.startsWith("/"))
  const named = isNamed ? args : [file, ...args]
  return await tryProgram(["report", ...named], { ADBOOTH_URL: "", ADBOOTH_KEY: "", ...environment }, text)
}

async function startFeed() {
  const site = await startUploads()
  await site.line({ externalId: "5001", booked: "" })
  const environment = { ADBOOTH_URL: site.app.url, ADBOOTH_KEY: await site.key() }
  const report = (text: string, ...args: readonly string[]) => run(text, args, environment)
  return { site, environment, report, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() }
}

describe("adbooth report", () => {
  test("sends a file and says what happened, from a file or from standard input", async () => {
    await using feed = await startFeed()
    const text = `${OURS}5001,900,2026-11-03\n`
    expect(await feed.report(text)).toEqual({ code: 0, output: "1 total reported.\n", errors: "" })
    expect(await feed.report(text, "-")).toEqual({ code: 0, output: "1 total reported.\n", errors: "" })
    expect(await feed.site.history("Pre-roll")).toEqual([900])
    const older = await feed.report(`${OURS}5001,800,2026-11-02\n`)
    expect([older.code, older.output]).toEqual([
      0,
      "1 total reported.\n  Lines that already have a newer total, which stays: 1.\n",
    ])
  })

  test("exits with 1 if a row was rejected, and names the row and the reason", async () => {
    await using feed = await startFeed()
    const ran = await feed.report(`${OURS}5001,900,2026-11-03\n5001,many,2026-11-04\nother,5,2026-11-04\n`)
    expect([ran.code, ran.output]).toEqual([
      1,
      "1 total reported, 1 row rejected, 1 row skipped.\n  Row 3: many isn’t a number. Write it in digits, such as 1000.\n" +
        "  Skipped, because they aren't yours: other.\n",
    ])
  })

  test("leaves out a line that goes down, unless it's allowed", async () => {
    await using feed = await startFeed()
    await feed.report(`${OURS}5001,900,2026-11-02\n`)
    const lower = `${OURS}5001,800,2026-11-03\n`
    const ran = await feed.report(lower)
    expect([ran.code, ran.output]).toEqual([
      1,
      "0 totals reported, 1 line left out.\n  Pre-roll was left out: The total would go down from 900 to 800.\n" +
        "  If lower totals are right, send the file again with --allow-lower.\n",
    ])
    expect(await feed.report(lower, "--allow-lower")).toMatchObject({ code: 0 })
  })

  test("leaves out a line with unknown days before the file, without advice that wouldn't help", async () => {
    await using feed = await startFeed()
    const late = `${OURS}5001,7,2026-11-11\n5001,5,2026-11-12\n`
    const ran = await feed.report(late, "--figures", "daily")
    expect([ran.code, ran.output.includes("--allow-lower"), ran.output.includes("isn’t known.")]).toEqual([
      1,
      false,
      true,
    ])
    expect(ran.output).toContain("Pre-roll was left out: ")
  })

  test("names its own option if the rows can be totals or daily figures", async () => {
    await using feed = await startFeed()
    const text = "Line,Date,Shown\nPre-roll,2026-11-01,5\nPre-roll,2026-11-02,7\n"
    const answers = { line: "Line", day: "Date", impressions: "Shown", figures: "daily" }
    await reportInTheApp(await answer(await feed.site.upload(text.replace(",7", ",4")), answers))
    const ran = await feed.report(text)
    expect([
      ran.code,
      ran.errors.includes("Add --figures totals or --figures daily."),
      ran.errors.includes("figures="),
    ]).toEqual([1, true, false])
  })

  test("with --json prints one document, and with --dry-run stores nothing", async () => {
    await using feed = await startFeed()
    const { code, output, errors } = await feed.report(`${OURS}5001,9,2026-11-03\n`, "--json", "--dry-run")
    expect([code, errors]).toEqual([0, ""])
    expect(JSON.parse(output)).toMatchObject({ name: "october.csv", dry_run: true, accepted: 1, rejected_rows: [] })
    const words = await feed.report(`${OURS}5001,9,2026-11-03\n`, "--dry-run")
    expect(words.output).toBe("1 total would be reported.\nNothing was stored: this was a dry run.\n")
    expect(await feed.site.totals()).toEqual({ "Pre-roll": null })
  })

  test("is refused with both readings, unless it says what the rows are or when they were measured", async () => {
    await using feed = await startFeed()
    const unknown = await feed.report("Placement,Delivered\nPre-roll,5\n")
    expect([unknown.code, unknown.output]).toEqual([1, ""])
    expect(unknown.errors).toStartWith("Adbooth doesn't know these headings yet.")
    const daily = `${OURS}5001,5,2026-11-01\n5001,7,2026-11-02\n`
    expect(await feed.report(daily, "--figures", "daily")).toMatchObject({ code: 0 })
    expect(await feed.site.history("Pre-roll")).toEqual([5, 12])
    expect(await feed.report("external_id,impressions\n5001,20\n", "--as-of", "2026-11-03")).toMatchObject({ code: 0 })
    expect((await feed.report(daily, "--figures", "weekly")).code).toBe(2)
    expect((await feed.report(daily, "--as-of", "soon")).errors).toContain("--as-of must be a day or a time")
  })

  test("says in words why it couldn't send", async () => {
    await using feed = await startFeed()
    const text = `${OURS}5001,9,2026-11-03\n`
    const { ADBOOTH_URL, ADBOOTH_KEY } = feed.environment
    const cases: readonly (readonly [number, string, readonly string[], Record<string, string>])[] = [
      [2, "Put the API key into the environment variable ADBOOTH_KEY.", [], { ADBOOTH_URL }],
      [2, "--url must be an address such as", ["--url", "ads.example.com"], { ADBOOTH_KEY }],
      [1, "This API key isn't valid.", [], { ADBOOTH_URL, ADBOOTH_KEY: "abi_wrong" }],
      [1, "can't be reached", ["--url", "http://127.0.0.1:9"], { ADBOOTH_KEY }],
      [1, "isn't an Adbooth server", ["--url", `${ADBOOTH_URL}/app/`], { ADBOOTH_KEY }],
    ]
    for (const [code, message, args, environment] of cases) {
      const ran = await run(text, args, environment)
      expect([ran.code, ran.output, ran.errors.includes(message) || ran.errors]).toEqual([code, "", true])
    }
    const missing = await run("", ["/nowhere/missing.csv"], feed.environment)
    expect([missing.code, missing.errors.includes("There is no file /nowhere/missing.csv.")]).toEqual([1, true])
  })

  test("waits once if the server asks for a pause", async () => {
    await using feed = await startFeed()
    let calls = 0
    await using server = Bun.serve({
      port: 0,
      fetch(request) {
        calls++
        if (calls === 1) return new Response("{}", { status: 503, headers: { "Retry-After": "1" } })
        return fetch(feed.site.app.url + new URL(request.url).pathname + new URL(request.url).search, request)
      },
    })
    const ran = await feed.report(`${OURS}5001,9,2026-11-03\n`, "--url", `http://127.0.0.1:${server.port}`)
    expect([ran.code, ran.output, calls]).toEqual([0, "1 total reported.\n", 2])
  })
})
