import { agentSettings } from "../../../../actions/settings.ts"
import { channelLabel } from "../../../../domain/adcp/brief/words.ts"
import { territoriesInWords } from "../../../../domain/adcp/catalogue/territory.ts"
import { type AskedBrief, type AskedCall, type Cure, likelyCure, missedBriefs } from "../../../../domain/demand.ts"
import { formatMoment, MICROS_PER_DAY } from "../../../../domain/time/moment.ts"
import { type CallSearch, findCalls, productCallsSince, type StoredCall } from "../../../../storage/catalogue/calls.ts"
import { allOpenings, type KeyOpening, storedProducts } from "../../../../storage/catalogue/catalogue.ts"
import { type BuyerKey, buyerKeys } from "../../../../storage/keys.ts"
import { csvFile } from "../../../list.ts"
import { page } from "../../../page.tsx"
import { Badge, Card, CsvLink, type Link, type Todo, TodoList } from "../../../parts/blocks.tsx"
import { ChoiceFilter, FilterBar, SearchInput } from "../../../parts/filters.tsx"
import { formatCount, formatNumber, listInWords, Time } from "../../../parts/format.tsx"
import { beforeIn, LOG_ROWS, LogView } from "../../../parts/list.tsx"
import { type Column, Name } from "../../../parts/table.tsx"
import type { SignedInVisit } from "../../../visit.ts"
import {
  askedText,
  BUYER_KEYS,
  callerOf,
  channelName,
  keyNames,
  PRODUCTS,
  productName,
  REQUESTS,
  refusalInWords,
  showAddress,
} from "./words.ts"

const MISSES_SHOWN = 5
const FILE_ROWS_MAX = 5_000

/** What buyers’ agents asked: briefs that no product fits, then every request. */
export async function requestsPage(visit: SignedInVisit): Promise<Response> {
  const { url, context, now } = visit
  const { read, later } = context.database
  await later.flush()
  const keys = await buyerKeys(read)
  const { logDays } = await agentSettings(read)
  const found = await findCalls(read, { ...filterIn(url), before: beforeIn(url), count: LOG_ROWS + 1 })
  const isUnfiltered = url.searchParams.size === 0
  return page(visit, {
    title: "Requests",
    intro: `What buyers’ agents asked in the last ${formatCount(logDays, "day")}. Keys are never logged.`,
    hasTimes: found.length > 0,
    body: (
      <>
        {isUnfiltered && <Misses {...(await missesOf(visit, now - logDays * MICROS_PER_DAY))} />}
        <FilterBar url={url} fields={["q", "key", "result", "what"]}>
          <SearchInput what="briefs" text={url.searchParams.get("q") ?? ""} />
          <ChoiceFilter url={url} name="key" label="Buyer key" choices={keyChoices(keys)} />
          <ChoiceFilter url={url} name="result" label="Result" choices={RESULTS} />
          <ChoiceFilter url={url} name="what" label="What" choices={CALLS} />
          <span class="push no-print">
            <CsvLink href={`${REQUESTS}.csv${url.search}`} />
          </span>
        </FilterBar>
        <LogView
          name="requests"
          columns={columnsFor(keyNames(keys))}
          found={found}
          url={url}
          empty="Requests from buyers’ agents are listed here."
        />
      </>
    ),
  })
}

/** The same requests as a file, whatever page shows them. */
export async function requestsFile({ url, context }: SignedInVisit): Promise<Response> {
  const { read, later } = context.database
  await later.flush()
  const calls = await findCalls(read, { ...filterIn(url), count: FILE_ROWS_MAX })
  return csvFile("requests", columnsFor(keyNames(await buyerKeys(read))), calls)
}

const NO_KEY = "none"
const ALL_CALLS = "all"

const keyChoices = (keys: readonly BuyerKey[]) => [
  ["", "Every key"] as const,
  ...keys.map(({ id, label, revokedAt }) => [id, revokedAt === null ? label : `${label} (revoked)`] as const),
  [NO_KEY, "Without a key"] as const,
]

const RESULTS = [
  ["", "Every result"],
  ["found", "Something fits"],
  ["nothing", "Nothing fits"],
  ["refused", "Refused"],
] as const

const CALLS = [
  ["", "Requests for products"],
  [ALL_CALLS, "All calls"],
] as const

function filterIn({ searchParams }: URL): Omit<CallSearch, "count"> {
  const text = (name: string) => (searchParams.get(name) ?? "").trim().slice(0, 100)
  const key = text("key")
  return {
    text: text("q"),
    buyerKeyId: key === "" ? undefined : key === NO_KEY ? null : key,
    outcome: RESULTS.find(([value]) => value === text("result"))?.[0] || undefined,
    tool: text("what") === ALL_CALLS ? undefined : "get_products",
  }
}

async function missesOf(visit: SignedInVisit, since: number) {
  const calls = await productCallsSince(visit.read, since)
  return { briefs: missedBriefs(calls), known: await knownTo(visit) }
}

function Misses({ briefs, known }: Awaited<ReturnType<typeof missesOf>>) {
  if (briefs.length === 0) return null
  return (
    <Card title="No product in the named channel or country" count={formatNumber(briefs.length)} isFlush>
      <TodoList todos={briefs.slice(0, MISSES_SHOWN).map((brief) => missTodo(brief, known))} />
      {briefs.length > MISSES_SHOWN && (
        <p class="card-foot">
          These are the ones asked most. <a href={`${REQUESTS}?result=nothing`}>Show all requests that nothing fits</a>
        </p>
      )}
    </Card>
  )
}

const columnsFor = (keys: ReadonlyMap<string, string>): Column<StoredCall>[] => [
  { title: "Request", cell: (call) => <RequestCell call={call} /> },
  { title: "Buyer key", cell: (call) => callerOf(call, keys), csv: (call) => callerOf(call, keys) },
  { title: "Address", csv: ({ address }) => address },
  { title: "Call", csv: ({ tool, method }) => tool ?? method },
  { title: "Brief", csv: ({ brief }) => brief },
  { title: "Channels", csv: ({ channels }) => (channels ?? []).map(channelName).join(", ") },
  {
    title: "Countries",
    cell: ({ countries }) => ((countries ?? []).length === 0 ? <span class="soft">–</span> : countries?.join(", ")),
    csv: ({ countries }) => (countries ?? []).join(" "),
  },
  { title: "Products that fit", cell: ResultCell, csv: ({ matched }) => matched, onPhone: "corner" },
  { title: "Outcome", csv: ({ outcome }) => outcome },
  { title: "Time", cell: ({ at }) => <Time at={at} />, csv: ({ at }) => formatMoment(at) },
  {
    title: "Took",
    cell: ({ durationMicros }) => <span class="nowrap">{milliseconds(durationMicros)}</span>,
    isNumber: true,
    needsRoom: true,
  },
  { title: "Milliseconds", csv: ({ durationMicros }) => (durationMicros / 1_000).toFixed(1) },
  { title: "Arguments", csv: ({ arguments: args }) => args },
]

export const milliseconds = (micros: number): string => `${formatNumber(Math.max(1, Math.round(micros / 1_000)))} ms`

const RequestCell = ({ call }: { readonly call: StoredCall }) => (
  <>
    <Name href={`${REQUESTS}/${call.id}`}>{askedText(call)}</Name>
    {call.outcome !== "completed" && <small>{refusalInWords(call.outcome)}</small>}
  </>
)

/** How many products are in the named channels and countries. The answer also lists others. */
function ResultCell({ outcome, matched }: StoredCall) {
  if (outcome !== "completed") return <Badge tone="bad" label="Refused" />
  if (matched === null) return <span class="soft">–</span>
  if (matched > 0) return formatCount(matched, "product")
  return <Badge tone="warn" shape="ring" label="None" />
}

/** The products and openings of today. They explain the likely reason of an old miss. */
export interface Known {
  /** The names of all keys, by ID. */
  readonly keys: ReadonlyMap<string, string>
  readonly active: ReadonlySet<string>
  readonly openings: ReadonlyMap<string, readonly KeyOpening[]>
  readonly products: ReadonlyMap<string, string>
  readonly channels: ReadonlyMap<string, readonly string[]>
}

export async function knownTo({ read }: SignedInVisit): Promise<Known> {
  const keys = await buyerKeys(read)
  const stored = await storedProducts(read)
  return {
    keys: keyNames(keys),
    active: new Set(keys.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)),
    openings: Map.groupBy(await allOpenings(read), ({ buyerKeyId }) => buyerKeyId),
    products: new Map(stored.map((each) => [each.id, productName(each)])),
    channels: new Map(stored.map(({ id, product }) => [id, product.channels ?? []])),
  }
}

export function cureOf(call: AskedCall, known: Known): Cure {
  const { buyerKeyId } = call
  const isActive = buyerKeyId !== null && known.active.has(buyerKeyId)
  const openings = isActive ? (known.openings.get(buyerKeyId) ?? []) : null
  return likelyCure(call, { channels: known.channels, openings })
}

/** A missed brief as something to do, with the likely cure. */
function missTodo({ brief, calls, last }: AskedBrief, known: Known): Todo {
  const cure = cureOf(last, known)
  const times = calls === 1 ? "" : calls === 2 ? ", asked twice" : `, asked ${formatNumber(calls)} times`
  const { buyerKeyId } = last
  const caller = buyerKeyId === null ? "without a key" : `by ${known.keys.get(buyerKeyId) ?? buyerKeyId}`
  const link = cureLink(cure, last)
  return {
    tone: "warn",
    icon: "message",
    subject: `“${brief}”`,
    what: `${caller}${times}`,
    text: (
      <>
        {whyInWords(cure, last, known)} <a href={`${REQUESTS}/${last.id}`}>See the request</a>
      </>
    ),
    href: link.href,
    action: link.label,
  }
}

/** Why no product fits a brief, as far as we can tell. */
export function whyInWords(cure: Cure, { channels, countries }: AskedCall, { products }: Known): string {
  const there = (countries ?? []).length === 0 ? "" : ` in ${territoriesInWords(countries ?? [])}`
  switch (cure.kind) {
    case "give a key":
      return "This request came without a key. Products are shown only to buyer keys."
    case "revoked":
      return "The key that asked is revoked."
    case "more countries":
      return `${products.get(cure.productId)} is shown to this buyer, but not${there}.`
    case "show":
      return `${products.get(cure.productId)} might fit, but is hidden from this buyer.`
    default:
      return `You have no product for ${channelsInWords(channels ?? [])}${there}.`
  }
}

const channelsInWords = (channels: readonly string[]): string =>
  channels.length === 0 ? "it" : listInWords(channels.map(channelLabel), 4, "or")

export function cureLink(cure: Cure, { buyerKeyId }: AskedCall): Link {
  switch (cure.kind) {
    case "give a key":
    case "revoked":
      return { href: `${BUYER_KEYS}#new-key`, label: "Create a buyer key" }
    case "more countries":
      return { href: showAddress(cure.productId, buyerKeyId ?? ""), label: "Add countries" }
    case "show":
      return { href: showAddress(cure.productId, buyerKeyId ?? ""), label: "Show to this buyer" }
    default:
      return { href: `${PRODUCTS}/new`, label: "New product" }
  }
}
