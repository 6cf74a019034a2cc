// The rules of delivery totals once more, as plainly as they can be said, to be compared with what the server does.

export interface ModelLine {
  readonly zone: string
  readonly basis: "impressions" | "downloads"
  readonly flightStart: string
  current: { quantity: number; asOf: number } | null
  /** Every report that was accepted, added something and was not withdrawn, in the order of receipt, with its time of receipt. */
  readonly history: ReadonlySet<string>
  /** What was withdrawn, likewise. */
  readonly withdrawn: readonly string[]
}

export interface ModelReport {
  readonly asOf: number
  readonly quantity: number
  readonly receivedAt: number
}

/** A report as the history of the model names it. */
export const nameOf = ({ asOf, quantity, receivedAt }: ModelReport) => `${asOf} ${quantity} ${receivedAt}`

function reportOf(name: string): ModelReport {
  const [asOf = 0, quantity = 0, receivedAt = 0] = name.split(" ").map(Number)
  return { asOf, quantity, receivedAt }
}

/** What the server should say when a report is withdrawn, and the line as it is afterwards. */
export function withdrawn(line: ModelLine, report: ModelReport): [string, ModelLine] {
  const name = nameOf(report)
  if (!line.history.has(name)) return [line.withdrawn.includes(name) ? "already withdrawn" : "not found", line]
  const left = [...line.history].filter((one) => one !== name)
  const after = { ...line, history: new Set(left), withdrawn: [...line.withdrawn, name] }
  if (line.current?.asOf !== report.asOf || line.current.quantity !== report.quantity) return ["done", after]
  // Of one moment the last that was received.
  const [newest] = left.map((one) => reportOf(one)).sort((a, b) => b.asOf - a.asOf || b.receivedAt - a.receivedAt)
  return ["done", { ...after, current: newest === undefined ? null : { asOf: newest.asOf, quantity: newest.quantity } }]
}

export interface ModelItem {
  readonly unit: "impressions" | "downloads"
  readonly quantity: number
  readonly asOf: { readonly date: string } | { readonly micros: number } | null
}

const micros = (time: Temporal.ZonedDateTime) => Number(time.epochNanoseconds / 1000n)
const dayOf = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(at / 1000))
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()

/** What the server should say about an item, and the line as it is afterwards. */
export function expected(line: ModelLine, { unit, quantity, asOf }: ModelItem, now: number): [string, ModelLine] {
  const today = dayOf(now, line.zone)
  const day = asOf === null ? today : "date" in asOf ? asOf.date : dayOf(asOf.micros, line.zone)
  if (today < line.flightStart || day < line.flightStart) return ["before_flight_start", line]
  if (asOf !== null && ("date" in asOf ? asOf.date > today : asOf.micros > now)) return ["as_of_in_future", line]
  if (unit !== line.basis) return ["quantity_required", line]
  const endOfDay = micros(Temporal.PlainDate.from(day).add({ days: 1 }).toZonedDateTime(line.zone)) - 1
  const at = asOf === null ? now : "date" in asOf ? Math.min(endOfDay, now) : asOf.micros
  const [last] = [...line.history]
    .map((one) => reportOf(one))
    .filter((one) => one.asOf === at)
    .sort((a, b) => b.receivedAt - a.receivedAt)
  // Of one moment the report that was received last counts, so its time of receipt is the latest.
  const report = { asOf: at, quantity, receivedAt: last === undefined ? now : Math.max(now, last.receivedAt + 1) }
  const history = last?.quantity === quantity ? line.history : new Set([...line.history, nameOf(report)])
  if (line.current !== null && at < line.current.asOf) return ["older_than_current", { ...line, history }]
  const effect = line.current?.quantity === quantity ? "unchanged" : "applied"
  return [effect, { ...line, current: { quantity, asOf: at }, history }]
}

/** Every order of some values. */
export function permutations<Value>(values: readonly Value[]): Value[][] {
  if (values.length < 2) return [[...values]]
  return values.flatMap((first, place) => permutations(values.toSpliced(place, 1)).map((rest) => [first, ...rest]))
}
