import { moveStatement, readPaidOn } from "../../../actions/sale/statements.ts"
import { notSettled } from "../../../domain/sale/settled.ts"
import { changedSince, firstDraft, type LaterLine } from "../../../domain/sale/statement.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { Statement } from "../../../storage/port/store.ts"
import { CAMPAIGN, trailTo } from "../campaigns/with-line.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { askFirst, forAdmin, forMember, withFound } from "../guards.ts"
import { Banner, ButtonLink, Card, CsvAndPrint, LookBadge } from "../parts/blocks.tsx"
import { Field, Form } from "../parts/form/form.tsx"
import { formatCount, formatDate, formatMoney, formatNumber, listInWords, Time } from "../parts/format.tsx"
import { sumsInWords } from "../parts/terms.tsx"
import { AskButton, done, goTo, headedPage, logoResponse, MEANWHILE } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { STATEMENT_LOOKS, statementCsv, statementSheet } from "./sheet.tsx"
import { draftPage, type FoundStatement, findStatement, sendDraft } from "./statement-form.tsx"
import { nameOf } from "./with-order.ts"

type Frozen = FoundStatement & { readonly statement: Statement }

async function statementPage(visit: OrganizationVisit, found: FoundStatement): Promise<Response> {
  const { statement, all, base, campaign } = found
  if (statement !== null)
    return statement.draft === null ? frozenPage(visit, { ...found, statement }) : draftPage(found, statement.draft)
  const draft = draftOf(all)
  if (draft !== undefined) return goTo(visit, `${base}/${draft.id}`)
  return draftPage(found, firstDraft(all, { from: visit.organization.name, to: campaign.buyer.name }))
}

/** The next statement of the campaign, begun but not frozen: only when it is frozen does it say what it corrects. */
const draftOf = (all: readonly Statement[]) => all.find(({ state }) => state === "draft")

/** With `?csv` its file. */
async function frozenPage(visit: OrganizationVisit, found: Frozen, paidOn = todayOf(visit), errors: Errors = {}) {
  const { campaign, statement, href, mayChange } = found
  if (visit.url.searchParams.has("csv")) return statementCsv(statement)
  const { number, state, frozenAt } = statement
  const logo = await visit.context.store.organizations.logo(statement.sellerId)
  const frozenBy = campaign.sells ? await nameOf(visit, statement.frozenBy ?? "") : undefined
  const corrections = correctionsOf(found).flatMap(({ number: by }) => by ?? [])
  return headedPage(visit, {
    title: `Statement ${number}`,
    trail: trailTo(visit, campaign),
    badges: <LookBadge look={STATEMENT_LOOKS[state]} />,
    intro: (
      <p class="sub no-print">
        Frozen {frozenBy !== undefined && `by ${frozenBy} `}
        on <Time at={frozenAt ?? 0} />.{" "}
        {statement.paidOn === null ? "Not paid yet." : `Paid on ${formatDate(statement.paidOn)}.`}
        {corrections.length > 0 && ` Corrected by ${listInWords(corrections, 5)}.`}
      </p>
    ),
    actions: <CsvAndPrint href={`${href}?csv`} />,
    body: [
      mayChange && state !== "cancelled" && (await laterBanner(visit, found)),
      statementSheet(statement, logo && `${href}/logo`),
      mayChange && (
        <div class="stack narrow no-print">
          {state === "frozen" && (
            <Card title="Was it paid?">
              <Form action={`${href}/paid`} submit="Mark as paid" values={{ paid_on: paidOn }} errors={errors}>
                <Field type="date" name="paid_on" label="Paid on" required />
              </Form>
            </Card>
          )}
          {state !== "cancelled" && <AskButton label="Cancel statement" question={cancellation(visit, found)} />}
        </div>
      ),
    ],
  })
}

const todayOf = ({ now, organization }: OrganizationVisit) => dayOf(now, organization.timeZone)

/** Those that still hold. */
const correctionsOf = ({ all, statement }: Frozen) =>
  all.filter(({ corrects, state }) => corrects === statement.id && state !== "cancelled")

/** What changed after it was frozen: it stays as it is, and can be corrected. */
async function laterBanner({ context, organization }: OrganizationVisit, found: Frozen) {
  const { campaign, statement, base, all } = found
  if (statement.body === null || statement.frozenAt === null || correctionsOf(found).length > 0) return null
  const now = await context.store.statements.lines([campaign.id], organization.id)
  const changed = changedSince(statement.body, now)
  if (changed.length === 0) return null
  const draft = draftOf(all)
  const [next, label] = draft === undefined ? ["new", "Make a correcting statement"] : [draft.id, "Open draft"]
  const difference = notSettled(all, now)
  return (
    <Banner tone="info">
      <h2>Changed since {formatDate(dayOf(statement.frozenAt, organization.timeZone))}</h2>
      <ul class="plain">
        {changed.slice(0, CHANGES_SHOWN_MAX).map((line) => (
          <li>
            <b>{line.name}</b>: {laterText(line)}
          </li>
        ))}
        {changed.length > CHANGES_SHOWN_MAX && <li>{formatCount(changed.length - CHANGES_SHOWN_MAX, "more line")}</li>}
      </ul>
      <p>This statement stays as it is. Not settled yet: {sumsInWords(difference) || "–"}.</p>
      <div class="actions">
        <ButtonLink href={`${base}/${next}`} label={label} />
      </div>
    </Banner>
  )
}

const CHANGES_SHOWN_MAX = 5

/** "3,120 more delivered, now 37,120", "rate €16.00, now €17.00". */
function laterText({ before, now }: LaterLine): string {
  if (before === null) return "added since"
  if (now === null) return "removed since"
  const more = now.delivered - before.delivered
  const isFlat = now.basis === "flat_rate"
  const delivered = isFlat
    ? `${more > 0 ? "" : "no longer "}delivered`
    : `${formatNumber(Math.abs(more))} ${more < 0 ? "fewer" : "more"} delivered, now ${formatNumber(now.delivered)}`
  const rate = ({ rate: each, currency }: typeof now) => (each === null ? "none" : formatMoney(each, currency))
  const booked = ({ booked: each }: typeof now) => (each === null ? "none" : formatNumber(each))
  return [
    more !== 0 && delivered,
    (before.rate !== now.rate || before.currency !== now.currency) && `rate ${rate(before)}, now ${rate(now)}`,
    before.booked !== now.booked && `booked ${booked(before)}, now ${booked(now)}`,
  ]
    .filter((text) => text !== false)
    .join("; ")
}

/** One that the visitor may change: what is asked of a draft is never done to one that was frozen meanwhile. */
const findOwn = (isDraft: boolean) => async (visit: OrganizationVisit) => {
  const found = await findStatement(visit)
  const isIt = found?.mayChange && found.statement && (found.statement.state === "draft") === isDraft
  return isIt ? ({ ...found, statement: found.statement } as Frozen) : null
}

async function pay(visit: OrganizationVisit, found: Frozen): Promise<Response> {
  const typed = (await readForm(visit.request)).text("paid_on")
  const read = readPaidOn(typed, found.statement, visit.organization.timeZone, todayOf(visit))
  if (read.day === undefined) return frozenPage(visit, found, typed, { paid_on: read.error })
  const isPaid = await moveStatement(visit.context, found.of, { to: "paid", on: read.day }, visit.actor)
  return goTo(visit, found.href, isPaid ? done(`Statement ${found.statement.number} is paid.`) : MEANWHILE)
}

const cancellation = (_: OrganizationVisit, { statement, href }: Frozen) => ({
  href: `${href}/cancel`,
  title: `Cancel statement ${statement.number}?`,
  text: "It keeps its number and is marked as cancelled.",
  submit: "Cancel statement",
})

async function cancel(visit: OrganizationVisit, { of, href }: Frozen): Promise<Response> {
  await moveStatement(visit.context, of, { to: "cancelled" }, visit.actor)
  return goTo(visit, href, done("The statement is cancelled."))
}

const discarding = (_: OrganizationVisit, { href }: Frozen) => ({
  href: `${href}/discard`,
  title: "Discard this draft?",
  text: "Nothing of it was sent to anybody.",
  submit: "Discard draft",
})

async function discard(visit: OrganizationVisit, { of, base, href }: Frozen): Promise<Response> {
  const isGone = await moveStatement(visit.context, of, { to: "discarded" }, visit.actor)
  return isGone
    ? goTo(visit, base.replace(/\/statements$/, ""), done("The draft has been discarded."))
    : goTo(visit, href, MEANWHILE)
}

const send = (visit: OrganizationVisit, found: FoundStatement) =>
  found.mayChange ? sendDraft(found) : pageNotFound(visit)

async function findLogo(visit: OrganizationVisit) {
  const found = await findStatement(visit)
  return found && visit.context.store.organizations.logo(found.statement?.sellerId ?? 0)
}

const PAGE = `${CAMPAIGN}/statements/:statement`

export const statementRoutes = [
  forMember("GET", PAGE, withFound(findStatement, statementPage)),
  forAdmin("POST", PAGE, withFound(findStatement, send)),
  forMember("GET", `${PAGE}/logo`, withFound(findLogo, logoResponse)),
  forAdmin("POST", `${PAGE}/paid`, withFound(findOwn(false), pay)),
  ...askFirst(forAdmin, `${PAGE}/cancel`, findOwn(false), cancel, cancellation),
  ...askFirst(forAdmin, `${PAGE}/discard`, findOwn(true), discard, discarding),
]
