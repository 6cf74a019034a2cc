import { type Preview, previewAgentKey } from "../../../actions/keys/preview-agent-key.ts"
import { sellersOrderPaths } from "../../../actions/sale/answer-order.ts"
import { nameOfCountry } from "../../../domain/countries.ts"
import type { Demand } from "../../../domain/demand/demand.ts"
import { channelsOf } from "../../../domain/demand/why-nothing.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import { dayOf, timeOfDay } from "../../../domain/time/time-zone.ts"
import type { LoggedCall } from "../../../storage/port/store.ts"
import { AGENT_KEY, itemAddress, REQUEST, REQUESTS } from "../frame/navigation.ts"
import { forOperator, withFound } from "../guards.ts"
import { Banner, ButtonLink, Card, Copyable, Fold } from "../parts/blocks.tsx"
import { dotted, formatCount, formatDate, formatLongDate, formatMoney } from "../parts/format.tsx"
import { headedPage } from "../respond.tsx"
import { idParam, type PersonVisit } from "../visit.ts"
import { AnswerCard, MissingList, Reason, Result, SeenList } from "./answer.tsx"
import { Cures, type Known, knownTo, WhyMissed } from "./misses.tsx"
import { argumentsOf, askedText, callWithId, demandOf, millisecondsOf } from "./requests.tsx"
import { salesTrail } from "./section.tsx"
import { callerOf, channelInWords, refusalInWords } from "./words.ts"

const SHOWN_MAX = 50

const find = (visit: PersonVisit) => callWithId(visit, idParam(visit, "request"))

/** What the request would be answered today: the log keeps which products were shown, the reasons are worked out again. */
async function askedAgain({ context }: PersonVisit, call: LoggedCall): Promise<Preview | null> {
  const args = call.tool === "get_products" ? argumentsOf(call) : undefined
  if (args === undefined) return null
  const { pagination: _, ...input } = args
  return previewAgentKey(context, call.agentKeyId, input)
}

async function show(visit: PersonVisit, call: LoggedCall): Promise<Response> {
  const preview = await askedAgain(visit, call)
  const demand = demandOf(call)
  const brief = demand?.brief ?? null
  const again = call.agentKeyId !== null && preview !== null && itemAddress(AGENT_KEY, call.agentKeyId)
  const query =
    brief === null ? "" : `?${new URLSearchParams({ brief, countries: demand?.countries.join(", ") ?? "" })}`
  const when = `${formatLongDate(dayOf(call.at, visit.zone))}, ${timeOfDay(call.at, visit.zone)} (${visit.zone})`
  const orders = await ordersAfter(visit, call, demand?.products ?? [])
  const sellersPath = await sellersOrderPaths(visit.context.store)
  return headedPage(visit, {
    title: askedText(call),
    trail: salesTrail(REQUESTS),
    intro: dotted(callerOf(call), when, `took ${millisecondsOf(call)}`),
    actions: again !== false && <ButtonLink icon="eye" href={`${again}${query}`} label="Ask again as this key" />,
    body: [
      call.outcome !== "completed" && (
        <Banner tone="bad">
          <p>
            {refusalInWords(call.outcome)}: it was answered with the error <code>{call.outcome}</code>.
          </p>
          {call.outcome === "CREDENTIAL_IN_ARGS" && <p>Nothing that it sent was kept.</p>}
          {preview?.error !== undefined && <p>{preview.error}</p>}
        </Banner>
      ),
      orders.length > 0 && (
        <Banner tone="good">
          <p>
            It led to {orders.length === 1 ? "an order" : "orders"}:{" "}
            {orders.map((order, index) => [index > 0 && ", ", <a href={sellersPath(order)}>{order.product.name}</a>])}.
          </p>
        </Banner>
      ),
      demand !== null && understood(demand, preview, argumentsOf(call)),
      demand !== null && answer(call, demand, preview, await knownTo(visit)),
      <section class="stack" aria-label="As it was sent">
        <Raw id="sent" title="Request" text={requestOf(call)} />
        {preview !== null && (
          <Raw id="answered" title="Response" about="as it would be now, " text={asJson(preview.answer())} />
        )}
      </section>,
    ],
  })
}

/** The orders of products that this key was shown by the call, as long as no later call showed them. */
async function ordersAfter({ context: { store } }: PersonVisit, call: LoggedCall, shown: readonly string[]) {
  if (call.agentKeyId === null || shown.length === 0) return []
  const orders = (await store.orders.list(null)).filter(
    ({ agentKeyId, askedAt, productId }) =>
      agentKeyId === call.agentKeyId && askedAt >= call.at && shown.includes(productId),
  )
  if (orders.length === 0) return []
  const last = Math.max(...orders.map(({ askedAt }) => askedAt))
  const filter = { caller: call.agentKeyId, tool: "get_products", from: call.at + 1, until: last + 1 }
  const { calls } = await store.agentCallLog.search(filter, { before: null, limit: 100 })
  const isShownAgain = (productId: string, before: number) =>
    calls.some(({ at: when, demand }) => when <= before && demand?.includes(JSON.stringify(productId)))
  return orders.filter(({ productId, askedAt }) => !isShownAgain(productId, askedAt))
}

/** What was understood, with what was not given said as well. */
function understood(demand: Demand, preview: Preview | null, args: ReturnType<typeof argumentsOf>) {
  const reading = preview?.reading
  const words = reading?.terms.map(({ word }) => word) ?? []
  const { channels = [], countries = [] } = reading?.without ?? {}
  const heard: Readonly<Record<string, readonly string[]>> = {
    Channels: channelsOf(demand.formats).map((channel) => capitalized(channelInWords(channel))),
    Countries: demand.countries.map(nameOfCountry),
    Without: [...channels.map((channel) => capitalized(channelInWords(channel))), ...countries.map(nameOfCountry)],
    "Words searched": words,
    Budget: demand.budget === null ? [] : [formatMoney(demand.budget.amount, demand.budget.currency)],
    Flight: flightOf(args),
    "Not interpreted": (reading?.notInterpreted ?? []).map((quote) => `“${quote}”`),
  }
  return (
    <Card title="What was understood">
      <dl class="heard">
        {Object.entries(heard).map(([term, values]) => (
          <div>
            <dt>{term}</dt>
            <dd class="chips">
              {values.length === 0 && <span class="soft plain">not given</span>}
              {values.map((value) => (
                <span class="chip">{value}</span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function flightOf(args: Record<string, unknown> | undefined): string[] {
  const { start_date: start, end_date: end } = (args?.["filters"] ?? {}) as { start_date?: unknown; end_date?: unknown }
  const isDay = (day: unknown) => typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day)
  const days = [start, end].filter(isDay).map((day) => formatDate(String(day)))
  return days.length > 0 ? [days.join(" to ")] : []
}

function answer({ id: lastId, agentKeyId }: LoggedCall, demand: Demand, preview: Preview | null, catalogue: Known) {
  const { products, countries } = demand
  const today = new Map(preview?.products.slice(0, SHOWN_MAX).map((product) => [product.product_id, product]))
  const gone = products.filter((id) => !today.has(id))
  const miss = { ...demand, brief: demand.brief ?? "all products", agentKeyId, lastId }
  const why = demand.matched === 0 && [
    <WhyMissed miss={miss} catalogue={catalogue} />,
    products.length > 0 && <p>These products were shown anyway, but none matched.</p>,
    <Cures miss={miss} catalogue={catalogue} />,
  ]
  return [
    <AnswerCard title="The answer" count={products.length} note={why}>
      <SeenList
        products={products.flatMap((id) => today.get(id) ?? [])}
        keyId={agentKeyId}
        wanted={countries}
        hasMatched={demand.matched !== 0}
        saysCountries={preview?.reading?.countries.length !== 0}
      />
      <ul class="results">
        {gone.map((id) => (
          <Result id={id} name={catalogue.productNames.get(id) ?? id}>
            <Reason tone="off">It would not be in the answer today.</Reason>
          </Result>
        ))}
      </ul>
    </AnswerCard>,
    preview !== null && preview.missing.count > 0 && (
      <AnswerCard title="Not in the answer" count={preview.missing.count} note="As your products and keys are today.">
        <MissingList missing={preview.missing.slice(0, SHOWN_MAX)} keyId={agentKeyId} wanted={countries} />
      </AnswerCard>
    ),
  ]
}

type RawProps = Readonly<{ id: string; title: string; about?: string; text: string }>

/** A message as it was sent, folded. */
const Raw = ({ id, title, about = "", text }: RawProps) => (
  <Fold title={title} note={`${about}${formatCount(Buffer.byteLength(text), "byte")}`}>
    <Copyable id={id} label={title} text={text} />
  </Fold>
)

function requestOf(call: LoggedCall): string {
  const args = call.arguments === null ? undefined : (JSON.parse(call.arguments) as object)
  return asJson({ name: call.tool ?? call.method, ...(args && { arguments: args }) })
}

export const requestRoutes = [forOperator("GET", `${REQUEST}/:request`, withFound(find, show))]

const asJson = (value: unknown) => JSON.stringify(value, null, 2)
