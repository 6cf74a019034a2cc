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

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g
const SELECTOR = /\b(up|adbooth_\w+)(?:\{([^}]*)\})?/g
const MATCHER = /(\w+)(=~|!~|!=|=)("(?:[^"\\]|\\.)*")/g

/** What an expression asks for: the metrics that are named with their labels, and by what results are grouped. */
export function readExpression(text: string): Expression {
  const selectors = [...text.matchAll(SELECTOR)].map(([, metric = "", inside = ""]) => ({
    metric,
    matchers: [...inside.matchAll(MATCHER)].map(([, label = "", operator = "", value = ""]) => ({
      label,
      operator,
      value: JSON.parse(value) as string,
    })),
  }))
  if (selectors.length === 0 || !isBalanced(text)) throw new Error(`cannot be parsed: ${text}`)
  const grouped = [...text.matchAll(GROUPING)].flatMap(([, labels = ""]) => labels.split(",").map((one) => one.trim()))
  return { selectors, grouped: grouped.filter(Boolean) }
}

/** Whether every bracket outside of texts is closed by its own kind. */
function isBalanced(text: string): boolean {
  const open: string[] = []
  for (const [bracket] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/[()[\]{}]/g)) {
    if ("([{".includes(bracket)) open.push(bracket)
    else if (`${open.pop()}${bracket}`.search(/\(\)|\[\]|\{\}/) < 0) return false
  }
  return open.length === 0
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
