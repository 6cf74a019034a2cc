// A process of its own that asks for /healthz and reports one item, again and again. For each line on standard input it prints, as
// JSON, how long the slowest answer of each kind took since the line before.
import { createInterface } from "node:readline"

const [url = "", key = "", packageId = ""] = process.argv.slice(2)
const PAUSE_MS = 2

interface Worst {
  healthz: number
  delivery: number
}

let worst: Worst = { healthz: 0, delivery: 0 }
let failed = 0

async function once(kind: keyof Worst, ask: () => Promise<Response>): Promise<void> {
  const began = performance.now()
  const answer = await ask().catch(() => undefined)
  const text = await answer?.text()
  worst[kind] = Math.max(worst[kind], performance.now() - began)
  if (answer?.ok !== true || text?.includes("internal_error")) failed += 1
}

let sent = 0
const kinds: Record<keyof Worst, () => Promise<Response>> = {
  healthz: () => fetch(`${url}/healthz`),
  delivery: () =>
    fetch(`${url}/api/ingest/delivery/metrics`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ items: [{ package_id: packageId, impressions: ++sent }] }),
    }),
}

/** Whoever asks for the worst wait gets it after what is under way: the longest is often the last. */
let rounds = Promise.resolve()
async function goOn(): Promise<void> {
  for (;;) {
    const both = Promise.all([once("healthz", kinds.healthz), once("delivery", kinds.delivery)])
    rounds = both.then(() => undefined)
    await both
    await Bun.sleep(PAUSE_MS)
  }
}

void goOn()
for await (const _ of createInterface({ input: process.stdin })) {
  await rounds
  console.log(JSON.stringify({ ...worst, failed }))
  worst = { healthz: 0, delivery: 0 }
  failed = 0
}
process.exit(0)
