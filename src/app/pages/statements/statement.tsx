import { moveStatement, type StatementMove } from "../../../actions/sale/statements.ts"
import type { StatementBody } from "../../../domain/sale/statement.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { logoOf } from "../../../storage/organizations.ts"
import { type Statement, statementById } from "../../../storage/sales.ts"
import { logoResponse } from "../../assets.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import type { FormOf } from "../../forms/form.ts"
import { csvFile } from "../../list.ts"
import { page } from "../../page.tsx"
import { AskLink, ButtonLink, CsvLink, Letterhead, PrintButton } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form, PostButton } from "../../parts/form.tsx"
import { formatDate, listInWords, sumsInWords } from "../../parts/format.tsx"
import { Table } from "../../parts/table.tsx"
import { type MemberVisit, NotFound, orNotFound } from "../../visit.ts"
import { paperColumns, paperRows } from "./statement-rows.tsx"
import { StatementBadge, statementAddress, statementsAddress } from "./statements.tsx"

/** The statement in the path, if the organization made it or got it. */
async function findStatement({ read, organization, params }: MemberVisit): Promise<Statement> {
  const id = Number(params["statement"])
  return orNotFound(Number.isSafeInteger(id) ? await statementById(read, organization.id, id) : null)
}

/** The same, if the organization made it. */
async function findOwn(visit: MemberVisit): Promise<Statement> {
  const statement = await findStatement(visit)
  if (statement.sellerId !== visit.organization.id) throw new NotFound()
  return statement
}

export async function statementPage(visit: MemberVisit): Promise<Response> {
  const statement = await findStatement(visit)
  const isSeller = statement.sellerId === visit.organization.id
  const address = statementAddress(visit, statement)
  const logo = await logoOf(visit.read, statement.sellerId)
  return page(visit, {
    title: `Statement ${statement.number}`,
    trail: [{ href: statementsAddress(visit), label: "Statements" }],
    badge: <StatementBadge state={statement.state} />,
    intro: stateInWords(statement, isSeller),
    actions: (
      <>
        <CsvLink href={`${address}/lines.csv`} />
        <PrintButton />
        {isSeller && visit.role === "admin" && movesOf(visit, statement)}
      </>
    ),
    body: statementSheet(statement, logo && `${address}/logo`),
  })
}

const stateInWords = ({ state, paidOn, frozenAt, body }: Statement, isSeller: boolean): string => {
  if (state === "paid" && paidOn !== null) return `Paid on ${formatDate(paidOn)}.`
  if (state === "cancelled")
    return isSeller ? "Canceled. What was delivered is open again." : "Canceled. You don’t owe it."
  return `Frozen on ${formatDate(dayOf(frozenAt, body.timeZone))}. Not paid yet.`
}

function movesOf(visit: MemberVisit, statement: Statement) {
  const address = statementAddress(visit, statement)
  const { state } = statement
  return (
    <>
      {state !== "cancelled" && (
        <AskLink href={`${address}/cancel`} label="Cancel statement" about={`Cancel statement ${statement.number}`} />
      )}
      {state === "paid" && <PostButton action={`${address}/unpaid`} label="Mark as unpaid" />}
      {state === "frozen" && <ButtonLink href={`${address}/paid`} label="Mark as paid" kind="primary" />}
    </>
  )
}

/** What is printed: one page. */
function statementSheet({ body, number, through, frozenAt, state }: Statement, logo: string | null) {
  return (
    <article class="card paper">
      <Letterhead logo={logo} name={body.seller.name}>
        <div>
          <b>{state === "cancelled" ? "Canceled statement of delivery" : "Statement of delivery"}</b>
          <br />
          No. {number}, {formatDate(dayOf(frozenAt, body.timeZone))}
        </div>
      </Letterhead>
      {parties(body, through)}
      <Table caption="Lines" columns={paperColumns(through, body.timeZone)} rows={paperRows(body.rows, body.added)} />
      <p class="sum">
        Total <b class="mid">{sumsInWords(body.sums)}</b>
      </p>
      {body.note !== "" && <p class="prose">{body.note}</p>}
      <p class="hint">
        Value is the delivery at the agreed price. This is a statement of delivery, not an invoice. Amounts are without
        tax.
      </p>
    </article>
  )
}

const parties = ({ seller, buyer }: StatementBody, through: string) => (
  <div class="cols">
    {party("From", seller)}
    {party("To", buyer)}
    <div>
      <small>Delivered through</small>
      <p>{formatDate(through)}</p>
    </div>
  </div>
)

const party = (term: string, { name, address }: StatementBody["seller"]) => (
  <div>
    <small>{term}</small>
    <p>
      <b>{name}</b>
      {address.split("\n").map((line) => (
        <>
          <br />
          {line}
        </>
      ))}
    </p>
  </div>
)

export async function statementFile(visit: MemberVisit): Promise<Response> {
  const { number, through, body } = await findStatement(visit)
  return csvFile(`statement-${number}`, paperColumns(through, body.timeZone), paperRows(body.rows, body.added))
}

/** The seller's logo, for everybody who may see the statement. */
export async function statementLogo(visit: MemberVisit): Promise<Response> {
  const { sellerId } = await findStatement(visit)
  return logoResponse(visit.read, sellerId)
}

export const paidForm: FormOf<MemberVisit, Statement> = {
  find: findOwn,
  begin: ({ now }, { body }) => ({ texts: { paidOn: dayOf(now, body.timeZone) } }),
  view: (visit, statement) => ({
    title: `Mark ${statement.number} as paid`,
    isCard: true,
    body: (
      <Form submit="Mark as paid" cancel={statementAddress(visit, statement)}>
        <Field name="paidOn" label="Paid on" type="date" required />
      </Form>
    ),
  }),
  save: (visit, { id }, { paidOn = "" }) => moveTo(visit, id, { state: "paid", paidOn }, "Marked as paid."),
}

export async function markUnpaid(visit: MemberVisit): Promise<Response> {
  const { id } = await findOwn(visit)
  const moved = await moveTo(visit, id, { state: "frozen" }, "Marked as unpaid.")
  return moved instanceof Response ? moved : goTo(visit, statementAddress(visit, { id }))
}

export const cancelForm = askFirst({
  find: findOwn,
  ask: (visit, statement) => ({
    title: `Cancel statement ${statement.number}?`,
    text: `It keeps its number and is marked as canceled. ${afterwards(statement)}`,
    submit: "Cancel statement",
    cancel: statementAddress(visit, statement),
  }),
  act: (visit, { id }) => moveTo(visit, id, { state: "cancelled" }, "The statement is canceled."),
})

/** What the next statement has of this one once it's canceled. */
function afterwards({ body }: Statement): string {
  const again = "Its lines appear on the next statement again."
  if (body.added.length === 0) return again
  const added = body.added.map(({ text, ...sum }) => `${text} (${sumsInWords([sum])})`)
  return `${again} These amounts were added by hand, so they don’t: ${listInWords(added)}.`
}

async function moveTo(visit: MemberVisit, id: number, move: StatementMove, done: string) {
  const moved = orNotFound(await moveStatement(visit.context, visit.actor, visit.organization.id, id, move))
  return moved === "moved" ? goTo(visit, statementAddress(visit, { id }), done) : moved
}
