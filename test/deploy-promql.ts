import { parser } from "@prometheus-io/lezer-promql"

export interface Matcher {
  readonly label: string
  readonly operator: string
  readonly value: string
}

export interface Selector {
  readonly metric: string
  readonly matchers: readonly Matcher[]
}

export interface Expression {
  readonly selectors: readonly Selector[]
  /** Labels after by, on, ignoring and the like. */
  readonly grouped: readonly string[]
}

/** What an expression asks for. Throws where Prometheus could not parse it. */
export function readExpression(text: string): Expression {
  const selectors: { metric: string; matchers: { label: string; operator: string; value: string }[] }[] = []
  const grouped: string[] = []
  let isGrouping = false
  parser.parse(text).iterate({
    enter({ name, type, from, to }) {
      const part = text.slice(from, to)
      const matchers = selectors.at(-1)?.matchers
      if (type.isError) throw new Error(`cannot be parsed at "${text.slice(from, from + 20)}": ${text}`)
      if (name === "GroupingLabels") isGrouping = true
      if (name === "LabelMatchers") isGrouping = false
      if (name === "VectorSelector") selectors.push({ metric: "", matchers: [] })
      const selector = selectors.at(-1)
      if (name === "Identifier" && selector !== undefined) selector.metric = part
      if (name === "LabelName" && isGrouping) grouped.push(part)
      else if (name === "LabelName") matchers?.push({ label: part, operator: "", value: "" })
      const matcher = matchers?.at(-1)
      if (name === "MatchOp" && matcher !== undefined) matcher.operator = part
      if (name === "StringLiteral" && matcher !== undefined) matcher.value = JSON.parse(part)
    },
  })
  return { selectors, grouped }
}

/** The values of each label, by metric, in the text that Prometheus scrapes. */
export function readMetrics(text: string): Map<string, Map<string, Set<string>>> {
  const metrics = new Map<string, Map<string, Set<string>>>()
  for (const line of text.split("\n")) {
    const [, name, labels = ""] = /^([a-z_0-9]+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name === undefined) continue
    const known = metrics.get(name) ?? new Map<string, Set<string>>()
    metrics.set(name, known)
    for (const [, label = "", value = ""] of labels.matchAll(/([a-z_]+)="([^"]*)"/g)) {
      known.set(label, (known.get(label) ?? new Set()).add(value))
    }
  }
  return metrics
}
