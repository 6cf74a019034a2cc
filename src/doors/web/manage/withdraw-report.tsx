import { withdrawReport } from "../../../actions/delivery/withdraw-report.ts"
import { mayWithdraw, readReportId, reportIdOf, type Withdrawer } from "../../../domain/delivery/withdrawal.ts"
import type { HistoryEntry } from "../../../storage/port/store.ts"
import { type Errors, readForm } from "../form.ts"
import { campaignsOf } from "../pages/campaign.tsx"
import { pageNotFound } from "../pages/error-pages.tsx"
import { type LineVisit, withLine } from "../pages/with-line.ts"
import { ButtonLink } from "../parts/button-link.tsx"
import { Field } from "../parts/form/field.tsx"
import { Form } from "../parts/form/form.tsx"
import { formatNumber } from "../parts/format.tsx"
import { cardPage } from "../parts/page-kinds.tsx"
import { Time } from "../parts/time.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forMember } from "../route.ts"
import { param } from "../visit.ts"

function withdrawerOf({ visit }: LineVisit): Withdrawer {
  return { userId: visit.person.userId, isAdmin: visit.role === "admin" }
}

/** Only for a report that the visitor may withdraw; otherwise nothing. */
export function WithdrawLink({ place, entry }: { readonly place: LineVisit; readonly entry: HistoryEntry }) {
  const isSeller = place.line.seller.id === place.visit.organization.id
  if (!isSeller || entry.withdrawn !== null || !mayWithdraw(withdrawerOf(place), entry.source)) return null
  const about = `Withdraw the report of ${formatNumber(entry.quantity)}`
  return <ButtonLink kind="quiet" href={addressOf(place, reportIdOf(entry))} label="Withdraw" about={about} />
}

const addressOf = ({ href }: LineVisit, reportId: string) => `${href}/reports/${reportId}/withdraw`

async function findReport(place: LineVisit): Promise<HistoryEntry | null> {
  const { visit, line } = place
  const report = readReportId(param(visit, "report"))
  if (report === undefined || line.seller.id !== visit.organization.id) return null
  const found = await visit.context.store.deliveryHistory.find(line.lineId, report)
  return found !== null && mayWithdraw(withdrawerOf(place), found.source) ? found : null
}

const ALREADY = problem("This report has already been withdrawn.")

async function withdrawPage(place: LineVisit, reason = "", errors: Errors = {}): Promise<Response> {
  const { visit, line, href } = place
  const report = await findReport(place)
  if (report === null) return pageNotFound(visit)
  if (report.withdrawn !== null) return goTo(visit, `${href}#history`, ALREADY)
  return cardPage(visit, {
    title: "Withdraw a report",
    active: campaignsOf(visit),
    heading: `Withdraw this report of ${line.name}?`,
    text: (
      <>
        {line.pricingBasis === "flat_rate" ? "Delivered" : `${formatNumber(report.quantity)} ${line.pricingBasis}`},
        measured <Time at={report.asOf} />, received <Time at={report.receivedAt} />. It stays in the history as
        withdrawn, and the current total becomes what the remaining reports say.
      </>
    ),
    body: (
      <Form
        action={addressOf(place, reportIdOf(report))}
        submit="Withdraw"
        danger
        cancel={`${href}#history`}
        values={{ reason }}
        errors={errors}
      >
        <Field name="reason" label="Reason" required maxlength={500} hint="Buyers do not see it." />
      </Form>
    ),
  })
}

async function submit(place: LineVisit): Promise<Response> {
  const { visit, line, href } = place
  const report = await findReport(place)
  if (report === null) return pageNotFound(visit)
  const reason = (await readForm(visit.request)).text("reason")
  const by = { ...withdrawerOf(place), reason, actor: visit.actor }
  const withdrawn = await withdrawReport(visit.context, visit.organization, line.packageId, report, by)
  switch (withdrawn.outcome) {
    case "refused":
      return withdrawPage(place, reason, withdrawn.errors)
    case "not found":
    case "not allowed":
      return pageNotFound(visit)
    case "already withdrawn":
      return goTo(visit, `${href}#history`, ALREADY)
    case "done":
      return goTo(visit, `${href}#history`, done(`Withdrawn. ${totalText(place, withdrawn.total?.quantity)}`))
  }
}

function totalText({ line }: LineVisit, quantity: number | undefined): string {
  if (quantity === undefined) return "No report is left."
  return line.pricingBasis === "flat_rate"
    ? "The line is still delivered."
    : `The current total is ${formatNumber(quantity)}.`
}

const WITHDRAW = "/app/o/:org/campaigns/:campaign/lines/:package/reports/:report/withdraw"

export const withdrawReportRoutes = [
  forMember(
    "GET",
    WITHDRAW,
    withLine((place) => withdrawPage(place)),
  ),
  forMember("POST", WITHDRAW, withLine(submit)),
]
