// Runs test files with `bun test` in several processes at a time. What `bun test --parallel` would do; its workers
// still hang now and then (oven-sh/bun#39987), and a gate must not.
import { availableParallelism } from "node:os"
import type { Batch } from "./test-plan.ts"

// Two for each core: a test waits as long for disks, databases and other processes as it computes.
const PROCESSES = Math.min(8, 2 * availableParallelism())

// The end of patience with a test that hangs: many times what any takes, because the machine may be busy with other things. Those that take
// long for their own sake have a later one.
const TEST_MS_MAX = 300_000

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
  /** Why tests were left out, and what to do about it. */
  readonly reasons: readonly string[]
  /** Failed tests with their files, and the files whose process ended before its tests did. */
  readonly failures: readonly string[]
}

/** What the processes of one group did together. */
export interface GroupResult extends TestResult {
  readonly group: string
  readonly seconds: number
  /** Processor time of the processes and of all they started and waited for, which databases and browsers are not. */
  readonly processorSeconds: number
}

/** Runs everything, shows how far it got and each failure in full, and tells what each group came to. */
export async function runTests({ batches, env, options = [] }: TestRun): Promise<GroupResult[]> {
  const waiting = [...batches]
  const results: GroupResult[] = []
  using progress = showProgress(batches.reduce((sum, { files }) => sum + files.length, 0))
  async function work(): Promise<void> {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      results.push(await runBatch(batch, { env, options }, progress))
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, work))
  return results
}

const LINE_EVERY_MS = 10_000
const MOVES_EVERY_MS = 500

/** One line that moves on a terminal; elsewhere a line every ten seconds. */
function showProgress(files: number) {
  const began = performance.now()
  const counts = { pass: 0, fail: 0, skip: 0, files: 0 }
  const isTerminal = process.stderr.isTTY === true
  const text = () => {
    const seconds = Math.round((performance.now() - began) / 1_000)
    const failed = counts.fail > 0 ? `, ${counts.fail} failed` : ""
    return `${seconds} s: ${counts.pass} passed${failed}, ${counts.files} of ${files} files`
  }
  const show = () => process.stderr.write(isTerminal ? `\r${text()}\x1b[K` : `${text()}\n`)
  const clear = () => isTerminal && process.stderr.write("\r\x1b[K")
  const timer = setInterval(show, isTerminal ? MOVES_EVERY_MS : LINE_EVERY_MS)
  return {
    line(line: string) {
      const [, kind] = /^(?:\((pass|fail|skip)\)|[✓✗»]) /.exec(Bun.stripANSI(line)) ?? []
      if (kind !== undefined) counts[kind as "pass" | "fail" | "skip"]++
      else if (/^\S+\.test\.ts:$/.test(Bun.stripANSI(line))) counts.files++
    },
    print(text: string) {
      clear()
      process.stderr.write(text)
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      clear()
    },
  }
}

type Progress = ReturnType<typeof showProgress>

/** The whole text of a stream, whose lines are told as they come. */
async function linesOf(stream: ReadableStream<Uint8Array>, tell: (line: string) => void): Promise<string> {
  let text = ""
  let told = 0
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf("\n", told); end >= 0; end = text.indexOf("\n", told)) {
      tell(text.slice(told, end))
      told = end + 1
    }
  }
  return text
}

async function runBatch(
  { group, files, onPostgres }: Batch,
  { env, options }: Required<Omit<TestRun, "batches">>,
  progress: Progress,
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
  const [said, reported] = await Promise.all([
    new Response(child.stdout).text(),
    linesOf(child.stderr, (line) => progress.line(line)),
  ])
  const result = resultOf(Bun.stripANSI(reported), await child.exited)
  for (const [, name] of Bun.stripANSI(reported).matchAll(/^(?:\(pass\)|✓) (.+) \(attempt \d+\)/gm)) {
    progress.print(`Passed only at the second try: ${name}\n`)
  }
  if (result.failed > 0) progress.print(`${failuresInFull(reported)}${said}`)
  const seconds = (performance.now() - began) / 1_000
  return { group, seconds, processorSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000, ...result }
}

/** What one process of `bun test` reported. A crash is a failure of the file that ran last. */
export function resultOf(reported: string, exitCode: number): TestResult {
  const end = reported.slice(-TOTALS_CHARS)
  const count = (what: string) => Number(new RegExp(`^\\s*(\\d+) ${what}$`, "m").exec(end)?.[1] ?? 0)
  const reasons = [...new Set([...reported.matchAll(/^SKIPPED: (.+)$/gm)].map(([, reason = ""]) => reason))]
  if (exitCode === 0) return { passed: count("pass"), failed: 0, skipped: count("skip"), failures: [], reasons }
  const { failures, file } = failuresIn(reported)
  if (/^Ran \d+ tests? across/m.test(end)) {
    return { passed: count("pass"), failed: Math.max(count("fail"), 1), skipped: count("skip"), failures, reasons }
  }
  const all = [...failures, `${file}: the process ended with code ${exitCode}`]
  return { passed: 0, failed: all.length, skipped: 0, failures: all, reasons }
}

/** What was written about each test that failed, with its file; all of it where the process itself failed. */
function failuresInFull(reported: string): string {
  const parts: string[] = []
  let [file, since] = ["", [] as string[]]
  for (const line of reported.split("\n")) {
    const plain = Bun.stripANSI(line)
    if (/^\d+ tests (?:skipped|failed):$/.test(plain)) break
    since.push(line)
    if (/^\S+\.test\.ts:$/.test(plain)) file = line
    if (/^(?:\(fail\)|✗) /.test(plain)) parts.push([file, ...since].join("\n"))
    if (/^(?:\((?:pass|fail|skip)\)|[✓✗»]) |\.test\.ts:$/.test(plain)) since = []
  }
  return `\n${parts.length > 0 ? parts.join("\n\n") : reported}\n`
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

/** How long the processes of each group took, of which several run at a time; what failed, once more in short, and the line that counts everything. */
export function summary(results: readonly GroupResult[]): string {
  const groups = [...Map.groupBy(results, ({ group }) => group)].map(([group, all]) => ({
    group,
    processes: all.length,
    ...total(all),
  }))
  const lines = groups
    .toSorted((one, other) => other.seconds - one.seconds)
    .map(({ group, passed, processes, seconds, processorSeconds }) => {
      const lasted = `${seconds.toFixed(0).padStart(4)} s in ${processes} ${processes === 1 ? "process" : "processes"}`
      const times = `${lasted}, ${processorSeconds.toFixed(0)} s of a processor`
      return `  ${group.padEnd(30)}${String(passed).padStart(5)} passed ${times}\n`
    })
  const { passed, failed, skipped, failures } = total(results)
  const short = failures.map((failure) => `  ${failure}\n`).join("")
  const why = [...new Set(results.flatMap(({ reasons }) => reasons))].map((reason) => `  ${reason}\n`).join("")
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`
  return `\n${lines.join("")}${short === "" ? "" : `\nFailed:\n${short}`}${why === "" ? "" : `\nLeft out:\n${why}`}${counts}`
}

export function total(results: readonly GroupResult[]): Omit<GroupResult, "group"> {
  const sum = (of: (result: GroupResult) => number) => results.reduce((so, result) => so + of(result), 0)
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    failures: results.flatMap(({ failures }) => failures),
    reasons: results.flatMap(({ reasons }) => reasons),
    seconds: sum(({ seconds }) => seconds),
    processorSeconds: sum(({ processorSeconds }) => processorSeconds),
  }
}
