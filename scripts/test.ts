// npm test [-- PATH...]: runs the tests, or those whose file contains a PATH. Files named *.slow.test.ts run only with --all, and
// --slow runs nothing else. The parts of test/ are dealt out to one process per core. Tests that start the program start the
// executable, which starts three times as fast as the source. Ends with one line of counts.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Glob } from "bun"
import { postgresPrograms, sharedPostgres } from "../test/harness/postgres.ts"
import { compile } from "./build.ts"

const BATCH_MS_MAX = 15 * 60_000
// No test has a shorter limit of its own: a machine that others use as well takes several times as long.
const TEST_MS_MAX = 120_000
const FILES_IN_BATCH_MAX = 16
const SECOND_TRIES_MAX = 10

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

/**
 * The files of each part of test/ together, because a process loads the program, compiles schemas and starts Chromium once. At
 * most sixteen to a process, and the largest batches first.
 */
function batchesOf(files: readonly string[]): string[][] {
  const byPart = [...Map.groupBy(files, (file) => file.split("/")[1] ?? "").values()]
  const batches = byPart.flatMap((ofPart) => {
    const count = Math.ceil(ofPart.length / FILES_IN_BATCH_MAX)
    return Array.from({ length: count }, (_, i) => ofPart.filter((_, at) => at % count === i))
  })
  return batches.sort((a, b) => b.length - a.length)
}

interface FileResult {
  passed: number
  failed: number
  readonly skipped: string[]
}

/** The results of each file, from Bun's JUnit report. A file that isn't in it has failed, because its process hung or died. */
function resultsIn(files: readonly string[], report: string): Map<string, FileResult> {
  const results = new Map<string, FileResult>()
  for (const [whole, attributes = ""] of report.matchAll(/<testcase ([^>]*?)(?:\/>|>[\s\S]*?<\/testcase>)/g)) {
    const [, file = ""] = / file="([^"]*)"/.exec(attributes) ?? []
    const result = results.getOrInsertComputed(file, () => ({ passed: 0, failed: 0, skipped: [] }))
    const [, needs = "a printed reason"] = /\[needs (\w+)\]/.exec(attributes) ?? []
    if (whole.includes("<skipped")) result.skipped.push(needs)
    else if (whole.includes("<failure") || whole.includes("<error")) result.failed++
    else result.passed++
  }
  for (const file of files) results.getOrInsert(file, { passed: 0, failed: 1, skipped: [] })
  return results
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

const results = new Map<string, FileResult>()

/** Runs files in a process of their own. */
async function run(files: readonly string[]): Promise<void> {
  const report = join(folder, `${count++}.xml`)
  const options = ["--only-failures", "--timeout", String(TEST_MS_MAX), "--reporter=junit"]
  const paths = files.map((file) => `./${file}`)
  const child = Bun.spawn([process.execPath, "test", ...options, `--reporter-outfile=${report}`, ...paths], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...postgres, ...program },
  })
  const timer = setTimeout(() => child.kill("SIGKILL"), BATCH_MS_MAX)
  await child.exited
  clearTimeout(timer)
  const isWritten = existsSync(report)
  for (const [file, result] of resultsIn(files, isWritten ? readFileSync(report, "utf8") : ""))
    results.set(file, result)
}

async function worker(): Promise<void> {
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) await run(batch)
}

await Promise.all(Array.from({ length: availableParallelism() }, worker))

// On a machine that is busy with something else, Chromium, PostgreSQL or the program's own time limits may end a test. A
// few such files get a second try, each by itself, and are named.
const hasFailed = (file: string) => (results.get(file)?.failed ?? 0) > 0
const failed = files.filter(hasFailed)
if (failed.length <= SECOND_TRIES_MAX) for (const file of failed) await run([file])
for (const file of failed)
  console.log(`${file} ${hasFailed(file) ? "failed" : "passed only when it ran again by itself"}.`)

rmSync(folder, { recursive: true })
const all = [...results.values()]
const sumOf = (of: (result: FileResult) => number) => all.reduce((sum, result) => sum + of(result), 0)
const passed = sumOf((result) => result.passed)
const failures = sumOf((result) => result.failed)
const skipped = all.flatMap((result) => result.skipped)
for (const [needs, tests] of Map.groupBy(skipped, (needs) => needs))
  console.log(`${tests.length} skipped: no ${needs}. ${HOW_TO_GET[needs] ?? ""}`)
console.log(`${passed} passed, ${failures} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`)
// On CI, a test that can't run is a failure. The official schemas are the exception, because nothing installs them.
const isMissing = process.env["CI"] !== undefined && skipped.some((needs) => needs !== "schemas")
process.exitCode = failures > 0 || isMissing || passed === 0 ? 1 : 0
