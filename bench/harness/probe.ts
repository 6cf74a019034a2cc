const PAUSE_MS = 10

/** Reports one item and asks for /healthz all the time, and keeps the longest waits. */
export function startProbe(url: string, key: string, packageId: string) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" }
  const slowest = { reportMs: 0, healthMs: 0 }
  let isStopping = false
  let impressions = 0

  async function timed(ask: () => Promise<Response>): Promise<number> {
    const began = performance.now()
    const response = await ask()
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`A request beside was answered with ${response.status}.`)
    return performance.now() - began
  }

  function report(): Promise<Response> {
    const body = JSON.stringify({ items: [{ package_id: packageId, impressions: ++impressions }] })
    return fetch(`${url}/api/ingest/delivery/metrics`, { method: "POST", headers, body })
  }

  async function probe(): Promise<void> {
    while (!isStopping) {
      slowest.reportMs = Math.max(slowest.reportMs, await timed(report))
      slowest.healthMs = Math.max(slowest.healthMs, await timed(() => fetch(`${url}/healthz`)))
      await Bun.sleep(PAUSE_MS)
    }
  }

  const running = probe()
  return {
    async stop() {
      isStopping = true
      await running
      return slowest
    },
  }
}
