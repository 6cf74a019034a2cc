import { describe, expect, test } from "bun:test"
import { doorOf } from "../../../src/doors/http/request.ts"
import { givenIngestKey, givenPackageLine } from "../../given.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { post, report } from "../ingest/feed.ts"

/** The address of the metrics, as the log tells it. */
function metricsUrl(app: TestApp): string {
  const line = app.logged.map((one) => JSON.parse(one)).find(({ event }) => event === "metrics")
  return line?.url
}

async function scrape(app: TestApp): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl(app))).text()
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]))
}

describe("metrics", () => {
  test("are off unless asked for", async () => {
    await using app = await startApp()
    expect(metricsUrl(app)).toBeUndefined()
    expect((await app.fetch("/metrics")).status).toBe(404)
  })

  test("count requests, verdicts by reason, refusals of the limiter and commits", async () => {
    await using app = await startApp({ options: { metricsPort: "0", limitIngest: "2" } })
    const line = await givenPackageLine(app)
    const key = await givenIngestKey(app, line.seller)
    const before = await scrape(app)
    await report(app, key, [{ package_id: line.packageId, impressions: 5 }, { package_id: "no" }, 7])
    await report(app, key, [{ package_id: crypto.randomUUID(), impressions: 5 }])
    expect((await post(app, "/api/ingest/delivery/metrics", key, {})).status).toBe(429)
    const after = await scrape(app)
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    expect(grown('adbooth_requests_total{door="ingest",status="200"}')).toBe(2)
    expect(grown('adbooth_rate_limited_total{door="ingest"}')).toBe(1)
    expect(grown('adbooth_verdicts_total{feed="delivery",verdict="accepted"}')).toBe(1)
    expect(grown('adbooth_verdicts_total{feed="delivery",verdict="invalid_item"}')).toBe(2)
    expect(grown('adbooth_verdicts_total{feed="delivery",verdict="not_seller"}')).toBe(1)
    // What is written later, such as when a key was used, may already be among them.
    expect(grown("adbooth_commit_seconds_count")).toBeGreaterThanOrEqual(1)
    expect(grown("adbooth_writes_total")).toBeGreaterThanOrEqual(1)
    expect(after.get("adbooth_database_bytes")).toBeGreaterThan(0)
    expect(after.get("process_resident_memory_bytes")).toBeGreaterThan(0)
    expect(after.has('adbooth_event_loop_lag_seconds{statistic="p99"}')).toBe(true)
    expect(after.has("adbooth_backup_age_seconds")).toBe(false)
  })

  test("count from zero what rules watch, so that its first event is noticed", async () => {
    await using app = await startApp({ options: { metricsPort: "0" } })
    const found = await scrape(app)
    for (const name of [
      'adbooth_overload_refused_total{door="ingest"}',
      'adbooth_rate_limited_total{door="agent"}',
      'adbooth_verdicts_total{feed="delivery",verdict="internal_error"}',
      'adbooth_verdicts_total{feed="affiliate-metrics",verdict="accepted"}',
    ])
      expect([name, found.get(name)]).toEqual([name, 0])
    expect(found.get("adbooth_disk_free_bytes")).toBe(10 ** 12)
  })

  test("tell the age of the last backup and whether it was good", async () => {
    await using app = await startApp({ options: { metricsPort: "0" } })
    const last = { at: app.clock(), ok: false, file: "x", bytes: 0, rows: 0, problem: "none" }
    await app.store.settings.set("last_backup", JSON.stringify(last))
    app.clock.advance({ minutes: 2 })
    const found = await scrape(app)
    expect(found.get("adbooth_backup_age_seconds")).toBe(120)
    expect(found.get("adbooth_backup_ok")).toBe(0)
  })

  test.each([
    ["http://a.b/", "agent"],
    ["http://a.b/?x=/app", "agent"],
    ["http://a.b/api/ingest/delivery/metrics?dry_run=true", "ingest"],
    ["http://a.b/app", "app"],
    ["http://a.b/app/settings", "app"],
    ["http://a.b/application", "other"],
    ["http://a.b/readyz", "probe"],
  ])("an address has one of few names: %s", (url, door) => {
    expect<string>(doorOf(url)).toBe(door)
  })
})
