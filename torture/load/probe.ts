// Asks /healthz again and again until its input ends, in a process of its own, so that measuring does not wait for the load.
import { readFileSync } from "node:fs"

const [, , url = "", pid = ""] = process.argv

/** What the thread that answers everybody has worked, in milliseconds; a machine that is busy with other things adds nothing to it. */
function worked(): number {
  const [nanoseconds] = pid === "" ? ["0"] : readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")
  return Number(nanoseconds) / 1_000_000
}

let isOver = false
void Bun.stdin.text().then(() => {
  isOver = true
})
let [slowest, busiest, probes, failed] = [0, 0, 0, 0]
while (!isOver) {
  const [began, before] = [performance.now(), worked()]
  await fetch(`${url}/healthz`).then(
    (answer) => answer.text(),
    () => failed++,
  )
  slowest = Math.max(slowest, performance.now() - began)
  busiest = Math.max(busiest, worked() - before)
  probes++
  await Bun.sleep(5)
}
console.log(JSON.stringify({ slowest, busiest, probes, failed }))
