import type { ComponentChildren } from "preact"
import { answerOffer, type RequesterMove } from "../../../actions/sale/answer-order.ts"
import { hashToken } from "../../../domain/keys/api-key.ts"
import { ORDER_BYTES_MAX } from "../../../domain/limits.ts"
import { amountNow, amountOf, isFromRequester, isOpen, stateAt, termsNow } from "../../../domain/sale/order.ts"
import { cutText } from "../../../domain/text/short-text.ts"
import type { Order, Statement } from "../../../storage/port/store.ts"
import { courseOfLine, lineChart, totalsCsv } from "../campaigns/line.tsx"
import { readForm } from "../form.ts"
import { askFirst, forAnyone, withFound } from "../guards.ts"
import { paperOf, paperPage } from "../outside/paper.tsx"
import { logoOf } from "../outside/seller-logo.ts"
import { orderLinkEnded } from "../outside/stranger-pages.tsx"
import { Banner, ButtonLink, Card, Copyable, CsvAndPrint, Fold, PostButton } from "../parts/blocks.tsx"
import { HiddenInputs } from "../parts/form/form.tsx"
import { Time } from "../parts/format.tsx"
import { LineBadge, LineProgress } from "../parts/line.tsx"
import { PageHead, Steps } from "../parts/page.tsx"
import { endText, MessageCard, money, offeredColumn, TermsFacts, termsTable } from "../parts/terms.tsx"
import { AskButton, askPage, goTo, MEANWHILE, type Question } from "../respond.tsx"
import { deliveredText, statementOutside } from "../sale/sheet.tsx"
import { idParam, param, type Visit } from "../visit.ts"

type Placed = NonNullable<Awaited<ReturnType<typeof findOrder>>>

/** The order of this address, as it stands now. The link itself may have ended. */
async function findOrder(visit: Visit) {
  const [token, code] = [param(visit, "token"), param(visit, "code")]
  const found = await visit.context.store.orders.findByCode(hashToken(token), hashToken(code))
  if (found === null) return null
  const order = { ...found, state: stateAt(found, visit.now) }
  const href = `/order/${token}/${code}`
  return { order, paper: await paperOf(visit, found.sellerId, href), href, booked: await bookedOf(visit, found) }
}

/** Its line, as long as the seller keeps it, and the frozen statements with it: one that has others, too, is told by this line. */
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
  return { line, statements, isSettled: statements.some(({ statement }) => statement.state !== "cancelled") }
}

async function orderPage(visit: Visit, placed: Placed): Promise<Response> {
  const { order, paper, href, booked } = placed
  const { state, product } = order
  const step = state === "accepted" ? (booked?.isSettled ? 3 : 2) : 1
  const [moved, heading] = WORDS[state]
  return paperPage(visit, {
    title: `Your order for ${product.name}`,
    paper,
    actions: booked && <CsvAndPrint href={`${href}/totals.csv`} />,
    children: [
      <PageHead
        title={heading(placed)}
        above={`Your order for ${cutText(product.name, 80)}`}
        badges={booked === null ? undefined : <LineBadge line={booked.line} now={visit.now} />}
      >
        <p class="sub">
          {moved} <Time at={order.movedAt} isKept />. {isOpen(state) && endText(order, paper.zone)}
        </p>
      </PageHead>,
      (isOpen(state) || state === "accepted") && (
        <Steps steps={["Sent", step > 1 ? "Answered" : "Answer", "Running", "Settled"]} current={step} />
      ),
      state === "asked" && (await asked(visit, placed)),
      state === "offered" && <Offered {...placed} />,
      state === "accepted" && (await accepted(visit, placed)),
      !isOpen(state) && state !== "accepted" && <Closed {...placed} />,
    ],
  })
}

const WORDS: Readonly<Record<Order["state"], readonly [moved: string, heading: (placed: Placed) => string]>> = {
  asked: ["Sent", ({ paper }) => `Waiting for ${paper.name}`],
  offered: ["Offered", ({ paper }) => `${paper.name} offers other terms`],
  accepted: ["Accepted", ({ booked }) => (booked?.line.total == null ? "Booked" : "Booked and running")],
  declined: [
    "Declined",
    ({ order, paper }) => (isFromRequester(order) ? "You declined the offer" : `${paper.name} declined`),
  ],
  withdrawn: ["Withdrawn", () => "You withdrew this order"],
  ended: ["Last changed", () => "This order has ended"],
}

const Message = ({ order, paper }: Placed) => (
  <MessageCard order={order} ofRequester="Your message" ofSeller={`Message from ${paper.name}`} />
)

const withdrawal = ({ href, paper }: Placed) => ({
  href: `${href}/withdraw`,
  title: "Withdraw this order?",
  text: `${paper.name} is told. You can order again at any time.`,
  submit: "Withdraw order",
})

const refusal = ({ href, paper }: Placed) => ({
  href: `${href}/decline`,
  title: "Decline this offer?",
  text: "Nothing is booked then. You can order again at any time.",
  submit: "Decline offer",
  reason: `${paper.name} reads it.`,
})

async function asked(visit: Visit, placed: Placed): Promise<ComponentChildren> {
  const { order, paper, href } = placed
  const isMailed = (await visit.context.mail.inForce()) !== null
  return [
    <Banner tone="good" live>
      <h2>Your order is with {paper.name}</h2>
      <p>
        They accept it, offer other terms or decline. You’ll see the answer here
        {isMailed && `, and get an email at ${order.requester.email}`}.
      </p>
      <Copyable id="address" label="Keep the address of this page" text={`${visit.origin}${href}`} />
    </Banner>,
    <Card title="What you asked for">
      <TermsFacts order={order} terms={order.asked} />
    </Card>,
    <div class="actions">
      <AskButton label="Withdraw order" question={withdrawal(placed)} />
    </div>,
  ]
}

function Offered(placed: Placed) {
  const { order, href } = placed
  const amount = money(amountNow(order), order.priced.currency)
  return [
    <Message {...placed} />,
    <Card flush title="Your order and their offer">
      {termsTable(order, "You asked for", offeredColumn(order, "They offer"))}
    </Card>,
    <div class="actions">
      <PostButton action={`${href}/accept`} kind="primary" label={`Accept for ${amount}`}>
        <HiddenInputs values={{ seen: String(order.movedAt) }} />
      </PostButton>
      <AskButton label="Decline" question={refusal(placed)} />
      <span class="hint">Accepting books it. You pay by invoice, not here.</span>
    </div>,
  ]
}

function Closed(placed: Placed) {
  const { order, paper, href } = placed
  return [
    order.state === "declined" && <Message {...placed} />,
    <div class="actions">
      <ButtonLink kind="primary" href={href.replace(/\/[^/]*$/, "")} label="Order again" />
    </div>,
    <Fold title="What you asked for" note={money(amountOf(order.priced, order.asked), order.priced.currency)}>
      <TermsFacts order={order} terms={order.asked} />
    </Fold>,
    order.state === "ended" && <p class="hint">Nobody answered in time, or {paper.name} no longer sells it.</p>,
  ]
}

/** The line and nothing else of its campaign. */
async function accepted(visit: Visit, placed: Placed): Promise<ComponentChildren> {
  const { order, href, paper, booked } = placed
  const course = booked && (await courseOfLine(visit, booked.line))
  const statements = booked?.statements ?? []
  return [
    booked !== null &&
      course !== null && [
        <LineProgress line={booked.line} course={course} now={visit.now} zone={paper.zone} />,
        lineChart({ visit, line: booked.line, href }, course),
      ],
    <Message {...placed} />,
    <Card title="What was agreed">
      <TermsFacts order={order} terms={termsNow(order)} />
      {!booked?.isSettled && <p class="hint">The statement of delivery appears here once it is settled.</p>}
    </Card>,
    statements.map(({ statement, own, isAlone }) => (
      <Card title={`Statement ${statement.number}`}>
        <p>
          {statement.state === "cancelled"
            ? "It was cancelled."
            : [
                deliveredText(own),
                ". ",
                own.currency !== "" && (
                  <>
                    It comes to <b>{money(own.amount, own.currency)}</b>.
                  </>
                ),
              ]}{" "}
          {isAlone && <a href={`${href}/statements/${statement.id}`}>Open the statement</a>}
        </p>
      </Card>
    )),
  ]
}

const act = (move: RequesterMove) => async (visit: Visit, placed: Placed) => {
  const sent = (await readForm(visit.request, ORDER_BYTES_MAX)).texts("message", "seen")
  const answered = await answerOffer(visit.context, placed.order, move, sent)
  if (answered.outcome === "refused") return askPage(visit, refusal(placed), sent.message, { errors: answered.errors })
  if (answered.outcome === "not found") return orderLinkEnded(visit)
  if (answered.outcome === "done") return goTo(visit, placed.href)
  return goTo(visit, placed.href, MEANWHILE)
}

const csvOf = (visit: Visit, { booked }: Placed) =>
  booked === null ? orderLinkEnded(visit) : totalsCsv({ visit, line: booked.line })

const statementOf = (visit: Visit, { booked, paper }: Placed) => {
  const isIt = ({ id }: Statement) => id === idParam(visit, "statement")
  const shown = booked?.statements.find(({ statement, isAlone }) => isAlone && isIt(statement))
  return shown === undefined ? orderLinkEnded(visit) : statementOutside(visit, shown.statement, paper.logo)
}

const PAGE = "/order/:token/:code"

const asking = (path: string, move: RequesterMove, question: (placed: Placed) => Question) =>
  askFirst(forAnyone, `${PAGE}/${path}`, findOrder, act(move), (_, placed) => question(placed), orderLinkEnded)

export const orderRoutes = [
  forAnyone("GET", PAGE, withFound(findOrder, orderPage, orderLinkEnded)),
  forAnyone("GET", `${PAGE}/logo`, withFound(findOrder, logoOf, orderLinkEnded)),
  forAnyone("GET", `${PAGE}/totals.csv`, withFound(findOrder, csvOf, orderLinkEnded)),
  forAnyone("GET", `${PAGE}/statements/:statement`, withFound(findOrder, statementOf, orderLinkEnded)),
  forAnyone("POST", `${PAGE}/accept`, withFound(findOrder, act("requester accepts"), orderLinkEnded)),
  ...asking("decline", "requester declines", refusal),
  ...asking("withdraw", "requester withdraws", withdrawal),
]
