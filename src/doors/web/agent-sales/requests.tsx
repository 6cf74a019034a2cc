import { callLogDays } from "../../../actions/operations/agent-settings.ts"
import { isCountryCode, nameOfCountry } from "../../../domain/countries.ts"
import type { Demand } from "../../../domain/demand/demand.ts"
import { type RefusalCount, totalsByReason } from "../../../domain/operations/refusal.ts"
import { formatMoment, MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import type { CallFilter, CallResult, LoggedCall } from "../../../storage/port/store.ts"
import { itemAddress, REQUEST, REQUESTS } from "../frame/navigation.ts"
import { logRoutes, queryValues, timeSpanOf } from "../operator/log-list.tsx"
import { Badge, LookBadge } from "../parts/blocks.tsx"
import { CodeChips, choicesOf } from "../parts/form/choices.tsx"
import { FilterSelect, Segments } from "../parts/form/filters.tsx"
import { Clock, formatCount, formatNumber } from "../parts/format.tsx"
import { type Column, withQuery } from "../parts/table.tsx"
import type { PersonVisit } from "../visit.ts"
import { knownTo } from "./misses.tsx"
import { salesPage } from "./section.tsx"
import { callerOf, questionOf, refusalInWords } from "./words.ts"

const COMPLETED = "completed"
const GET_PRODUCTS = "get_products"

export const demandOf = ({ demand }: LoggedCall): Demand | null => (demand === null ? null : JSON.parse(demand))

export async function callWithId({ context }: PersonVisit, id: number | null): Promise<LoggedCall | null> {
  const [call] = id === null ? [] : await context.store.agentCallLog.after(id - 1, 1)
  return call?.id === id ? (call ?? null) : null
}

export const millisecondsOf = ({ durationMicros }: LoggedCall): string =>
  `${formatNumber(Math.max(1, Math.round(durationMicros / 1_000)))} ms`

/** What was asked: the brief in quotes, or in our words. */
export function askedText(call: LoggedCall): string {
  const brief = demandOf(call)?.brief ?? argumentsOf(call)?.["brief"]
  if (typeof brief === "string") return `“${brief}”`
  if (call.tool === GET_PRODUCTS) return call.outcome === COMPLETED ? "All products, no brief" : "Refused request"
  return questionOf(call) ?? call.tool ?? call.method
}

/** The arguments as far as they are kept; undefined where only their start is. */
export function argumentsOf({ arguments: text }: LoggedCall): Record<string, unknown> | undefined {
  const args = text === null ? {} : (JSON.parse(text) as Record<string, unknown>)
  return args["shortened"] === true ? undefined : args
}

function columnsOf(productNames: ReadonlyMap<string, string>): Column<LoggedCall>[] {
  const firstOf = (call: LoggedCall) => {
    const { matched = 0, products = [] } = demandOf(call) ?? {}
    return matched === 0 || products[0] === undefined ? "" : (productNames.get(products[0]) ?? products[0])
  }
  return [
    {
      title: "Brief",
      cell: (call) => (
        <a class="name" href={itemAddress(REQUEST, call.id)}>
          {askedText(call)}
        </a>
      ),
    },
    { title: "Buyer’s key", cell: callerOf },
    { title: "Countries", cell: countriesCell },
    { title: "Products", cell: productsCell, numeric: true },
    {
      title: "First product",
      cell: (call) =>
        call.outcome === COMPLETED ? firstOf(call) : <span class="soft">{refusalInWords(call.outcome)}</span>,
    },
    { title: "Time", cell: ({ at: moment }) => <Clock at={moment} />, nowrap: true },
    {
      title: "Duration",
      narrow: "large",
      cell: (call) => <span class="soft nowrap">{millisecondsOf(call)}</span>,
      numeric: true,
    },
  ]
}

const FILE_COLUMNS: readonly Column<LoggedCall>[] = [
  { title: "When", value: ({ at: moment }) => formatMoment(moment) },
  { title: "Who", value: callerOf },
  { title: "From", value: ({ address }) => address ?? "" },
  { title: "What", value: ({ tool, method }) => tool ?? method },
  { title: "Brief", value: (call) => demandOf(call)?.brief ?? "" },
  { title: "Countries", value: (call) => (demandOf(call)?.countries ?? []).join(" ") },
  { title: "Channels", value: (call) => (demandOf(call)?.formats ?? []).join(", ") },
  { title: "Budget", value: (call) => demandOf(call)?.budget?.amount ?? "" },
  { title: "Currency", value: (call) => demandOf(call)?.budget?.currency ?? "" },
  { title: "Products", value: (call) => demandOf(call)?.matched ?? "" },
  { title: "Outcome", value: ({ outcome }) => outcome },
  { title: "Duration (ms)", value: ({ durationMicros }) => (durationMicros / 1_000).toFixed(1) },
  { title: "Arguments", value: (call) => call.arguments },
]

const NONE = <span class="soft">–</span>

function countriesCell(call: LoggedCall) {
  const { countries = [] } = demandOf(call) ?? {}
  return countries.length === 0 ? NONE : <CodeChips codes={countries} />
}

/** How many products were found; where none matches, how many were shown all the same. */
function productsCell(call: LoggedCall) {
  if (call.outcome !== COMPLETED) return <Badge tone="bad">Refused</Badge>
  const demand = demandOf(call)
  if (demand === null) return NONE
  if (demand.matched > 0) return <b>{formatNumber(demand.matched)}</b>
  const sent = demand.products.length
  return [
    <LookBadge look={["warn", "ring", "No match"]} />,
    sent > 0 && <small>{formatNumber(sent)} shown anyway</small>,
  ]
}

const RESULTS: Readonly<Record<CallResult, string>> = { found: "Found", nothing: "Nothing", refused: "Refused" }

const isResult = (text: string): text is CallResult => Object.hasOwn(RESULTS, text)

/** Requests for products, unless all calls are asked for. */
function filterOf(visit: PersonVisit): CallFilter {
  const { result = "", country = "", what } = queryValues(visit.url, "result", "country", "what")
  return {
    ...queryValues(visit.url, "caller", "text"),
    ...(isCountryCode(country) && { country }),
    ...(what !== "all" && { tool: GET_PRODUCTS }),
    ...(isResult(result) && { result }),
    ...timeSpanOf(visit),
  }
}

const ALL_CALLS = [{ value: "all", label: "All calls" }]

async function filtersOf(visit: PersonVisit) {
  const { url, context } = visit
  const keys = (await context.store.agentKeys.list()).map(({ id, label, revokedAt }) => ({
    value: id,
    label: revokedAt === null ? label : `${label} (revoked)`,
  }))
  keys.push({ value: "anonymous", label: "Without a key" })
  const { result: chosen = "", country, ...others } = filterOf(visit)
  const { calls, isAll } = await context.store.agentCallLog.results(others)
  const inCountry = calls.filter(({ countries }) => country === undefined || countries.includes(country))
  const countOf = (wanted: string) =>
    formatNumber(inCountry.filter(({ result }) => wanted === "" || result === wanted).length)
  const first = new URL(withQuery(url, "before", null), url)
  const segments = Object.entries({ "": "All", ...RESULTS }).map(([result, label]) => ({
    href: withQuery(first, "result", result || null),
    label,
    count: isAll ? countOf(result) : undefined,
    isCurrent: result === chosen,
  }))
  const codes = [...new Set([country ?? [], ...calls.map(({ countries }) => countries)].flat())]
  const places = choicesOf(codes.map((slug) => ({ slug, name: nameOfCountry(slug) })))
  return [
    chosen !== "" && <input type="hidden" name="result" value={chosen} />,
    <FilterSelect url={url} name="caller" label="Buyer’s key" any="Every key" choices={keys} />,
    <FilterSelect url={url} name="country" label="Country" any="Every country" choices={places} />,
    <FilterSelect url={url} name="what" label="What was asked" any="Requests for products" choices={ALL_CALLS} />,
    <Segments label="Result" segments={segments} />,
  ]
}

const DOORS = { agent: "sales agent", ingest: "ingest API" }

/** Requests refused in the last 24 hours, in a sentence for each API. */
const recentRefusals = (counts: readonly RefusalCount[]) =>
  Object.entries(DOORS).flatMap(([door, name]) => {
    const totals = totalsByReason(counts.filter((count) => count.door === door))
    const reasons = totals.map(({ reason, requests }) => `${formatNumber(requests)} ${reason}`).join(", ")
    const said = `Refused by the ${name} in the last 24 hours: ${reasons}. Refused requests are counted, not stored.`
    return reasons === "" ? [] : [<p class="soft">{said}</p>]
  })

export const requestsRoutes = logRoutes<LoggedCall>({
  path: REQUESTS,
  title: "Requests",
  page: (visit, content) => salesPage(visit, { ...content, tab: REQUESTS }),
  intro: async ({ context }) => [
    <p class="sub">
      Every request of the last {formatCount(await callLogDays(context.store), "day")}: the brief as it was sent, and
      what you answered. Keys are never logged.
    </p>,
    recentRefusals(await context.store.refusals.since(context.clock() - MICROS_PER_DAY)),
  ],
  searched: "briefs",
  columns: async (visit) => columnsOf((await knownTo(visit)).productNames),
  fileColumns: FILE_COLUMNS,
  what: "requests",
  emptyText: "What buyers’ agents ask shows up here.",
  file: "requests",
  // Rows can have 8 KB each.
  fileRowsAtOnce: 100,
  filters: filtersOf,
  async read(visit, page) {
    const { calls, before } = await visit.context.store.agentCallLog.search(filterOf(visit), page)
    return { rows: calls, before }
  },
})
