import type { Gauge, Registry } from "prom-client"
import type { Context } from "../actions/context.ts"
import { VERSION } from "../actions/operations/services.ts"
import { storedSetting } from "../actions/settings.ts"
import { MICROS_PER_SECOND } from "../domain/time/moment.ts"
import type { Later } from "../storage/later.ts"
import { WAYS, wayOf } from "./app.ts"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Metrics {
  /** The context that the ways in get. It counts rows where feed activity counts them. */
  readonly context: Context
  /** Counts an answer. */
  readonly observe: (request: Request, status: number, ms: number) => void
  stop(): Promise<void>
}

/** Serves Prometheus metrics on a port of their own, so that they aren't public. Without that port, nothing is counted. */
export async function openMetrics(context: Context): Promise<Metrics> {
  const { metricsPort, host } = context.config
  if (metricsPort === null) return { context, observe: () => undefined, stop: async () => undefined }
  const { registry, observe, countRows } = await createMeasures(context)
  const server = Bun.serve({
    hostname: host,
    port: metricsPort,
    development: false,
    async fetch({ url }) {
      if (new URL(url).pathname !== "/metrics") return new Response("Metrics are at /metrics.\n", { status: 404 })
      return new Response(await registry.metrics(), { headers: { "Content-Type": registry.contentType } })
    },
  })
  context.log.info("metrics", { url: `http://${host}:${server.port}/metrics` })
  return { context: withCountedRows(context, countRows), observe, stop: () => server.stop(true) }
}

type CountRows = (feed: string, outcome: string, count: number) => void

function withCountedRows(context: Context, countRows: CountRows): Context {
  const { database } = context
  const count: Later["count"] = (table, key, by = 1) => {
    const { unit, feed, outcome } = key as { readonly unit?: string; readonly feed?: string; readonly outcome?: string }
    if (unit === "item" && feed !== undefined && outcome !== undefined) countRows(feed, outcome, by)
    database.later.count(table, key, by)
  }
  return { ...context, database: { ...database, later: { ...database.later, count } } }
}

/** The library is slow to load, so it's loaded on demand. */
async function createMeasures(context: Context) {
  const { Counter, Gauge, Histogram, Registry } = await import("prom-client")
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: "adbooth_requests_total",
    help: "Requests answered.",
    labelNames: ["way", "status"],
    registers,
  })
  const rows = new Counter({
    name: "adbooth_rows_total",
    help: "Rows of the feeds, by outcome.",
    labelNames: ["feed", "outcome"],
    registers,
  })
  const durations = new Histogram({
    name: "adbooth_request_seconds",
    help: "Time from a request to its response.",
    labelNames: ["way"],
    buckets: SECONDS,
    registers,
  })
  // From zero on: Prometheus can't see the growth of a counter that begins with its first event.
  for (const way of WAYS) for (const status of [429, 503]) requests.inc({ way, status }, 0)

  addGauges(context, Gauge, registers)

  return {
    registry,
    countRows: (feed: string, outcome: string, count: number) => rows.inc({ feed, outcome }, count),
    observe(request: Request, status: number, ms: number): void {
      const way = wayOf(request)
      requests.inc({ way, status })
      durations.observe({ way }, ms / 1_000)
    },
  }
}

/** The values that are read on each scrape. */
function addGauges({ database, clock }: Context, GaugeType: typeof Gauge, registers: Registry[]): void {
  /** Null leaves it out. */
  function gauge(name: string, help: string, read: () => Promise<number | null>): void {
    new GaugeType({
      name,
      help,
      registers,
      async collect() {
        const value = await read().catch(() => null)
        if (value === null) this.remove()
        else this.set(value)
      },
    })
  }
  const labelNames = ["version", "bun"]
  const info = new GaugeType({ name: "adbooth_build_info", help: "Always 1.", labelNames, registers })
  info.set({ version: VERSION, bun: Bun.version }, 1)
  const lastBackup = () => storedSetting(database.read, "note.backup")
  gauge("process_resident_memory_bytes", "Resident memory.", async () => process.memoryUsage.rss())
  gauge("adbooth_disk_free_bytes", "Free space on the disk with the data.", () => database.health.freeBytes())
  gauge("adbooth_database_bytes", "Size of the database.", () => database.health.sizeBytes())
  gauge("adbooth_backup_age_seconds", "Time since the last scheduled backup.", async () => {
    const last = await lastBackup()
    return last === null ? null : (clock() - last.at) / MICROS_PER_SECOND
  })
  gauge("adbooth_backup_ok", "1 if the last scheduled backup was verified, else 0.", async () => {
    const last = await lastBackup()
    return last === null ? null : Number(last.problem === null)
  })
}
