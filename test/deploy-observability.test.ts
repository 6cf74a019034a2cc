import { beforeAll, describe, expect, test } from "bun:test"
import { ROW_REASONS } from "../src/domain/affiliate/affiliate-report.ts"
import { DELIVERY_REASONS } from "../src/domain/delivery/delivery.ts"
import { type Expression, readExpression, readMetrics } from "./deploy-promql.ts"
import { call } from "./doors/agent/buyer.ts"
import { CODES, post, report } from "./doors/ingest/feed.ts"
import { givenIngestKey, givenPackageLine } from "./given.ts"
import { startApp } from "./harness.ts"
import { freshDatabase, noPostgres } from "./storage/postgres/server.ts"

// The rules and the dashboard in deploy/ can be loaded, and ask for nothing that the server does not tell.

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Record<string, string>
  readonly annotations: Record<string, string>
}

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: { readonly type: string; readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
  readonly targets?: readonly {
    readonly expr: string
    readonly refId: string
    readonly legendFormat: string
    readonly datasource: { readonly uid: string }
  }[]
}

interface Variable {
  readonly name: string
  readonly type: string
  readonly query: string | { readonly query: string }
}

const textOf = (path: string) => Bun.file(`deploy/${path}`).text()
const { groups } = Bun.YAML.parse(await textOf("prometheus/adbooth-alerts.yml")) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const dashboard = (await Bun.file("deploy/grafana/adbooth.json").json()) as {
  schemaVersion: number
  uid: string
  panels: Panel[]
  templating: { list: Variable[] }
}
const panels = dashboard.panels.filter(({ type }) => type !== "row")

// Prometheus itself adds these.
const OF_PROMETHEUS = ["job", "instance"]
// Grafana's own, with a value that parses.
const inGrafana = (text: string) => text.replaceAll("$__rate_interval", "5m").replaceAll(/\$(?:job|instance)\b/g, ".*")

let metrics: ReturnType<typeof readMetrics>

async function scrapeAfterTraffic(options: Readonly<Record<string, string>> = {}) {
  await using app = await startApp({ options: { metricsPort: "0", limitIngest: "1", ...options } })
  const { packageId, seller } = await givenPackageLine(app)
  const key = await givenIngestKey(app, seller)
  await report(app, key, [{ package_id: packageId, impressions: 5 }, {}])
  await post(app, "/api/ingest/delivery/metrics", key, { items: [] })
  await post(app, CODES, key, { codes: [{ packageId, code: "A" }] })
  await call(app, "get_products", { brief: "podcasts" })
  for (const path of ["/app", "/readyz", "/nothing"]) await app.fetch(path, { redirect: "manual" })
  const last = { at: app.clock(), ok: true, file: "x", bytes: 1, rows: 1, problem: null }
  await app.store.settings.set("last_backup", JSON.stringify(last))
  const started = app.logged.map((line) => JSON.parse(line)).find(({ event }) => event === "metrics")
  return readMetrics(await (await fetch(started.url)).text())
}

beforeAll(async () => {
  metrics = await scrapeAfterTraffic()
  if (noPostgres === null) {
    await using database = await freshDatabase()
    const figures =
      (await scrapeAfterTraffic({ databaseUrl: database.url })).get("adbooth_database")?.get("figure") ?? []
    for (const figure of figures) metrics.get("adbooth_database")?.get("figure")?.add(figure)
  }
  // A real database of one machine has no standby, and nothing fails here: what exists is said elsewhere.
  const documented = /`adbooth_database\{engine,figure\}` (.*)/.exec(await Bun.file("docs/operations.md").text())
  for (const [, figure = ""] of documented?.[1]?.matchAll(/`([a-z_]+)`/g) ?? [])
    metrics.get("adbooth_database")?.get("figure")?.add(figure)
  for (const reason of [...DELIVERY_REASONS, ...ROW_REASONS])
    metrics.get("adbooth_verdicts_total")?.get("verdict")?.add(reason)
  metrics.get("adbooth_requests_total")?.get("status")?.add("503")
})

/** What the expression asks for and the server does not tell. */
function unknownIn({ selectors, grouped }: Expression): string[] {
  const wrong: string[] = []
  const labels = new Set(OF_PROMETHEUS)
  for (const { metric, matchers } of selectors) {
    const known = metric === "up" ? new Map<string, Set<string>>() : metrics.get(metric)
    if (known === undefined) wrong.push(metric)
    for (const label of known?.keys() ?? []) labels.add(label)
    for (const { label, operator, value } of matchers) {
      if (OF_PROMETHEUS.includes(label)) continue
      const values = [...(known?.get(label) ?? [])]
      const pattern = operator.includes("~") ? new RegExp(`^(?:${value})$`) : null
      const isKnown = values.some((one) => (pattern === null ? one === value : pattern.test(one)))
      if (!isKnown) wrong.push(`${metric}{${label}${operator}"${value}"}`)
    }
  }
  return [...wrong, ...grouped.filter((label) => !labels.has(label))]
}

/** The labels that a result of the expression can have. */
function labelsOf({ selectors, grouped }: Expression): string[] {
  const own = selectors.flatMap(({ metric }) => [...(metrics.get(metric)?.keys() ?? [])])
  return [...OF_PROMETHEUS, ...(grouped.length > 0 ? grouped : own)]
}

describe("the alert rules for Prometheus", () => {
  test("there are some, each with a name of its own", () => {
    expect(rules.length).toBeGreaterThan(8)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  })

  test.each(rules)(
    "$alert asks for what the server tells, and says what to do",
    ({ alert, expr, labels, annotations, ...rule }) => {
      const expression = readExpression(expr)
      expect(expression.selectors.length).toBeGreaterThan(0)
      expect(unknownIn(expression)).toEqual([])
      expect(alert).toMatch(/^Adbooth[A-Z][A-Za-z]+$/)
      expect(rule.for ?? "0m").toMatch(/^\d+[smh]$/)
      expect(["critical", "warning"]).toContain(labels["severity"] ?? "")
      expect(Object.keys(annotations)).toEqual(["summary", "description"])
      for (const text of Object.values(annotations)) {
        expect(text).toEndWith(".")
        for (const [, label = ""] of text.matchAll(/\$labels\.(\w+)/g)) expect(labelsOf(expression)).toContain(label)
        expect(text.replaceAll(/\{\{ \$(?:labels\.\w+|value \| \w+) \}\}/g, "")).not.toMatch(/[{}$]/)
      }
    },
  )

  test("are named in the configuration beside them, by the job that the rules ask for", async () => {
    const text = await textOf("prometheus/prometheus.yml")
    const config = Bun.YAML.parse(text) as { rule_files: string[]; scrape_configs: { job_name: string }[] }
    expect(config.rule_files).toEqual(["adbooth-alerts.yml"])
    expect(config.scrape_configs.map(({ job_name }) => job_name)).toEqual(["adbooth"])
  })
})

describe("the dashboard for Grafana", () => {
  test("has the shape of a current one: a version, ids of its own, a choice of the data source, and no panel over another", () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(42)
    expect(dashboard.uid).toBe("adbooth")
    expect(panels).toHaveLength(10)
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ["datasource", "datasource"],
      ["job", "query"],
      ["instance", "query"],
    ])
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  })

  test("its variables ask for a metric that exists", () => {
    for (const { type, query } of dashboard.templating.list) {
      if (type !== "query" || typeof query === "string") continue
      const [, selector = ""] = /^label_values\((.*), (?:job|instance)\)$/.exec(query.query) ?? []
      expect(unknownIn(readExpression(inGrafana(selector)))).toEqual([])
    }
  })

  test.each(panels)("$title has a unit, a description and expressions that the server can answer", (panel) => {
    const chosen = { type: "prometheus", uid: `$\{datasource}` }
    expect(panel.datasource).toEqual(chosen)
    expect(panel.fieldConfig?.defaults.unit).toMatch(/^[a-z]+$/)
    expect(panel.description).toEndWith(".")
    expect(panel.targets?.length).toBeGreaterThan(0)
    for (const { expr, legendFormat, datasource } of panel.targets ?? []) {
      expect(datasource).toEqual(chosen)
      const expression = readExpression(inGrafana(expr))
      expect(unknownIn(expression)).toEqual([])
      for (const { matchers } of expression.selectors) {
        expect(matchers.map(({ label }) => label)).toEqual(expect.arrayContaining(OF_PROMETHEUS))
      }
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        expect(labelsOf(expression)).toContain(label)
    }
  })
})

test("an expression that is not PromQL, or asks for what does not exist, would be noticed", () => {
  for (const wrong of ["sum(rate(adbooth_requests_total[5m])", "a b", "rate(up)[5m", ""])
    expect(() => readExpression(wrong)).toThrow("cannot be parsed")
  expect(unknownIn(readExpression("adbooth_request_total"))).toEqual(["adbooth_request_total"])
  expect(unknownIn(readExpression('adbooth_requests_total{door="doors"}'))).toEqual([
    'adbooth_requests_total{door="doors"}',
  ])
  expect(unknownIn(readExpression("sum by (path) (adbooth_requests_total)"))).toEqual(["path"])
})
