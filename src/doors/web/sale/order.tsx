import { type AnsweredOrder, declineOrder } from "../../../actions/sale/answer-order.ts"
import { productToday, requesterPath } from "../../../actions/sale/order-links.ts"
import { amountOf, isOpen, termsNow } from "../../../domain/sale/order.ts"
import { capitalized } from "../../../domain/text/short-text.ts"
import { timeOfDay } from "../../../domain/time/time-zone.ts"
import type { Order } from "../../../storage/port/store.ts"
import { AskButton, askFirst, askPage, type Refused } from "../ask-first.tsx"
import { lineErrors } from "../campaigns/line-form.tsx"
import { pageNotFound } from "../error-pages.tsx"
import { readForm } from "../form.ts"
import { AGENT_KEY, itemAddress, PRODUCT, REQUEST } from "../frame/navigation.ts"
import { tellRequester } from "../outer.tsx"
import { Banner, ButtonLink, Card, Copyable, Facts, LookBadge } from "../parts/blocks.tsx"
import { Time } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { adFact, endText, MessageCard, money, offeredColumn, termsTable, todayColumn } from "../parts/terms.tsx"
import { done, goTo } from "../respond.ts"
import { type Answer, forAdmin, forMember, withFound } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { linesTable, linesThen, roomFor } from "./lines-then.tsx"
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
    actions: mayAnswer && (
      <>
        <AskButton label="Decline" question={refusal(found)} />
        <ButtonLink href={`${href}/offer`} label={state === "asked" ? "Offer other terms" : "Change the offer"} />
        {state === "asked" && <ButtonLink kind="primary" href={`${href}/accept`} label="Accept" />}
      </>
    ),
    body: (
      <>
        {state === "accepted" && (await receipt(visit, order, next))}
        {state === "asked" && (await roomFor(visit, order, lines))}
        <MessageCard order={order} ofRequester={`Message from ${requester.name}`} ofSeller="Your message" />
        <Card flush title="What they want" actions={link}>
          {termsTable(order, "Asked", [...offeredColumn(order, "Offered"), todayColumn(order, today)])}
          {requester.note !== "" && (
            <div class="card-foot">
              <b>Note</b>
              <p class="lines">{requester.note}</p>
            </div>
          )}
          {today === null && <p class="card-foot">The product is no longer sold.</p>}
        </Card>
        {await whoAsks(visit, order)}
        {linesTable(visit, order, lines)}
      </>
    ),
  })
}

/** "Henry accepted it". */
async function lastMove(visit: OrganizationVisit, { state, movedBy, requester }: Order, it: string): Promise<string> {
  if (state === "ended") return `${capitalized(it)} ended`
  const who = movedBy === "requester" ? requester.name : ((await nameOf(visit, movedBy)) ?? "Somebody")
  return `${who} ${state === "withdrawn" ? "withdrew" : state} ${it}`
}

/** Somebody else was faster: what happened, while what was typed stays in the form. */
async function movedMeanwhile(visit: OrganizationVisit, order: Order): Promise<Refused> {
  const time = timeOfDay(order.movedAt, visit.organization.timeZone).slice(0, 5)
  const moved = `${await lastMove(visit, order, "this order")} at ${time}`
  const line = await lineHref(visit, order)
  return {
    errors: { "": `${moved}. Nothing was sent. What you typed is still in the form.` },
    instead: { href: line ?? `${ordersOf(visit)}/${order.id}`, label: line === null ? "Open order" : "Open line" },
  }
}

/** What follows an answer: its form again where it was refused or somebody was faster, else the order. */
export async function afterAnswer(
  visit: OrganizationVisit,
  answered: AnsweredOrder,
  again: (refused: Refused) => Answer,
  said: string,
): Promise<Response> {
  if (answered.outcome === "not found") return pageNotFound(visit)
  if (answered.outcome === "refused") return again({ errors: lineErrors(answered.errors) })
  if (answered.outcome === "moved") return again(await movedMeanwhile(visit, answered.order))
  tellRequester(visit, answered.order, "answered")
  return goTo(visit, `${ordersOf(visit)}/${answered.order.id}`, done(said))
}

/** The page of the line that was booked; null where there is none, or none any more. */
async function lineHref({ context: { store } }: OrganizationVisit, { packageId }: Order): Promise<string | null> {
  const located = packageId === null ? null : await store.packageLines.locate(packageId)
  return located && `/app/o/${located.seller}/campaigns/${located.campaign}/lines/${packageId}`
}

async function receipt(visit: OrganizationVisit, order: Order, next: Order | undefined) {
  const { packageId, priced } = order
  const line = await lineHref(visit, order)
  if (packageId === null || line === null) return <Banner tone="info">Its line was removed.</Banner>
  return (
    <Banner tone="good">
      <h2>Accepted: {money(amountOf(priced, termsNow(order)), priced.currency)} booked</h2>
      <Copyable id="package-id" label="Line ID for the API" text={packageId} />
      <div class="actions">
        <ButtonLink kind="primary" href={line} label="Open line" />
        {next !== undefined && <ButtonLink href={`${ordersOf(visit)}/${next.id}`} label="Next order" />}
      </div>
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
  cancel: href,
  reason: `${requester.name} reads it on the order’s page.`,
})

async function decline(visit: OrganizationVisit, found: FoundOrder): Promise<Response> {
  const message = (await readForm(visit.request)).text("message")
  const declined = await declineOrder(visit.context, found, message, visit.actor)
  const again = (refused: Refused) => askPage(visit, refusal(found), message, refused)
  return afterAnswer(visit, declined, again, "The order is declined.")
}

export const orderPageRoutes = [
  forMember("GET", `${ORDERS}/:order`, withFound(findOrder, orderPage)),
  ...askFirst(forAdmin, `${ORDERS}/:order/decline`, findOrder, decline, (_, found) => refusal(found)),
]
