// Sends what a job on standard input says, and prints the result as JSON. It's a process of its own, so that its work isn't counted.
import type { LoadJob, LoadResult } from "./load.ts"
import { MARK } from "./workload.ts"

const DIGITS = 6
// The first request is number zero, which the check before the load has used.
const FIRST = 1

const { url, connections, seconds, requests } = (await Bun.stdin.json()) as LoadJob
const prepared = requests.map(({ path, headers, body }) => ({ path, headers, parts: body.split(MARK) }))
const began = performance.now()
const endsAt = began + seconds * 1_000
let sent = FIRST
let answered = 0
let failures = 0

async function connection(): Promise<void> {
  while (performance.now() < endsAt) {
    const number = sent++
    const request = prepared[number % prepared.length]
    if (request === undefined) return
    const body = request.parts.join(String(number).padStart(DIGITS, "0"))
    const response = await fetch(url + request.path, { method: "POST", headers: request.headers, body })
    await response.arrayBuffer()
    answered++
    if (!response.ok) failures++
  }
}

await Promise.all(Array.from({ length: connections }, connection))
const result: LoadResult = { answered, failures, seconds: (performance.now() - began) / 1_000 }
console.log(JSON.stringify(result))
