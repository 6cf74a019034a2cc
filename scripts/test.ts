// npm test [-- PATH...]: runs the tests, or those whose file contains a PATH. Files named *.slow.test.ts run only with --all, and
// --slow runs nothing else. The folders of test/ are dealt out to one process per core. Tests that start the program start the
// executable, which starts three times as fast as the source. Ends with one line of counts.
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { parseArgs } from "node:util"
import { Glob } from "bun"
import { postgresPrograms, sharedPostgres } from "../test/harness/postgres.ts"
import { compile } from "./build.ts"

const BATCH_MS_MAX = 15 * 60_000
const TEST_MS_MAX = 120_000
const FILES_IN_BATCH_MAX = 8

/** What to install for tests that need it. */
const HOW_TO_GET: Readonly<Record<string, string>> = {
  chromium: "Install the package chromium-headless-shell or chromium.",
  postgres: "Install the optional dependencies, or PostgreSQL.",
  schemas: "They need the official AdCP schemas in ../shared/adcp.",
  openssl: "Install the package openssl.",
  pebble: "Install the package pebble.",
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false }, slow: { type: "boolean", default: false } },
})

function isWanted(file: string): boolean {
  const isSlow = file.endsWith(".slow.test.ts")
  if (isSlow ? !(values.all || values.slow) : values.slow) return false
  return positionals.length === 0 || positionals.some((part) => file.includes(part))
}

/** The files of each folder together, at most eight to a process, and the largest batches first. */
function batchesOf(files: readonly string[]): string[][] {
  const byFolder = [...Map.groupBy(files, dirname).values()]
  const batches = byFolder.flatMap((ofFolder) => {
    const count = Math.ceil(ofFolder.length / FILES_IN_BATCH_MAX)
    return Array.from({ length: count }, (_, i) => ofFolder.filter((_, at) => at % count === i))
  })
  return batches.sort((a, b) => b.length - a.length)
}

const totals = { passed: 0, failed: 0, skipped: new Map<string, number>() }

/** Adds Bun's JUnit report of a batch. A process that hung or died left none, so its files count as failed. */
function add(batch: readonly string[], report: string): void {
  if (report === "") {
    totals.failed += batch.length
    console.error(`The process of these files hung or died:\n  ${batch.join("\n  ")}`)
    return
  }
  for (const [whole, attributes = ""] of report.matchAll(/<testcase ([^>]*?)(?:\/>|>[\s\S]*?<\/testcase>)/g)) {
    if (whole.includes("<skipped")) {
      const [, needs = "a printed reason"] = /\[needs (\w+)\]/.exec(attributes) ?? []
      totals.skipped.set(needs, (totals.skipped.get(needs) ?? 0) + 1)
    } else if (whole.includes("<failure") || whole.includes("<error")) totals.failed++
    else totals.passed++
  }
}

const STARTS_PROGRAMS = /^test\/(cli|demo|project|server)\//

/** The executable, if one of the files may start it and no other one is named. */
async function compiledProgram(files: readonly string[], folder: string): Promise<Record<string, string>> {
  const isNeeded = files.some((file) => STARTS_PROGRAMS.test(file))
  if (!isNeeded || process.env["ADBOOTH_TEST_EXECUTABLE"] !== undefined) return {}
  const executable = join(folder, "adbooth")
  await compile(executable)
  return { ADBOOTH_TEST_EXECUTABLE: executable }
}

const files = [...new Glob("test/**/*.test.ts").scanSync()].filter(isWanted).sort()
const folder = mkdtempSync(join(tmpdir(), "adbooth-tests-"))
const [postgres, program] = await Promise.all([
  postgresPrograms === null ? {} : sharedPostgres(),
  compiledProgram(files, folder),
])
const batches = batchesOf(files)
let count = 0

async function worker(): Promise<void> {
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    const report = join(folder, `${count++}.xml`)
    const options = ["--only-failures", "--timeout", String(TEST_MS_MAX), "--reporter=junit"]
    const paths = batch.map((file) => `./${file}`)
    const child = Bun.spawn([process.execPath, "test", ...options, `--reporter-outfile=${report}`, ...paths], {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...postgres, ...program },
    })
    const timer = setTimeout(() => child.kill("SIGKILL"), BATCH_MS_MAX)
    const code = await child.exited
    clearTimeout(timer)
    const failedBefore = totals.failed
    add(
      batch,
      await Bun.file(report)
        .text()
        .catch(() => ""),
    )
    // A mistake outside of the tests, such as a failing import, is in no report.
    if (code !== 0 && totals.failed === failedBefore) totals.failed++
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, worker))
rmSync(folder, { recursive: true })
for (const [needs, tests] of totals.skipped) console.log(`${tests} skipped: no ${needs}. ${HOW_TO_GET[needs] ?? ""}`)
const skipped = [...totals.skipped.values()].reduce((sum, tests) => sum + tests, 0)
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
// On CI, a test that can't run is a failure. The official schemas are the exception, because nothing installs them.
const isMissing = process.env["CI"] !== undefined && skipped > (totals.skipped.get("schemas") ?? 0)
process.exitCode = totals.failed > 0 || isMissing || totals.passed === 0 ? 1 : 0
