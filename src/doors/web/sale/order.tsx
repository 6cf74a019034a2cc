import { type AnsweredOrder, declineOrder } from "../../../actions/sale/answer-order.ts"
import { productToday, requesterPath } from "../../../actions/sale/order-links.ts"
import { stateOf } from "../../../domain/campaign/line-state.ts"
import { courseOf } from "../../../domain/delivery/line-course.ts"
import { amountNow, daysOf, isOpen, termsNow } from "../../../domain/sale/order.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import { timeOfDay } from "../../../domain/time/time-zone.ts"
import type { FlyingLine, Order } from "../../../storage/port/store.ts"
import { lineErrors } from "../campaigns/line-form.tsx"
import { recentTotals } from "../campaigns/line-table.tsx"
import { lineHref } from "../campaigns/with-line.ts"
import { pageNotFound } from "../error-pages.tsx"
import { readForm } from "../form.ts"
import { AGENT_KEY, itemAddress, PRODUCT, REQUEST } from "../frame/navigation.ts"
import { askFirst, forAdmin, forMember, type PageAnswer, withFound } from "../guards.ts"
import { tellRequester } from "../order/tell-requester.ts"
import { Banner, ButtonLink, Card, Copyable, Facts, LookBadge } from "../parts/blocks.tsx"
import { formatCount, formatFlight, formatShortDate, Time } from "../parts/format.tsx"
import { campaignAndBuyer, DeliveredCell, LineBadge, needText } from "../parts/line.tsx"
import { BareTable } from "../parts/table.tsx"
import { aDay, adFact, endText, MessageCard, money, offeredColumn, termsTable, todayColumn } from "../parts/terms.tsx"
import { AskButton, type AskedAgain, askPage, done, goTo, headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { type FoundOrder, findOrder, LOOKS, nameOf, ORDERS, ordersOf, ordersTrail, waysOf } from "./with-order.ts"

async function orderPage(visit: OrganizationVisit, found: FoundOrder): Promise<Response> {
  const { order, href, scope } = found
  const { product, requester, state, askedAt, movedAt } = order
  const today = await productToday(visit.context, order)
  const lines = await linesThen(visit, order)
  const link = visit.person.isOperator && today !== null && <a href={itemAddress(PRODUCT, product.id)}>Open product</a>
  const mayAnswer = visit.role === "admin" && isOpen(state)
  const [next] = (await visit.context.store.orders.waiting(scope, visit.now)).filter(({ id }) => id !== order.id)
  return headedPage(visit, {
    title: `${product.name}, ordered by ${requester.organization}`,
    heading: product.name,
    trail: ordersTrail(visit),
    badges: <LookBadge look={LOOKS[state]} />,
    intro: (
      <p class="sub">
        {requester.organization} asked on <Time at={askedAt} />.{" "}
        {isOpen(state)
          ? endText(order, visit.organization.timeZone)
          : [await lastMove(visit, order, "it"), " on ", <Time at={movedAt} />, "."]}
      </p>
    ),
    actions: mayAnswer && [
      <AskButton label="Decline" question={refusal(found)} />,
      <ButtonLink href={`${href}/offer`} label={state === "asked" ? "Offer other terms" : "Change the offer"} />,
      state === "asked" && <ButtonLink kind="primary" href={`${href}/accept`} label="Accept" />,
    ],
    body: [
      state === "accepted" && (await receipt(visit, order, next)),
      state === "asked" && (await roomFor(visit, order, lines)),
      <MessageCard order={order} ofRequester={`Message from ${requester.name}`} ofSeller="Your message" />,
      <Card flush title="What they want" actions={link}>
        {termsTable(order, "Asked", [...offeredColumn(order, "Offered"), todayColumn(order, today)])}
        {requester.note !== "" && (
          <div class="card-foot">
            <b>Note</b>
            <p class="lines">{requester.note}</p>
          </div>
        )}
        {today === null && <p class="card-foot">The product is no longer sold.</p>}
      </Card>,
      await whoAsks(visit, order),
      linesTable(visit, order, lines),
    ],
  })
}

/** "Henry accepted it". */
async function lastMove(visit: OrganizationVisit, { state, movedBy, requester }: Order, it: string): Promise<string> {
  if (state === "ended") return `${capitalized(it)} ended`
  const who = movedBy === "requester" ? requester.name : ((await nameOf(visit, movedBy)) ?? "Somebody")
  return `${who} ${state === "withdrawn" ? "withdrew" : state} ${it}`
}

/** Somebody else was faster: what happened, while what was typed stays in the form. */
async function movedMeanwhile(visit: OrganizationVisit, order: Order): Promise<AskedAgain> {
  const time = timeOfDay(order.movedAt, visit.organization.timeZone).slice(0, 5)
  const moved = `${await lastMove(visit, order, "this order")} at ${time}`
  const line = await bookedHref(visit, order)
  return {
    errors: { "": `${moved}. Nothing was sent. What you typed is still in the form.` },
    instead: { href: line ?? `${ordersOf(visit)}/${order.id}`, label: line === null ? "Open order" : "Open line" },
  }
}

/** What follows an answer: its form again where it was refused or somebody was faster, else the order. */
export async function afterAnswer(
  visit: OrganizationVisit,
  answered: AnsweredOrder,
  again: (refused: AskedAgain) => PageAnswer,
  said: string,
): Promise<Response> {
  if (answered.outcome === "not found") return pageNotFound(visit)
  if (answered.outcome === "refused") return again({ errors: lineErrors(answered.errors) })
  if (answered.outcome === "moved") return again(await movedMeanwhile(visit, answered.order))
  tellRequester(visit, answered.order, "answered")
  return goTo(visit, `${ordersOf(visit)}/${answered.order.id}`, done(said))
}

/** The page of the line that was booked; null where there is none, or none any more. */
async function bookedHref({ context: { store } }: OrganizationVisit, { packageId }: Order): Promise<string | null> {
  const located = packageId === null ? null : await store.packageLines.locate(packageId)
  return located && `/app/o/${located.seller}/campaigns/${located.campaign}/lines/${packageId}`
}

async function receipt(visit: OrganizationVisit, order: Order, next: Order | undefined) {
  const { packageId, priced } = order
  const line = await bookedHref(visit, order)
  if (packageId === null || line === null) return <Banner tone="info">Its line was removed.</Banner>
  return (
    <Banner tone="good">
      <h2>Accepted: {money(amountNow(order), priced.currency)} booked</h2>
      <Copyable id="package-id" label="Line ID for the API" text={packageId} />
      <div class="actions">
        <ButtonLink kind="primary" href={line} label="Open line" />
        {next !== undefined && <ButtonLink href={`${ordersOf(visit)}/${next.id}`} label="Next order" />}
      </div>
    </Banner>
  )
}

// Whether there is room for an order: which lines of the same product run in its days.

const LINES_SHOWN_MAX = 25

/** Lines do not say which product they are of: those that were ordered count, and those that have its name. */
async function linesThen({ context: { store }, organization }: OrganizationVisit, order: Order) {
  const { from, to } = termsNow(order)
  const heads = await store.campaigns.listedInFlight(organization.id, { from, to })
  const then = new Set(heads.map(({ lineId }) => lineId))
  const orders = await store.orders.list({ sellerId: organization.id, withUnowned: false })
  const others = orders.filter(({ productId, id }) => productId === order.productId && id !== order.id)
  const packageIds = others.flatMap(({ packageId }) => packageId ?? [])
  const ordered = await store.packageLines.findSold(organization.id, packageIds)
  const isNamed = (name: string) => name === order.product.name || name.startsWith(`${order.product.name}, `)
  const named = heads.filter(({ name }) => isNamed(name)).map(({ lineId }) => lineId)
  const ids = new Set([...named, ...ordered.flatMap((line) => (line && then.has(line.lineId) ? line.lineId : []))])
  const lines = await store.campaigns.flyingLines(organization.id, [...ids].slice(0, LINES_SHOWN_MAX))
  return lines.filter(({ packageId }) => packageId !== order.packageId)
}

function linesTable(visit: OrganizationVisit, order: Order, lines: readonly FlyingLine[]) {
  if (lines.length === 0) return null
  const { from, to } = termsNow(order)
  const overlap = ({ flightStart, flightEnd }: FlyingLine) =>
    daysOf({
      from: flightStart > from ? flightStart : from,
      to: flightEnd !== null && flightEnd < to ? flightEnd : to,
    })
  return (
    <Card flush title={`${formatCount(lines.length, "line runs", "lines run")} at that time`}>
      <BareTable<FlyingLine>
        caption="Lines of this product"
        columns={[
          { title: "Line", value: ({ name }) => name, href: (line) => lineHref(visit, line), note: campaignAndBuyer },
          { title: "State", narrow: "corner", cell: (line) => <LineBadge line={line} now={visit.now} /> },
          { title: "Delivered", narrow: "span", cell: (line) => <DeliveredCell line={line} now={visit.now} /> },
          { title: "Dates", cell: ({ flightStart, flightEnd }) => formatFlight(flightStart, flightEnd, "-") },
          { title: "Overlap", numeric: true, cell: (line) => formatCount(overlap(line), "day") },
        ]}
        rows={lines}
      />
    </Card>
  )
}

/** What a seller asks first: whether there is room. */
async function roomFor(visit: OrganizationVisit, order: Order, lines: readonly FlyingLine[]) {
  const { product, asked, priced } = order
  const behind = lines.filter((line) => stateOf(line, visit.now) === "behind")
  const points = await recentTotals(visit, behind)
  const needs = behind.slice(0, 3).map((line) => {
    const { forecast } = courseOf(line, points.get(line.lineId) ?? [], line.seller.timeZone, Number.POSITIVE_INFINITY)
    return `${line.campaign.name} ${needText(forecast, ` ${line.pricingBasis}`) ?? "is behind plan"}.`
  })
  const others = formatCount(lines.length, "other line of it runs", "other lines of it run").replace(/^0/, "No")
  const adds = priced.counted && `This order adds ${aDay(asked)} from ${formatShortDate(asked.from)}.`
  const ends = behind.map(({ flightEnd }) => flightEnd ?? asked.to)
  const until = ends.toSorted().at(-1)
  return (
    <Banner tone={until === undefined ? "info" : "warn"}>
      {until !== undefined && (
        <h2>
          {product.name} is short until {formatShortDate(until)}
        </h2>
      )}
      <p>{[needs.join(" ") || `${others} at that time.`, adds].filter(Boolean).join(" ")}</p>
    </Banner>
  )
}

async function whoAsks(visit: OrganizationVisit, order: Order) {
  const { requester, agentKeyId } = order
  const way = (await waysOf(visit.context.store))(order)
  const keyId = visit.person.isOperator ? agentKeyId : null
  const brief = keyId === null ? null : await briefOf(visit, order)
  const path = await requesterPath(visit.context, order)
  const mail = <a href={`mailto:${encodeURIComponent(requester.email)}`}>{requester.email}</a>
  return (
    <Card title="Who asks">
      <Facts
        facts={[
          { term: "Person", value: requester.name, note: mail },
          { term: "Organization, as typed", value: requester.organization },
          adFact(order),
          { term: "Came by", value: keyId === null ? way : <a href={itemAddress(AGENT_KEY, keyId)}>{way}</a> },
          path !== null && { term: "Their page", value: <a href={path}>What {requester.name} sees</a> },
          brief !== null && { term: "Brief", value: <a href={itemAddress(REQUEST, brief.id)}>{brief.text}</a> },
        ]}
      />
    </Card>
  )
}

const CALLS_LOOKED_AT = 100

/** The last request of this key that was shown the product before it was ordered, while the log has it. */
async function briefOf({ context: { store } }: OrganizationVisit, { agentKeyId, askedAt, productId }: Order) {
  const filter = { caller: agentKeyId ?? "", tool: "get_products", until: askedAt + 1 }
  const { calls } = await store.agentCallLog.search(filter, { before: null, limit: CALLS_LOOKED_AT })
  const call = calls.find(({ demand }) => demand?.includes(JSON.stringify(productId)))
  if (call === undefined) return null
  const { brief } = JSON.parse(call.demand ?? "{}") as { brief?: string | null }
  return { id: call.id, text: brief == null ? "A request without a brief" : `“${brief}”` }
}

const refusal = ({ order: { requester }, href }: FoundOrder) => ({
  href: `${href}/decline`,
  title: "Decline this order?",
  text: "Nothing is booked then. It cannot be accepted afterwards.",
  submit: "Decline order",
  reason: `${requester.name} reads it on the order’s page.`,
})

async function decline(visit: OrganizationVisit, found: FoundOrder): Promise<Response> {
  const message = (await readForm(visit.request)).text("message")
  const declined = await declineOrder(visit.context, found, message, visit.actor)
  const again = (refused: AskedAgain) => askPage(visit, refusal(found), message, refused)
  return afterAnswer(visit, declined, again, "The order is declined.")
}

export const orderPageRoutes = [
  forMember("GET", `${ORDERS}/:order`, withFound(findOrder, orderPage)),
  ...askFirst(forAdmin, `${ORDERS}/:order/decline`, findOrder, decline, (_, found) => refusal(found)),
]
