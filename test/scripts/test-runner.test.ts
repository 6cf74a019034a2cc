import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { isNamed, NAMED, planOf } from "../../scripts/test-plan.ts"
import { resultOf, summary } from "../../scripts/test-runner.ts"
import { temporaryFolder } from "../harness.ts"

const GOOD = 'test("good", () => {})'
const BAD =
  'describe("outer", () => { test("bad", () => { expect(1).toBe(2) }); test.skipIf(true)("later", () => {}) })'

/** Runs files of tests in one process of `bun test`, as the runner does. */
function run(files: Readonly<Record<string, string>>) {
  using folder = temporaryFolder()
  for (const [name, tests] of Object.entries(files)) {
    writeFileSync(join(folder.path, name), `import { describe, expect, test } from "bun:test"\n${tests}\n`)
  }
  const child = Bun.spawnSync([process.execPath, "test", ...Object.keys(files).map((name) => `./${name}`)], {
    cwd: folder.path,
    env: { ...process.env, FORCE_COLOR: "0" },
  })
  return resultOf(child.stderr.toString(), child.exitCode)
}

test("tests that pass are counted", () => {
  expect(run({ "a.test.ts": GOOD, "b.test.ts": `${GOOD}\ntest.skipIf(true)("later", () => {})` })).toEqual({
    passed: 2,
    failed: 0,
    skipped: 1,
    failures: [],
    reasons: [],
  })
})

test("a test that fails is counted and named with its file", () => {
  const result = run({ "a.test.ts": BAD, "b.test.ts": GOOD })
  expect(result).toEqual({ passed: 1, failed: 1, skipped: 1, failures: ["a.test.ts: outer > bad"], reasons: [] })
  const told = summary([
    { group: "domain", seconds: 2, processorSeconds: 1, ...result },
    { group: "domain", seconds: 3, processorSeconds: 1, ...result, failures: [] },
  ])
  expect(told).toContain("domain                            2 passed    5 s in 2 processes, 2 s of a processor\n")
  expect(told).toEndWith("\nFailed:\n  a.test.ts: outer > bad\n2 passed, 2 failed, 2 skipped\n")
})

test("a failure that Bun repeats after many tests is named once", () => {
  const many = `${BAD}\nfor (let n = 0; n < 50; n++) test("good " + n, () => {})`
  expect(run({ "a.test.ts": many, "b.test.ts": many })).toEqual({
    passed: 100,
    failed: 2,
    skipped: 2,
    failures: ["a.test.ts: outer > bad", "b.test.ts: outer > bad"],
    reasons: [],
  })
})

test("a file that cannot be loaded is a failure, and the others still count", () => {
  const { passed, failed, failures } = run({ "a.test.ts": 'throw new Error("broken")', "b.test.ts": GOOD })
  expect({ passed, failed, failures }).toEqual({
    passed: 1,
    failed: 1,
    failures: ["a.test.ts: an error outside of its tests"],
  })
})

test("a process that dies is a failure of the file that it ran last", () => {
  const dies = 'test("dies", () => { process.kill(process.pid, "SIGKILL") })'
  const { failed, failures } = run({ "a.test.ts": GOOD, "b.test.ts": dies })
  expect(failed).toBe(1)
  expect(failures).toHaveLength(1)
  expect(failures[0]).toStartWith("b.test.ts: the process ended with code ")
})

test("every file runs once, either with the quick ones or with the long", () => {
  const files = [...new Bun.Glob("test/**/*.test.ts").scanSync(".")]
  const [quick, long] = (["quick", "long"] as const).map((scope) => planOf(files, scope))
  const all = [...(quick ?? []), ...(long ?? [])]
  const filesOf = (onPostgres: boolean) =>
    all.filter((batch) => batch.onPostgres === onPostgres).flatMap((batch) => batch.files)
  expect(filesOf(false).sort()).toEqual(files.sort())
  expect(new Set(filesOf(true)).size).toBe(filesOf(true).length)
  const count = (batches: typeof all) => batches.flatMap((batch) => batch.files).length
  expect(count(planOf(files, "all"))).toBe(count(all))
  // One that was renamed would no longer run on PostgreSQL, and nobody would be told.
  expect(NAMED.filter((name) => !files.some((file) => isNamed(name, file)))).toEqual([])
})

test("one long file is one process, and none is without a file", () => {
  expect(planOf(["test/trust/torture.test.ts"], "all").map(({ files }) => files)).toEqual([
    ["test/trust/torture.test.ts"],
  ])
})

test("why tests were left out is said once, with what to do about it", () => {
  const why = 'console.error("SKIPPED: this needs openssl."); test.skipIf(true)("later", () => {})'
  const result = run({ "a.test.ts": why, "b.test.ts": `${why}\n${GOOD}` })
  expect(result.reasons).toEqual(["this needs openssl."])
  const told = summary([{ group: "domain", seconds: 2, processorSeconds: 1, ...result }])
  expect(told).toEndWith("\nLeft out:\n  this needs openssl.\n1 passed, 0 failed, 2 skipped\n")
})
