import {
  draftStatement,
  freezeStatement,
  type ReadDraft,
  type StatementScope,
} from "../../../actions/sale/statements.ts"
import type { Sum, TypedRow } from "../../../domain/sale/statement.ts"
import { isDate } from "../../../domain/time/moment.ts"
import { campaignById } from "../../../storage/campaigns/campaigns.ts"
import { linesSoldTo } from "../../../storage/campaigns/lines.ts"
import { organizationById } from "../../../storage/organizations.ts"
import { goTo } from "../../flash.ts"
import type { FormOf, Texts } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { Card, Empty } from "../../parts/blocks.tsx"
import { Check } from "../../parts/choices.tsx"
import { Field, TextArea } from "../../parts/fields.tsx"
import { Form, FormSection, Hidden, Preview } from "../../parts/form.tsx"
import { formatDate, sumsInWords } from "../../parts/format.tsx"
import { Table } from "../../parts/table.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import { rowColumns } from "./statement-rows.tsx"
import { statementAddress, statementsAddress } from "./statements.tsx"

const ADDED_ROWS = 3

interface Drafted {
  readonly scope: StatementScope
  readonly buyer: string
  readonly campaign: string | null
  /** The draft with the texts that the form begins with. */
  readonly first: ReadDraft
}

const FIRST_TEXTS: Texts = { note: "", billsOverDelivery: "" }

/** A draft. It's stored nowhere: freezing it stores the statement. */
export const statementForm: FormOf<MemberVisit, Drafted> = {
  async find(visit) {
    const { context, organization, url } = visit
    const { read } = context.database
    const buyerId = Number(url.searchParams.get("buyer"))
    const through = url.searchParams.get("through") ?? ""
    const campaignId = url.searchParams.has("campaign") ? Number(url.searchParams.get("campaign")) : null
    const buyer = Number.isSafeInteger(buyerId) ? await organizationById(read, buyerId) : null
    // A seller must not learn about companies that it doesn't sell to.
    if (buyer === null || !isDate(through) || (await linesSoldTo(read, organization.id, buyer.id)).length === 0)
      throw new NotFound()
    const campaign = campaignId === null ? null : await campaignById(read, organization.id, campaignId)
    if (campaignId !== null && campaign?.buyerId !== buyer.id) throw new NotFound()
    const scope = { sellerId: organization.id, buyerId: buyer.id, through, campaignId }
    const first = await draftStatement(context, scope, statementTexts(FIRST_TEXTS))
    return { scope, buyer: buyer.name, campaign: campaign?.name ?? null, first }
  },
  begin: (_, { first }) => ({ texts: { ...FIRST_TEXTS, ...currencyTexts(first), seen: seenIn(first) } }),
  async view(visit, { scope, buyer, campaign, first }, form) {
    const draft = form.isSent || form.texts["amount.0"] ? await draftNow(visit, scope, form.texts) : first
    const rows = "draft" in draft ? draft.draft.rows : draft.rows
    const texts = { ...form.texts, seen: seenIn(draft) }
    const what = campaign === null ? buyer : `${buyer}, ${campaign}`
    const address = `${statementsAddress(visit)}/new${visit.url.search}`
    return page(visit, {
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
              <Table caption="Lines" columns={rowColumns(scope.through, visit.timeZone)} rows={rows} />
            )}
          </Card>
          <Form
            action={address}
            submit={freezeLabel(draft)}
            cancel={statementsAddress(visit)}
            note={`A frozen statement never changes. ${buyer} sees it in the app.`}
            isLong
            hasPreview
          >
            <Hidden name="seen" />
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
              <Preview id="sum">{sumInWords(draft)}</Preview>
            </p>
          </Form>
        </>
      ),
    })
  },
  async save(visit, { scope }, texts) {
    const frozen = await freezeStatement(
      visit.context,
      visit.actor,
      scope,
      statementTexts(texts),
      readSeen(texts["seen"]),
    )
    if (frozen === "changed") return { errors: { "": "The amount has changed. Check it, then freeze it again." } }
    if ("errors" in frozen) return frozen
    return goTo(visit, statementAddress(visit, frozen.statement), `Statement ${frozen.statement.number} is frozen.`)
  },
  preview: async () => ({}),
}

const draftNow = (visit: MemberVisit, scope: StatementScope, texts: Texts): Promise<ReadDraft> =>
  draftStatement(visit.context, scope, statementTexts(texts))

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

const sumsIn = (draft: ReadDraft): readonly Sum[] => ("draft" in draft ? draft.draft.sums : [])

/** The sum on the button. Freezing compares it, so that people only freeze the amount that they saw. */
const seenIn = (draft: ReadDraft): string =>
  sumsIn(draft)
    .map(({ currency, coins }) => `${currency} ${coins}`)
    .join(",")

const readSeen = (text = ""): Sum[] =>
  text.split(",").flatMap((part) => {
    const [currency = "", coins = ""] = part.split(" ")
    return currency === "" ? [] : [{ currency, coins: Number(coins) }]
  })

const currencyTexts = (draft: ReadDraft): Texts => {
  const [first] = sumsIn(draft)
  return first === undefined
    ? {}
    : { "currency.0": first.currency, "currency.1": first.currency, "currency.2": first.currency }
}

const freezeLabel = (draft: ReadDraft): string =>
  "draft" in draft ? `Freeze as ${draft.draft.number}: ${sumsInWords(draft.draft.sums)}` : "Freeze"

const sumInWords = (draft: ReadDraft): string =>
  "draft" in draft
    ? `Total: ${sumsInWords(draft.draft.sums)}, without tax.`
    : "Correct the fields above to see the total."
