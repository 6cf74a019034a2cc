import { draftStatement, freezeStatement, type StatementDraft, sumsAsText } from "../../../actions/sale/statements.ts"
import { hasErrors } from "../../../domain/errors.ts"
import type { Sum, TypedRow } from "../../../domain/sale/statement.ts"
import { isDate } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { campaignById } from "../../../storage/campaigns/campaigns.ts"
import { linesSoldTo } from "../../../storage/campaigns/lines.ts"
import { organizationById } from "../../../storage/organizations.ts"
import { goTo } from "../../flash.ts"
import { formOf, type Texts } from "../../forms/form.ts"
import { Card, Empty } from "../../parts/blocks.tsx"
import { Check } from "../../parts/choices.tsx"
import { Field, TextArea } from "../../parts/fields.tsx"
import { Form, FormSection, Hidden, Preview } from "../../parts/form.tsx"
import { formatDate, sumsInWords } from "../../parts/format.tsx"
import { Table } from "../../parts/table.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import { paperColumns, paperRows } from "./statement-rows.tsx"
import { statementAddress, statementsAddress } from "./statements.tsx"

const ADDED_ROWS = 3

/** A draft. It's stored nowhere: freezing it stores the statement. */
export const statementForm = formOf({
  async find(visit: MemberVisit) {
    const { read, organization, url } = visit
    const buyerId = Number(url.searchParams.get("buyer"))
    const through = url.searchParams.get("through") ?? ""
    const campaignId = url.searchParams.has("campaign") ? Number(url.searchParams.get("campaign")) : null
    const buyer = Number.isSafeInteger(buyerId) ? await organizationById(read, buyerId) : null
    if (buyer === null || !isDate(through) || through > dayOf(visit.now, organization.timeZone)) throw new NotFound()
    // A seller must not learn about companies that it doesn't sell to.
    if ((await linesSoldTo(read, organization.id, buyer.id)).length === 0) throw new NotFound()
    const campaign = campaignId === null ? null : await campaignById(read, organization.id, campaignId)
    if (campaignId !== null && campaign?.buyerId !== buyer.id) throw new NotFound()
    const scope = { sellerId: organization.id, buyerId: buyer.id, through, campaignId }
    return { scope, buyer: buyer.name, campaign: campaign?.name ?? null }
  },
  async view(visit, { scope, buyer, campaign }, form) {
    const draft = await draftStatement(visit.context, scope, statementTexts(form.texts))
    const { rows, sums } = draft.body
    // People only freeze the amount that they saw on the button.
    const texts = { ...currencyTexts(sums), ...form.texts, seen: sumsAsText(sums) }
    const what = campaign === null ? buyer : `${buyer}, ${campaign}`
    return {
      title: `Statement for ${what}`,
      trail: [{ href: statementsAddress(visit), label: "Statements" }],
      intro: `Everything delivered through ${formatDate(scope.through)}, minus earlier statements.`,
      form: { ...form, texts },
      hasTimes: true,
      body: (
        <>
          <Card title="Lines" isFlush>
            {rows.length === 0 ? (
              <Empty title="Nothing new" text="Earlier statements cover everything that was delivered by then." />
            ) : (
              <Table caption="Lines" columns={paperColumns(scope.through, visit.timeZone)} rows={paperRows(rows, [])} />
            )}
          </Card>
          <Form
            submit={freezeLabel(draft)}
            cancel={statementsAddress(visit)}
            note={`A frozen statement never changes. ${buyer} sees it in the app.`}
            isLong
            hasPreview
          >
            <FormSection title="Over-delivery">
              <Check name="billsOverDelivery" label="Bill delivery beyond the booked quantity" />
            </FormSection>
            <FormSection
              title="Added by hand"
              hint="A make-good, production or a discount, with its sign: +350.00, −112.80 or −5 %."
            >
              {Array.from({ length: ADDED_ROWS }, (_, i) => (
                <div class="row">
                  <Field name={`text.${i}`} label="Text on the statement" maxlength={200} />
                  <Field name={`amount.${i}`} label="Amount" />
                  <Field name={`currency.${i}`} label="Currency" maxlength={3} />
                </div>
              ))}
            </FormSection>
            <FormSection title="Note">
              <TextArea
                name="note"
                label="Note on the statement"
                hint="For example the buyer’s reference."
                maxlength={500}
              />
            </FormSection>
            <p>
              <Preview id="sum">
                {sumInWords(draft)}
                <Hidden name="seen" />
              </Preview>
            </p>
          </Form>
        </>
      ),
    }
  },
  async save(visit, { scope }, texts) {
    const frozen = await freezeStatement(visit.context, visit.actor, scope, statementTexts(texts), texts["seen"] ?? "")
    if (frozen === "changed") return { errors: { "": "The amount has changed. Check it, then freeze it again." } }
    if ("errors" in frozen) return frozen
    return goTo(visit, statementAddress(visit, frozen.statement), `Statement ${frozen.statement.number} is frozen.`)
  },
  preview: async () => ({}),
})

function statementTexts(texts: Texts) {
  const rows = Array.from(
    { length: ADDED_ROWS },
    (_, i): TypedRow => ({
      text: texts[`text.${i}`] ?? "",
      amount: texts[`amount.${i}`] ?? "",
      currency: texts[`currency.${i}`] ?? "",
    }),
  )
  return { rows, note: texts["note"] ?? "", billsOverDelivery: (texts["billsOverDelivery"] ?? "") !== "" }
}

/** The currency of the first sum, until the seller types another one. */
const currencyTexts = ([first]: readonly Sum[]): Texts =>
  Object.fromEntries(Array.from({ length: ADDED_ROWS }, (_, i) => [`currency.${i}`, first?.currency ?? ""]))

const isReadable = ({ errors }: StatementDraft): boolean => !hasErrors(errors)

const hasSum = (draft: StatementDraft): boolean => isReadable(draft) && draft.body.sums.length > 0

const freezeLabel = (draft: StatementDraft): string =>
  hasSum(draft) ? `Freeze as ${draft.number}: ${sumsInWords(draft.body.sums)}` : "Freeze"

function sumInWords(draft: StatementDraft): string {
  if (hasSum(draft)) return `Total: ${sumsInWords(draft.body.sums)}, without tax.`
  return isReadable(draft) ? "Nothing to bill." : "Correct the fields above to see the total."
}
