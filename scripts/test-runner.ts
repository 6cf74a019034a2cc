// Runs test files with `bun test` in several processes at a time. What `bun test --parallel` would do; its workers
// still hang now and then (oven-sh/bun#39987), and a gate must not.
import { availableParallelism } from "node:os"
import type { Batch } from "./test-plan.ts"

// Two for each core: a test waits as long for disks, databases and other processes as it computes.
const PROCESSES = Math.min(8, 2 * availableParallelism())

// The end of patience with a test that hangs: many times what the longest takes, because the machine may be busy with other things.
const TEST_MS_MAX = 180_000

// Bun's own totals are the last few lines.
const TOTALS_CHARS = 400

export interface TestRun {
  /** Each in a process of its own, in the order in which they start. */
  readonly batches: readonly Batch[]
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

/** What the processes of one group did together. */
export interface GroupResult extends TestResult {
  readonly group: string
  readonly seconds: number
  /** Processor time of the processes and of all they started and waited for. */
  readonly processorSeconds: number
}

/** Runs everything, shows what each process said when it has ended, and tells what each group came to. */
export async function runTests({ batches, env, options = [] }: TestRun): Promise<GroupResult[]> {
  const waiting = [...batches]
  const results: GroupResult[] = []
  async function work(): Promise<void> {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      results.push(await runBatch(batch, { env, options }))
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
  return results
}

async function runBatch(
  { group, files, onPostgres }: Batch,
  { env, options }: Required<Omit<TestRun, "batches">>,
): Promise<GroupResult> {
  const paths = files.map((file) => `./${file}`)
  const began = performance.now()
  const child = Bun.spawn([process.execPath, "test", "--timeout", String(TEST_MS_MAX), ...options, ...paths], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...env,
      // Most code of a test runs a few times: its last compiler costs an eighth of all processor time and gains nothing.
      BUN_JSC_useFTLJIT: "0",
      FORCE_COLOR: process.stderr.isTTY ? "1" : "0",
      ...(onPostgres && { ADBOOTH_TEST_ENGINE: "postgres" }),
    },
  })
  const [said, reported] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  process.stdout.write(said)
  process.stderr.write(reported)
  const result = resultOf(Bun.stripANSI(reported), await child.exited)
  const seconds = (performance.now() - began) / 1_000
  return { group, seconds, processorSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000, ...result }
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

/** How long each group took, what failed, once more in short, and the line that counts everything. */
export function summary(results: readonly GroupResult[]): string {
  const groups = [...Map.groupBy(results, ({ group }) => group)].map(([group, all]) => ({ group, ...total(all) }))
  const lines = groups
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ group, passed, seconds, processorSeconds }) => {
      const times = `${seconds.toFixed(0).padStart(4)} s, ${processorSeconds.toFixed(0).padStart(4)} s of a processor`
      return `  ${group.padEnd(30)}${String(passed).padStart(5)} passed ${times}\n`
    })
  const { passed, failed, skipped, failures } = total(results)
  const short = failures.map((failure) => `  ${failure}\n`).join("")
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`
  return `\n${lines.join("")}${short === "" ? "" : `\nFailed:\n${short}`}${counts}`
}

export function total(results: readonly GroupResult[]): Omit<GroupResult, "group"> {
  const sum = (of: (result: GroupResult) => number) => results.reduce((so, result) => so + of(result), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    failures: results.flatMap(({ failures }) => failures),
    seconds: sum(({ seconds }) => seconds),
    processorSeconds: sum(({ processorSeconds }) => processorSeconds),
  }
}
