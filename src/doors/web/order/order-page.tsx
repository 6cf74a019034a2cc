import type { ComponentChildren } from "preact"
import { answerOffer } from "../../../actions/sale/answer-order.ts"
import { hashToken } from "../../../domain/keys/api-key.ts"
import { ORDER_BYTES_MAX } from "../../../domain/limits.ts"
import { amountOf } from "../../../domain/sale/order.ts"
import { endsAt, isFromRequester, isOpen, stateAt } from "../../../domain/sale/order-state.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { Order } from "../../../storage/port/store.ts"
import { AskButton, askFirst } from "../ask-first.tsx"
import { courseOfLine, LineChart, totalsCsv } from "../campaigns/line.tsx"
import { type Errors, readForm } from "../form.ts"
import { orderLinkEnded, sellerWithLogo, sellerWords } from "../outer.tsx"
import { Banner, ButtonLink, Card, Copyable, CsvLink, Fold, Letterhead, PrintButton, Submit } from "../parts/blocks.tsx"
import { TextArea } from "../parts/form/fields.tsx"
import { Form, HiddenInputs } from "../parts/form/form.tsx"
import { formatDate, Time } from "../parts/format.tsx"
import { LineBadge, LineStanding } from "../parts/line.tsx"
import { PageHead, Steps } from "../parts/page.tsx"
import { money, offeredColumn, TermsFacts, TermsTable } from "../parts/terms.tsx"
import { goTo, page, problem } from "../respond.ts"
import { forAnyone, withFound } from "../route.ts"
import { deliveredText, statementOutside } from "../sale/sheet.tsx"
import { idParam, param, type Visit } from "../visit.ts"
import type { OrderVisit } from "./form-page.tsx"

interface PlacedVisit extends OrderVisit {
  readonly order: Order
  readonly words: string
  readonly href: string
}

const placeOf = (visit: Visit) => ({
  linkHash: hashToken(param(visit, "token")),
  codeHash: hashToken(param(visit, "code")),
})

/** The order of this address, as it stands now. The link itself may have ended. */
async function findOrder(visit: Visit): Promise<PlacedVisit | null> {
  const { linkHash, codeHash } = placeOf(visit)
  const found = await visit.context.store.orders.findByCode(linkHash, codeHash)
  if (found === null) return null
  const seller = await sellerWithLogo(visit, found.sellerId)
  const order = { ...found, state: stateAt(found, visit.now) }
  const href = `/order/${param(visit, "token")}/${param(visit, "code")}`
  return { visit, seller, order, words: sellerWords(visit, seller), href }
}

/**
 * Its line, once it is booked and as long as the seller keeps it, and the frozen statements with it: one that has others, too, is told by
 * this line alone.
 */
async function bookedOf({ context: { store } }: Visit, { packageId, sellerId }: Order) {
  const located = packageId === null ? null : await store.packageLines.locate(packageId)
  const found = located && (await store.campaigns.find(sellerId ?? 0, located.campaign, { packageId: packageId ?? "" }))
  const line = found?.lines[0]
  if (found == null || line === undefined) return null
  const statements = (await store.statements.list([found.id], null)).flatMap((statement) => {
    const own = statement.sellerId === sellerId && statement.body?.lines.find((each) => each.packageId === packageId)
    const isAlone = statement.body?.lines.length === 1 && statement.body.added.length === 0
    return own ? [{ statement, own, isAlone }] : []
  })
  return { line, statements }
}

type Booked = NonNullable<Awaited<ReturnType<typeof bookedOf>>>

async function orderPage(place: PlacedVisit, errors: Errors = {}, reason = ""): Promise<Response> {
  const { visit, seller, order, words } = place
  const booked = await bookedOf(visit, order)
  const { state } = order
  const step = state === "accepted" ? (booked?.statements.length ? 3 : 2) : 1
  const isLive = isOpen(state) || state === "accepted"
  const [moved, heading] = WORDS[state]
  return page(visit, {
    title: `Your order for ${order.product.name}`,
    shape: "sheet",
    zone: seller?.timeZone,
    body: (
      <article class="stack">
        <Letterhead logo={seller?.logo ?? null} name={words}>
          {booked !== null && (
            <div class="actions no-print">
              <CsvLink href={`${place.href}/totals.csv`} label="CSV" />
              <PrintButton />
            </div>
          )}
        </Letterhead>
        <PageHead
          title={heading(place, booked)}
          above={`Your order for ${order.product.name}`}
          badges={booked === null ? undefined : <LineBadge line={booked.line} now={visit.now} />}
        >
          <p class="sub">
            {moved} <Time at={order.movedAt} />.
          </p>
        </PageHead>
        {isLive && <Steps steps={["Sent", step > 1 ? "Answered" : "Answer", "Running", "Settled"]} current={step} />}
        {state === "asked" && <Asked place={place} />}
        {state === "offered" && <Offer place={place} errors={errors} reason={reason} />}
        {state === "accepted" && (await accepted(place, booked))}
        {!isLive && <Closed place={place} />}
      </article>
    ),
  })
}

type Heading = (place: PlacedVisit, booked: Booked | null) => string

const WORDS: Readonly<Record<Order["state"], readonly [moved: string, heading: Heading]>> = {
  asked: ["Sent", ({ words }) => `Waiting for ${words}`],
  offered: ["Offered", ({ words }) => `${words} offers other terms`],
  accepted: ["Accepted", (_, booked) => (booked?.line.total == null ? "Booked" : "Booked and running")],
  declined: [
    "Declined",
    ({ order, words }) => (isFromRequester(order) ? "You declined the offer" : `${words} declined`),
  ],
  withdrawn: ["Withdrawn", () => "You withdrew this order"],
  ended: ["Last changed", () => "This order has ended"],
}

const message = ({ order, words }: PlacedVisit) =>
  order.message !== "" && (
    <Card title={isFromRequester(order) ? "Your message" : `Message from ${words}`}>
      <p class="sum lines">{order.message}</p>
    </Card>
  )

const withdrawal = ({ href, words }: PlacedVisit) => ({
  href: `${href}/withdraw`,
  question: "Withdraw this order?",
  text: `${words} is told. You can order again at any time.`,
  submit: "Withdraw order",
  cancel: href,
})

function Withdraw({ place }: PlaceProps) {
  const last = formatDate(dayOf(endsAt(place.order), place.seller?.timeZone ?? "UTC"))
  return (
    <div class="actions">
      <AskButton label="Withdraw order" quiet question={withdrawal(place)} />
      <span class="hint">Without an answer, it ends on {last}.</span>
    </div>
  )
}

type PlaceProps = { readonly place: PlacedVisit }

function Closed({ place }: PlaceProps) {
  const { order, visit, words } = place
  return (
    <>
      {order.state === "declined" && message(place)}
      <div class="actions">
        <ButtonLink kind="primary" href={`/order/${param(visit, "token")}`} label="Order again" />
      </div>
      <Fold title="What you asked for" note={money(amountOf(order.priced, order.asked), order.priced.currency)}>
        <TermsFacts order={order} terms={order.asked} />
      </Fold>
      {order.state === "ended" && <p class="hint">Nobody answered in time, or {words} no longer sells it.</p>}
    </>
  )
}

const Asked = ({ place }: PlaceProps) => (
  <>
    <Banner tone="good" live>
      <h2>Your order is with {place.words}</h2>
      <p>They accept it, offer other terms or decline. You’ll see the answer here.</p>
      <Copyable id="address" label="Keep the address of this page" text={`${place.visit.origin}${place.href}`} />
    </Banner>
    <Card title="What you asked for">
      <TermsFacts order={place.order} terms={place.order.asked} />
    </Card>
    <Withdraw place={place} />
  </>
)

type OfferProps = PlaceProps & Readonly<{ errors: Errors; reason: string }>

function Offer({ place, errors, reason }: OfferProps) {
  const { order, href, words } = place
  const { priced, offered } = order
  if (offered === null) return null
  const isWrong = Object.keys(errors).length > 0
  return (
    <>
      {message(place)}
      <Card flush title="Your order and their offer">
        <TermsTable order={order} title="You asked for" beside={offeredColumn(order, "They offer")} />
      </Card>
      <form method="post" action={`${href}/accept`} class="actions">
        <HiddenInputs values={{ seen: String(order.movedAt) }} />
        <Submit kind="primary" label={`Accept for ${money(amountOf(priced, offered), priced.currency)}`} />
        <span class="hint">Accepting books it. You pay by invoice, not here.</span>
      </form>
      <details class="more" open={isWrong}>
        <summary>Decline the offer</summary>
        <Form action={`${href}/decline`} submit="Decline offer" danger values={{ message: reason }} errors={errors}>
          <TextArea name="message" label="Reason" rows={2} prose required hint={`${words} reads it.`} />
        </Form>
      </details>
      <Withdraw place={place} />
    </>
  )
}

/** The line and nothing else of its campaign. */
async function accepted(place: PlacedVisit, booked: Booked | null): Promise<ComponentChildren> {
  const { visit, order, href, seller } = place
  const course = booked && (await courseOfLine(visit, booked.line))
  const statements = booked?.statements ?? []
  return (
    <>
      {booked !== null && course !== null && (
        <>
          <LineStanding line={booked.line} course={course} now={visit.now} zone={seller?.timeZone ?? "UTC"} />
          <LineChart place={{ visit, line: booked.line, href }} course={course} />
        </>
      )}
      {message(place)}
      <Card title="What was agreed">
        <TermsFacts order={order} terms={order.offered ?? order.asked} />
        {statements.length === 0 && <p class="hint">The statement of delivery appears here once it is settled.</p>}
      </Card>
      {statements.map(({ statement, own, isAlone }) => (
        <Card key={statement.id} title={`Statement ${statement.number}`}>
          <p>
            {deliveredText(own)}. It comes to <b>{money(own.amount, own.currency || "EUR")}</b>.{" "}
            {isAlone && <a href={`${href}/statements/${statement.id}`}>Open the statement</a>}
          </p>
        </Card>
      ))}
    </>
  )
}

const act = (move: Parameters<typeof answerOffer>[2]) => async (visit: Visit, place: PlacedVisit) => {
  const form = await readForm(visit.request, ORDER_BYTES_MAX)
  const { message: reason, seen } = form.texts("message", "seen")
  const answered = await answerOffer(visit.context, placeOf(visit), move, { message: reason, seen })
  if (answered.outcome === "refused") return orderPage(place, answered.errors, reason)
  if (answered.outcome === "not found") return orderLinkEnded(visit)
  if (answered.outcome === "done") return goTo(visit, place.href)
  return goTo(visit, place.href, problem("This changed meanwhile, so nothing was done. Here is how it stands now."))
}

const PAGE = "/order/:token/:code"

const found = (show: (visit: Visit, place: PlacedVisit) => Promise<Response>) =>
  withFound(findOrder, show, orderLinkEnded)

export const orderRoutes = [
  forAnyone(
    "GET",
    PAGE,
    found((_, place) => orderPage(place)),
  ),
  forAnyone(
    "GET",
    `${PAGE}/totals.csv`,
    found(async (visit, { order }) => {
      const booked = await bookedOf(visit, order)
      return booked === null ? orderLinkEnded(visit) : totalsCsv({ visit, line: booked.line })
    }),
  ),
  forAnyone(
    "GET",
    `${PAGE}/statements/:statement`,
    found(async (visit, { order, seller }) => {
      const { statements = [] } = (await bookedOf(visit, order)) ?? {}
      const shown = statements.find(({ statement, isAlone }) => isAlone && statement.id === idParam(visit, "statement"))
      return shown === undefined
        ? orderLinkEnded(visit)
        : statementOutside(visit, shown.statement, seller?.logo ?? null)
    }),
  ),
  forAnyone("POST", `${PAGE}/accept`, found(act("requester accepts"))),
  forAnyone("POST", `${PAGE}/decline`, found(act("requester declines"))),
  ...askFirst(forAnyone, `${PAGE}/withdraw`, findOrder, act("requester withdraws"), (_, place) => withdrawal(place)),
]
