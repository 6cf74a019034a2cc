import { join } from "node:path"
import { furnish, serve } from "../harness/booth.ts"
import { mean, quarterOf, watchMemory } from "../harness/memory.ts"
import { databaseProblems, type Part, scratch } from "../harness/part.ts"
import { makeOperator, signIn } from "../harness/visitor.ts"
import type { Wish } from "../load/requests.ts"
import { startPouring } from "../load/start-pouring.ts"

const PASSWORD = "correct horse battery"
const CONNECTIONS = 16
const GROWTH_MAX = 1.1
// A quarter counts as slower only when somebody could notice.
const NOTICEABLE_MS = 50

export const soak: Part = {
  name: "soak",
  promise:
    "at half of what it can do: no errors, memory of the last quarter within 10 % of the second, a steady 99th percentile",
  async run({ soakSeconds, judgeTiming }) {
    using folder = scratch()
    const booth = await furnish(join(folder.path, "data"), { lines: 200 })
    await makeOperator(booth.data, PASSWORD)
    await using server = await serve(booth.data)
    const wish: Wish = { ...booth, kind: "mixed", cookie: await signIn(server, PASSWORD) }
    const trial = await startPouring({
      url: server.url,
      wish,
      connections: CONNECTIONS,
      seconds: Math.max(2, soakSeconds / 60),
    })
    const capacity = trial.answered / trial.seconds
    const watch = watchMemory(server.pid, Math.max(50, soakSeconds))
    const poured = await startPouring({
      url: server.url,
      wish,
      connections: CONNECTIONS,
      seconds: soakSeconds,
      perSecond: capacity / 2,
      from: trial.answered + CONNECTIONS,
    })
    const memory = watch.stop()
    const failed = poured.answered - (poured.statuses[200] ?? 0) + (poured.statuses[0] ?? 0)
    const quarters = [0, 1, 2, 3].map((quarter) => mean(quarterOf(memory, quarter)))
    const [, second = 0, , last = 0] = quarters
    const problems = judge(failed, { second, last }, judgeTiming === 1 ? poured.p99ByQuarter : [], soakSeconds)
    if ((await server.end("SIGTERM")) !== 0) problems.push("it did not stop cleanly")
    problems.push(...databaseProblems(booth.data))
    const rounded = (values: readonly number[], digits: number) =>
      values.map((value) => value.toFixed(digits)).join(", ")
    return {
      done: `${soakSeconds} s of reports, agent calls and pages at ${Math.round(capacity / 2)} requests/s, half of ${Math.round(capacity)}`,
      figures: `${poured.answered.toLocaleString("en")} answers, ${failed} errors; memory by quarter ${rounded(quarters, 0)} MiB; 99th percentile by quarter ${rounded(poured.p99ByQuarter, 1)} ms`,
      problems,
    }
  },
}

function judge(
  failed: number,
  memory: { second: number; last: number },
  p99ByQuarter: readonly number[],
  seconds: number,
): string[] {
  const problems: string[] = []
  if (failed > 0) problems.push(`${failed} requests failed`)
  // Within seconds memory only warms up.
  if (seconds >= 120 && memory.last > memory.second * GROWTH_MAX) {
    problems.push(`memory grew from ${Math.round(memory.second)} to ${Math.round(memory.last)} MiB`)
  }
  const [, before = 0, , after = 0] = p99ByQuarter
  if (after > 2 * before && after > NOTICEABLE_MS)
    problems.push(`the 99th percentile went from ${before.toFixed(1)} to ${after.toFixed(1)} ms`)
  return problems
}
