import { monitorEventLoopDelay } from "node:perf_hooks"
import { Counter, Gauge, Histogram, Registry } from "prom-client"
import type { Context } from "../../actions/context.ts"
import { lastBackup } from "../../actions/operations/backups.ts"
import type { AffiliateReport } from "../../domain/affiliate/affiliate-report.ts"
import type { DeliveryReport } from "../../domain/delivery/delivery-result.ts"
import { AFFILIATE_CODES_FEED, AFFILIATE_METRICS_FEED, DELIVERY_FEED } from "../../domain/feed-addresses.ts"
import { ORDER_STATES } from "../../domain/sale/order.ts"
import { MICROS_PER_SECOND } from "../../domain/time/moment.ts"
import { DOORS, doorOf } from "../http/request.ts"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const NANOS_PER_SECOND = 1e9
const FEEDS = [DELIVERY_FEED, AFFILIATE_CODES_FEED, AFFILIATE_METRICS_FEED]

/** Metrics of the running server. Each event costs about a microsecond, and nothing when metrics are off. */
export type Measures = ReturnType<typeof createMeasures>

type Watched = Pick<Context, "store" | "clock"> & { readonly diskFreeBytes: () => Promise<number> }

export function createMeasures(versions: Readonly<Record<string, string>>) {
  const registry = new Registry()
  const registers = [registry]
  buildInfo(versions, registers)
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const requests = counter("adbooth_requests_total", "Requests answered, by door and status.", "door", "status")
  const limited = counter("adbooth_rate_limited_total", "Requests over a caller's rate limit (429).", "door")
  const refused = counter("adbooth_overload_refused_total", "Requests refused because of overload (503).", "door")
  const verdicts = counter("adbooth_verdicts_total", "Rows of the feeds, by outcome.", "feed", "verdict")
  const writes = counter("adbooth_writes_total", "Writes that were committed; several share a commit.")
  const histogram = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers })
  const durations = histogram("adbooth_request_seconds", "Time from a request to its response.", "door")
  const commits = histogram("adbooth_commit_seconds", "Duration of a commit, until it is on disk.")
  // From zero on: what begins with its first event is no growth for Prometheus, and no rule would notice that event.
  for (const door of DOORS) for (const metric of [limited, refused]) metric.inc({ door }, 0)
  for (const { name: feed } of FEEDS)
    for (const verdict of ["accepted", "internal_error"]) verdicts.inc({ feed, verdict }, 0)
  watchEventLoop(registers)
  return {
    registry,
    request(url: string, status: number, ms: number): void {
      const door = doorOf(url)
      requests.inc({ door, status })
      durations.observe({ door }, ms / 1_000)
      if (status === 429) limited.inc({ door })
      if (status === 503) refused.inc({ door })
    },
    report(feed: string, report: DeliveryReport | AffiliateReport): void {
      for (const [verdict, count] of countVerdicts(report)) verdicts.inc({ feed, verdict }, count)
    },
    commit(ms: number, count: number): void {
      commits.observe(ms / 1_000)
      writes.inc(count)
    },
    /** Adds gauges that are read only on a scrape. */
    watch: (context: Watched) => watchStore(context, registers),
  }
}

function buildInfo({ adbooth = "", commit = "", bun = "" }: Readonly<Record<string, string>>, registers: Registry[]) {
  const labels = { version: adbooth, commit, bun }
  const info = new Gauge({ name: "adbooth_build_info", help: "Always 1.", labelNames: Object.keys(labels), registers })
  info.set(labels, 1)
}

function countVerdicts(report: DeliveryReport | AffiliateReport): Map<string, number> {
  const refusals = "results" in report ? report.results : report.errors
  const counts = new Map([["accepted", "results" in report ? report.accepted : report.upserted]])
  for (const { reason } of refusals) if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}

function watchEventLoop(registers: Registry[]): void {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const lag = new Gauge({
    name: "adbooth_event_loop_lag_seconds",
    help: "Event loop lag since the last scrape.",
    labelNames: ["statistic"],
    registers,
    collect() {
      lag.set({ statistic: "median" }, delay.percentile(50) / NANOS_PER_SECOND)
      lag.set({ statistic: "p99" }, delay.percentile(99) / NANOS_PER_SECOND)
      lag.set({ statistic: "max" }, delay.max / NANOS_PER_SECOND)
      delay.reset()
    },
  })
  gauge(registers, "process_resident_memory_bytes", "Resident memory.", async () => process.memoryUsage.rss())
}

function watchStore({ store, clock, diskFreeBytes }: Watched, registers: Registry[]): void {
  const free = "Free space of the disk that can fill up. Absent where it cannot be read."
  gauge(registers, "adbooth_disk_free_bytes", free, () => diskFreeBytes().catch(() => null))
  gauge(registers, "adbooth_database_bytes", "Size of the database.", () => store.health.sizeBytes())
  watchFacts(store, registers)
  watchOrders(store, registers)
  gauge(registers, "adbooth_call_log_rows", "Calls in the call log.", () => store.agentCallLog.size())
  const age = "Time since the last scheduled backup was started. Absent before the first."
  gauge(registers, "adbooth_backup_age_seconds", age, async () => {
    const last = await lastBackup(store)
    return last === null ? null : (clock() - last.at) / MICROS_PER_SECOND
  })
  const good = "1 when the last scheduled backup was verified, else 0. Absent before the first."
  gauge(registers, "adbooth_backup_ok", good, async () => {
    const last = await lastBackup(store)
    return last === null ? null : Number(last.ok)
  })
}

function watchOrders({ orders }: Context["store"], registers: Registry[]): void {
  const name = "adbooth_orders"
  async function collect(this: Gauge): Promise<void> {
    this.reset()
    for (const state of ORDER_STATES) this.set({ state }, 0)
    for (const { state, orders: count } of await orders.countByState()) this.set({ state }, count)
  }
  new Gauge({ name, help: "Orders, by state.", labelNames: ["state"], registers, collect })
}

/** What only this kind of database has: connections, standbys, the size of a journal. */
function watchFacts({ health }: Context["store"], registers: Registry[]): void {
  const [name, help] = ["adbooth_database", "Figures of the database engine, by name."]
  async function collect(this: Gauge): Promise<void> {
    this.reset()
    for (const { figures = {} } of await health.facts())
      for (const [figure, value] of Object.entries(figures)) this.set({ engine: health.engine, figure }, value)
  }
  new Gauge({ name, help, labelNames: ["engine", "figure"], registers, collect })
}

/** A gauge that is read on a scrape; null omits it. */
function gauge(registers: Registry[], name: string, help: string, read: () => Promise<number | null>): void {
  async function collect(this: Gauge): Promise<void> {
    const value = await read()
    if (value === null) this.remove()
    else this.set(value)
  }
  new Gauge({ name, help, registers, collect })
}
