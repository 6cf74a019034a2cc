// Runs test files with `bun test` in as many processes at a time as there are cores. What `bun test --parallel` would do; its workers
// still crash and hang now and then (oven-sh/bun#39987, #41357), and a gate must not.
import { availableParallelism } from "node:os"

const PROCESSES = Math.min(8, Math.max(2, availableParallelism()))

// Whatever starts browsers, executables or several servers takes longest. It starts first, each file in a process of its own, so that no
// process ends long after the others.
const LONGEST = ["trust/torture", "trust", "doors/web/browser", "storage", "doors/cli", "docs"].map(
  (name) => `test/${name}`,
)
// The others share: to start a process and load the program takes longer than most of them.
const SHORT_FILES_PER_PROCESS = 6
// Bun's own totals are the last few lines.
const TOTALS_CHARS = 400

export interface TestRun {
  /** Files that share a process, each list a process of its own, in the order in which they start. */
  readonly batches: readonly (readonly string[])[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Options of `bun test`. */
  readonly options?: readonly string[]
}

export interface TestResult {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Failed tests with their files, and the files whose process ended before its tests did. */
  readonly failures: readonly string[]
}

/** Which files share a process, those that take longest first. */
export function inBatches(files: readonly string[]): string[][] {
  const long = [...new Set(LONGEST.flatMap((start) => files.filter((file) => file.startsWith(start))))]
  const short = files.filter((file) => !long.includes(file))
  const shared = Array.from({ length: Math.ceil(short.length / SHORT_FILES_PER_PROCESS) }, (_, index) =>
    short.slice(index * SHORT_FILES_PER_PROCESS, (index + 1) * SHORT_FILES_PER_PROCESS),
  )
  return [...long.map((file) => [file]), ...shared]
}

const NOTHING: TestResult = { passed: 0, failed: 0, skipped: 0, failures: [] }

/** Runs everything, and shows what each process said when it has ended. */
export async function runTests({ batches, env, options = [] }: TestRun): Promise<TestResult> {
  const waiting = [...batches]
  const results: TestResult[] = []
  async function work(): Promise<void> {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      results.push(await runBatch(batch, { env, options }))
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
  return results.reduce(sum, NOTHING)
}

async function runBatch(files: readonly string[], { env, options }: Required<Omit<TestRun, "batches">>) {
  const paths = files.map((file) => `./${file}`)
  const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", ...options, ...paths], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...env, FORCE_COLOR: process.stderr.isTTY ? "1" : "0" },
  })
  const [said, reported] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  process.stdout.write(said)
  process.stderr.write(reported)
  return resultOf(Bun.stripANSI(reported), await child.exited)
}

/** What one process of `bun test` reported. A crash is a failure of the file that ran last. */
export function resultOf(reported: string, exitCode: number): TestResult {
  const end = reported.slice(-TOTALS_CHARS)
  const count = (what: string) => Number(new RegExp(`^\\s*(\\d+) ${what}$`, "m").exec(end)?.[1] ?? 0)
  if (exitCode === 0) return { passed: count("pass"), failed: 0, skipped: count("skip"), failures: [] }
  const { failures, file } = failuresIn(reported)
  if (/^Ran \d+ tests? across/m.test(end)) {
    return { passed: count("pass"), failed: Math.max(count("fail"), 1), skipped: count("skip"), failures }
  }
  const all = [...failures, `${file}: the process ended with code ${exitCode}`]
  return { passed: 0, failed: all.length, skipped: 0, failures: all }
}

function failuresIn(reported: string): { failures: string[]; file: string } {
  const failures: string[] = []
  let file = "no file"
  // At the end of a long run Bun repeats them, without their files.
  for (const line of (reported.split(/^\d+ tests (?:skipped|failed):$/m)[0] ?? "").split("\n")) {
    if (/^\S+\.test\.ts:$/.test(line)) file = line.slice(0, -1)
    if (/^(?:\(fail\)|✗) /.test(line)) failures.push(`${file}: ${line.replace(/^\S+ | \[[\d.]+m?s\]$/g, "")}`)
    if (line.startsWith("# Unhandled error between tests")) failures.push(`${file}: an error outside of its tests`)
  }
  return { failures, file }
}

/** What failed, once more in short, and the line that counts everything. */
export function summary({ passed, failed, skipped, failures }: TestResult): string {
  const short = failures.map((failure) => `  ${failure}\n`).join("")
  return `${short === "" ? "" : `\nFailed:\n${short}`}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
}

function sum(a: TestResult, b: TestResult): TestResult {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  }
}
