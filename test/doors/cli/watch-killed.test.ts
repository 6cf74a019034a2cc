import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FileResult } from "../../../src/doors/cli/watch/folder.ts"
import { BINARY, hasBinary } from "../../binary.ts"
import { nextTurn, startApp, temporaryFolder } from "../../harness.ts"
import { givenSeller, historyOf } from "./exports.ts"

const FILES = 5
const HEADER = "Dimension.DATE,Dimension.LINE_ITEM_ID,Column.AD_SERVER_IMPRESSIONS"

/** What can be seen of the steps: what lies where. */
function stateOf(folder: string): string {
  const list = (name: string) => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : [])
  return JSON.stringify([list(""), list("done"), list("failed")])
}

test.if(hasBinary)(
  "the executable, killed at each step that can be seen, reports every file once in the end",
  async () => {
    await using app = await startApp({ options: { limitIngest: "100000" } })
    const seller = await givenSeller(app)
    using folder = temporaryFolder()
    for (let last = 1; last <= FILES; last++) {
      const days = Array.from({ length: last }, (_, i) => `2026-11-0${i + 1},5001,${(i + 1) * 10}`)
      const path = join(folder.path, `until-${last}.csv`)
      writeFileSync(path, [HEADER, ...days, ""].join("\n"))
      utimesSync(path, new Date("2026-11-15T06:00:00Z"), new Date(Date.parse("2026-11-15T06:00:00Z") + last * 1_000))
    }
    const isLeft = () => readdirSync(folder.path).some((name) => name.endsWith(".csv"))
    let killed = 0
    for (let steps = 1; isLeft() && steps < 50; steps++) {
      const child = Bun.spawn([BINARY, "watch", folder.path, "--once", "--settle", "0", "--url", app.url], {
        env: { PATH: process.env["PATH"] ?? "", ADBOOTH_KEY: seller.key },
        stdio: ["ignore", "ignore", "ignore"],
      })
      // One step further each time: of the result, the move.
      let seen = stateOf(folder.path)
      for (let changes = 0; changes < steps && child.exitCode === null; await nextTurn()) {
        const now = stateOf(folder.path)
        if (now !== seen) changes++
        seen = now
      }
      child.kill("SIGKILL")
      if ((await child.exited) !== 0) killed++
    }
    expect(isLeft()).toBe(false)
    expect(killed).toBeGreaterThan(1)
    const done = readdirSync(join(folder.path, "done")).filter((name) => !name.startsWith("."))
    const names = Array.from({ length: FILES }, (_, i) => `until-${i + 1}.csv`)
    expect(done.sort()).toEqual(names.flatMap((name) => [name, `${name}.result.json`]).sort())
    for (const name of names) {
      const result = JSON.parse(readFileSync(join(folder.path, "done", `${name}.result.json`), "utf8")) as FileResult
      expect([name, result.status]).toEqual([name, "reported"])
    }
    expect(existsSync(join(folder.path, "failed"))).toBe(false)
    expect(await historyOf(app, seller, "5001")).toEqual([10, 30, 60, 100, 150])
  },
  180_000,
)
