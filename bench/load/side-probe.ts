// A process of its own that asks for a few things again and again, each on its own, until its input ends. Prints how long the answers took.
import { percentile } from "../harness/statistics.ts"
import type { BenchRequest } from "./requests-file.ts"

const PAUSE_MS = 3

/** By name of what was asked. */
export type SideWaits = Record<string, { readonly p99: number; readonly worst: number }>

const url = process.argv[2] ?? ""
const asked = JSON.parse(process.argv[3] ?? "{}") as Record<string, BenchRequest>
let isOver = false
void Bun.stdin.text().then(() => {
  isOver = true
})

async function keepAsking({ method = "POST", path, headers, body }: BenchRequest): Promise<number[]> {
  const waits: number[] = []
  const init = { method, headers: { ...headers }, ...(body !== "" && { body }), redirect: "manual" as const }
  while (!isOver) {
    const began = performance.now()
    const answer = await fetch(url + path, init)
    await answer.text()
    waits.push(performance.now() - began)
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`)
    await Bun.sleep(PAUSE_MS)
  }
  return waits.sort((a, b) => a - b)
}

const names = Object.keys(asked)
const waits = await Promise.all(Object.values(asked).map(keepAsking))
const found: SideWaits = Object.fromEntries(
  names.map((name, i) => [name, { p99: percentile(waits[i] ?? [], 0.99), worst: waits[i]?.at(-1) ?? 0 }]),
)
console.log(JSON.stringify(found))
