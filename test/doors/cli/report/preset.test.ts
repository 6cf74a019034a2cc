import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FileReport } from "../../../../src/domain/upload/file-report.ts"
import { startApp, type TestApp, temporaryFolder } from "../../../harness.ts"
import { EXPORTS, givenSeller, type Seller, totalOf } from "../exports.ts"
import { type RunWishes, runCommand } from "../in-process.ts"

let app: TestApp
let seller: Seller
const folder = temporaryFolder()
const FILE = join(folder.path, "october.csv")

beforeAll(async () => {
  app = await startApp({ options: { limitIngest: "100000" } })
  seller = await givenSeller(app)
  writeFileSync(FILE, EXPORTS.get("google-ad-manager")?.text ?? "")
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await app[Symbol.asyncDispose]()
})

function report(args: readonly string[], wishes: RunWishes = {}, url = app.url) {
  return runCommand(["report", ...args, "--url", url], { environment: { ADBOOTH_KEY: seller.key }, ...wishes })
}

describe("adbooth report of an export", () => {
  test("sends the file as it is, and says with what it was read", async () => {
    const ran = await report([FILE])
    expect([ran.code, ran.out]).toEqual([0, ""])
    expect(ran.err).toBe("3 totals reported; 1 row ignored. (read with the preset google-ad-manager)\n")
    expect((await totalOf(app, seller, "5001"))?.quantity).toBe(2500)
    const json = await report([FILE, "--json"])
    expect(JSON.parse(json.out) as FileReport).toMatchObject({ complete: true, name: "october.csv" })
  })

  test("fails with the reason when something was not reported", async () => {
    const bad = join(folder.path, "bad.csv")
    writeFileSync(bad, (EXPORTS.get("google-ad-manager")?.text ?? "").replace(",300,", ",many,"))
    const ran = await report([bad])
    expect(ran.code).toBe(1)
    expect(ran.err).toContain("Nothing reported; 4 rejected; 1 row ignored.")
    expect(ran.err).toContain("1 × A figure cannot be read, row 6. Impressions: many is not a number.")
    expect(ran.err).toContain("3 × Figures of Line 5001 are incomplete, row 2-4.")
  })

  test("is recognized by its columns, also on standard input and in a dry run", async () => {
    const input = EXPORTS.get("google-ad-manager")?.text ?? ""
    for (const [args, wishes] of [
      [[FILE], {}],
      [["-"], { input }],
    ] as const) {
      const ran = await report([...args, "--dry-run"], wishes)
      expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("Nothing would change; 3 already known")])
    }
    const own = await report(["-", "--dry-run"], { input: "external_id,impressions\n5001,9000\n" })
    expect([own.code, own.err]).toEqual([0, "1 total would be reported.\nNothing was written: this was a dry run.\n"])
    const codes = await report(["-", "--dry-run"], { input: "packageId,code\nx,AUTUMN\n" })
    expect(codes.err).toContain("Nothing reported; 1 rejected.")
    const folder = await report(["."])
    expect([folder.code, folder.err]).toEqual([1, expect.stringContaining(". is a folder.")])
  })

  test("has a preset that comes before our own column names, as in the app", async () => {
    const text = EXPORTS.get("google-ad-manager")?.text ?? ""
    const input = text.replace(/^(?=.)/gm, ",").replace(/^,/, "package_id,")
    const ran = await report(["-", "--dry-run"], { input })
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("(read with the preset google-ad-manager)")])
  })

  test("waits for a server that is away, for some minutes, and explains one that is too old", async () => {
    const away = await report([FILE], {}, "http://127.0.0.1:9")
    expect([away.code, away.waits]).toEqual([1, [1, 2, 4, 8, 15, 30, 60, 120]])
    using old = Bun.serve({ port: 0, fetch: () => Response.json({ detail: "Not here." }, { status: 404 }) })
    const ran = await report([FILE], {}, String(old.url))
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining("refused the request with 404")])
  })

  test("stops when it is told to", async () => {
    const stop = new AbortController()
    using slow = Bun.serve({
      port: 0,
      fetch: () => {
        stop.abort(130)
        return new Promise<Response>(() => undefined)
      },
    })
    const ran = await report([FILE], { stop: stop.signal }, String(slow.url))
    expect([ran.code, ran.err]).toEqual([130, expect.stringContaining("Stopped.")])
  })
})
