// Asks /healthz again and again until its input ends, in a process of its own, so that measuring does not wait for the load.
import { readdirSync, readFileSync } from "node:fs"

const [, , url = "", pid = ""] = process.argv

/** What a thread has worked, and how long it had to wait for a processor, in milliseconds. */
function timesOf(thread: string): { readonly worked: number; readonly waited: number } {
  const [worked, waited] = readFileSync(`/proc/${thread}/schedstat`, "utf8").split(" ")
  return { worked: Number(worked) / 1_000_000, waited: Number(waited) / 1_000_000 }
}

/** How long each thread of this process had to wait so far. One that ends meanwhile is left out. */
function waits(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const thread of readdirSync("/proc/self/task")) {
    try {
      found.set(thread, timesOf(`self/task/${thread}`).waited)
    } catch {
      // It has ended.
    }
  }
  return found
}

/**
 * From now on: what the thread that answers everybody has worked, less what this process waited for a processor, while the server went on
 * with others. So a machine that is busy with other things adds nothing to it.
 */
function working(): () => number {
  if (pid === "") return () => 0
  const server = `${pid}/task/${pid}`
  const [before, own] = [timesOf(server).worked, waits()]
  return () => {
    const waited = [...waits()].reduce((sum, [thread, ms]) => sum + ms - (own.get(thread) ?? 0), 0)
    return timesOf(server).worked - before - waited
  }
}

let isOver = false
void Bun.stdin.text().then(() => {
  isOver = true
})
let [slowest, busiest, probes, failed] = [0, 0, 0, 0]
while (!isOver) {
  const [began, worked] = [performance.now(), working()]
  await fetch(`${url}/healthz`).then(
    (answer) => answer.text(),
    () => failed++,
  )
  slowest = Math.max(slowest, performance.now() - began)
  busiest = Math.max(busiest, worked())
  probes++
  await Bun.sleep(5)
}
console.log(JSON.stringify({ slowest, busiest, probes, failed }))
