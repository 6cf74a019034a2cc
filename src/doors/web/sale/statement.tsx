import { moveStatement, readPaidOn } from "../../../actions/sale/statements.ts"
import { laterFigures } from "../../../domain/sale/statement.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownCampaign, Statement } from "../../../storage/port/store.ts"
import { AskButton, askFirst } from "../ask-first.tsx"
import { CAMPAIGN, campaignsOf, findCampaign, trailTo } from "../campaigns/with-line.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { Banner, ButtonLink, Card, CsvLink, LookBadge, PrintButton } from "../parts/blocks.tsx"
import { Field } from "../parts/form/fields.tsx"
import { Form } from "../parts/form/form.tsx"
import { formatDate, formatNumber, listInWords, Time } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { money } from "../parts/terms.tsx"
import { done, goTo, logoResponse } from "../respond.ts"
import { forAdmin, forMember, withFound } from "../route.ts"
import { idParam, type OrganizationVisit, readId } from "../visit.ts"
import { statementsFor } from "./settling.tsx"
import { STATEMENT_LOOKS, StatementSheet, statementCsv } from "./sheet.tsx"
import { draftPage, firstDraft, placeOf, sendDraft, typedOf } from "./statement-form.tsx"

interface FoundStatement {
  readonly campaign: ShownCampaign
  readonly statement: Statement
  /** All that whoever looks may see of the campaign. */
  readonly all: readonly Statement[]
  readonly isSeller: boolean
}

async function findStatement(visit: OrganizationVisit): Promise<FoundStatement | null> {
  const campaign = await findCampaign(visit)
  if (campaign === null) return null
  const all = await statementsFor(visit, campaign)
  const statement = all.find(({ id }) => id === idParam(visit, "statement"))
  const isSeller = statement?.sellerId === visit.organization.id
  return statement === undefined ? null : { campaign, statement, all, isSeller }
}

async function findSeller(visit: OrganizationVisit): Promise<ShownCampaign | null> {
  const campaign = await findCampaign(visit)
  return campaign?.sells ? campaign : null
}

const newPlace = (visit: OrganizationVisit, campaign: ShownCampaign) =>
  placeOf(visit, campaign, null, readId(visit.url.searchParams.get("corrects") ?? ""))

async function newStatement(visit: OrganizationVisit, campaign: ShownCampaign): Promise<Response> {
  const place = newPlace(visit, campaign)
  const all = await statementsFor(visit, campaign)
  const draft = all.find(({ state, corrects }) => state === "draft" && corrects === place.of.corrects)
  if (draft !== undefined) return goTo(visit, `${campaignsOf(visit)}/${campaign.slug}/statements/${draft.id}`)
  return draftPage(place, await firstDraft(place, all))
}

async function statementPage(
  visit: OrganizationVisit,
  found: FoundStatement,
  errors: Errors = {},
  paidOn?: string,
): Promise<Response> {
  const { campaign, statement, all, isSeller } = found
  const { draft, number, state, frozenAt } = statement
  if (draft !== null)
    return visit.role === "admin" ? draftPage(ofStatement(visit, found), typedOf(draft)) : pageNotFound(visit)
  const { href } = ofStatement(visit, found)
  const logo = await visit.context.store.organizations.logo(statement.sellerId)
  const mayChange = isSeller && visit.role === "admin"
  const today = dayOf(visit.now, visit.organization.timeZone)
  const corrections = all.filter(({ corrects }) => corrects === statement.id).map(({ number: by }) => by ?? "a draft")
  return headedPage(visit, {
    title: `Statement ${number}`,
    trail: trailTo(visit, campaign),
    badges: <LookBadge look={STATEMENT_LOOKS[state]} />,
    intro: (
      <p class="sub no-print">
        {frozenAt !== null && (
          <>
            Frozen <Time at={frozenAt} />.{" "}
          </>
        )}
        {statement.paidOn === null ? "Not paid yet." : `Paid on ${formatDate(statement.paidOn)}.`}
        {corrections.length > 0 && ` Corrected by ${listInWords(corrections, 5)}.`}
      </p>
    ),
    actions: (
      <>
        <CsvLink href={`${href}/lines.csv`} label="CSV" />
        <PrintButton />
      </>
    ),
    body: (
      <>
        {isSeller && state !== "cancelled" && (await laterBanner(visit, found))}
        <StatementSheet statement={statement} logo={logo && `${href}/logo`} />
        {mayChange && (
          <div class="stack no-print">
            {state === "frozen" && (
              <Card title="Was it paid?">
                <Form
                  action={`${href}/paid`}
                  submit="Mark as paid"
                  values={{ paid_on: paidOn ?? today }}
                  errors={errors}
                >
                  <Field type="date" name="paid_on" label="Paid on" required />
                </Form>
              </Card>
            )}
            {state !== "cancelled" && (
              <AskButton label="Cancel statement" quiet question={cancellation(visit, found)} />
            )}
          </div>
        )}
      </>
    ),
  })
}

/** What came in after it was frozen: it stays as it is, and can be corrected. */
async function laterBanner({ context, organization }: OrganizationVisit, { campaign, statement, all }: FoundStatement) {
  const later =
    statement.body && laterFigures(statement.body, await context.store.statements.lines(campaign.id, organization.id))
  const [first] = later ?? []
  const isCorrected = all.some(({ corrects, state }) => corrects === statement.id && state !== "cancelled")
  if (first === undefined || isCorrected || statement.frozenAt === null) return null
  const { line, delivered, difference } = first
  const by = delivered - line.delivered
  const since = formatDate(dayOf(statement.frozenAt, organization.timeZone))
  return (
    <Banner tone="info">
      <h2>
        {formatNumber(Math.abs(by))} {by < 0 ? "fewer" : "more"} since {since}
      </h2>
      <p>
        {line.name} is now at {formatNumber(delivered)}. This statement stays at {formatNumber(line.delivered)}; the
        difference comes to {money(difference, line.currency || "EUR")}.
        {(later?.length ?? 0) > 1 && ` ${formatNumber((later?.length ?? 0) - 1)} more changed.`}
      </p>
      <div class="actions">
        <ButtonLink
          href={`/app/o/${organization.slug}/campaigns/${campaign.slug}/statements/new?corrects=${statement.id}`}
          label="Make a correcting statement"
        />
      </div>
    </Banner>
  )
}

const ofStatement = (visit: OrganizationVisit, { campaign, statement }: FoundStatement) =>
  placeOf(visit, campaign, statement.id, statement.corrects)

async function pay(visit: OrganizationVisit, found: FoundStatement): Promise<Response> {
  if (!found.isSeller) return pageNotFound(visit)
  const zone = visit.organization.timeZone
  const typed = (await readForm(visit.request)).text("paid_on")
  const read = readPaidOn(typed, found.statement, zone, dayOf(visit.now, zone))
  if (read.day === undefined) return statementPage(visit, found, { paid_on: read.error ?? "" }, typed)
  const { of, href } = ofStatement(visit, found)
  await moveStatement(visit.context, of, { to: "paid", on: read.day }, visit.actor)
  return goTo(visit, href, done(`Statement ${found.statement.number} is paid.`))
}

function cancellation(visit: OrganizationVisit, found: FoundStatement) {
  const { href } = ofStatement(visit, found)
  const asked =
    found.statement.draft === null
      ? {
          question: `Cancel statement ${found.statement.number}?`,
          text: "It keeps its number and is marked as cancelled.",
          submit: "Cancel statement",
        }
      : { question: "Discard this draft?", text: "Nothing of it was sent to anybody.", submit: "Discard draft" }
  return { href: `${href}/cancel`, cancel: href, ...asked }
}

async function cancel(visit: OrganizationVisit, found: FoundStatement): Promise<Response> {
  if (!found.isSeller) return pageNotFound(visit)
  const { of, href } = ofStatement(visit, found)
  const isDraft = found.statement.draft !== null
  await moveStatement(visit.context, of, { to: isDraft ? "discarded" : "cancelled" }, visit.actor)
  const back = `${campaignsOf(visit)}/${found.campaign.slug}`
  return isDraft
    ? goTo(visit, back, done("The draft is gone."))
    : goTo(visit, href, done("The statement is cancelled."))
}

const PAGE = `${CAMPAIGN}/statements`

export const statementRoutes = [
  forAdmin("GET", `${PAGE}/new`, withFound(findSeller, newStatement)),
  forAdmin(
    "POST",
    `${PAGE}/new`,
    withFound(findSeller, (visit, campaign) => sendDraft(newPlace(visit, campaign))),
  ),
  forMember("GET", `${PAGE}/:statement`, withFound(findStatement, statementPage)),
  forAdmin(
    "POST",
    `${PAGE}/:statement`,
    withFound(findStatement, (visit, found) =>
      found.isSeller ? sendDraft(ofStatement(visit, found)) : pageNotFound(visit),
    ),
  ),
  forMember(
    "GET",
    `${PAGE}/:statement/lines.csv`,
    withFound(findStatement, (visit, { statement }) =>
      statement.body === null ? pageNotFound(visit) : statementCsv(statement),
    ),
  ),
  forMember(
    "GET",
    `${PAGE}/:statement/logo`,
    withFound(findStatement, async (visit, { statement }) => {
      const logo = await visit.context.store.organizations.logo(statement.sellerId)
      return logo === null ? pageNotFound(visit) : logoResponse(logo)
    }),
  ),
  forAdmin("POST", `${PAGE}/:statement/paid`, withFound(findStatement, pay)),
  ...askFirst(forAdmin, `${PAGE}/:statement/cancel`, findStatement, cancel, cancellation),
]
