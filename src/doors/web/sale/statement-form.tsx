import { previewStatement, saveStatement, sumsText } from "../../../actions/sale/statements.ts"
import { compare, minus } from "../../../domain/sale/money.ts"
import type { StatedLine, StatementBody, StatementDraft, Sum, TypedAdded } from "../../../domain/sale/statement.ts"
import { ADDED_KINDS, amountOfLine, readDraft, sumsOf, totalsOf } from "../../../domain/sale/statement.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownCampaign } from "../../../storage/port/store.ts"
import { campaignsOf, findCampaign, trailTo } from "../campaigns/with-line.ts"
import { type Errors, readForm, type SentForm } from "../form.ts"
import { Badge, ButtonLink, Card, Fold, Stats, Submit } from "../parts/blocks.tsx"
import { Select, Tick } from "../parts/form/choices.tsx"
import { Field, Form, HiddenInputs, TextArea } from "../parts/form/form.tsx"
import { RemoveRow } from "../parts/form/schema-fields.tsx"
import { formatCount, formatFlight, formatNumber } from "../parts/format.tsx"
import { BareTable } from "../parts/table.tsx"
import { money, SumLines, sumsInWords } from "../parts/terms.tsx"
import { confirmPage, done, goTo, headedPage, MEANWHILE } from "../respond.tsx"
import { idParam, type OrganizationVisit, param } from "../visit.ts"
import { deliveredText, lineRows, measuredText, SHEET_COLUMNS } from "./sheet.tsx"

/** The seller sees its own, also drafts; the buyer those that are frozen. */
export const statementsFor = ({ context, organization }: OrganizationVisit, campaign: ShownCampaign) =>
  context.store.statements.list([campaign.id], campaign.sells ? organization.id : null)

export type FoundStatement = NonNullable<Awaited<ReturnType<typeof findStatement>>>

/** The statement of this address, or null for a new one, with all of its campaign. Drafts are the seller's admins'. */
export async function findStatement(visit: OrganizationVisit) {
  const campaign = await findCampaign(visit)
  if (campaign === null) return null
  const all = await statementsFor(visit, campaign)
  const isNew = param(visit, "statement") === "new"
  const statement = isNew ? null : all.find(({ id }) => id === idParam(visit, "statement"))
  if (statement === undefined) return null
  const mayChange =
    campaign.sells && visit.role === "admin" && [undefined, visit.organization.id].includes(statement?.sellerId)
  if (statement?.body == null && !mayChange) return null
  const base = `${campaignsOf(visit)}/${campaign.slug}/statements`
  const href = `${base}/${statement?.id ?? "new"}`
  const of = { seller: visit.organization, campaign, id: statement?.id ?? null }
  return { visit, campaign, all, statement, mayChange, of, base, href }
}

const FIELDS = ["what", "text", "amount", "currency"] as const
const EMPTY: TypedAdded = { what: "production", text: "", amount: "", currency: "" }

function typedIn(form: SentForm): StatementDraft {
  const count = form.entries().filter(([name]) => name.startsWith("text_")).length
  const rows = Array.from({ length: count }, (_, index): TypedAdded => {
    const [what = "", text = "", amount = "", currency = ""] = FIELDS.map((field) => form.text(`${field}_${index}`))
    return { what, text, amount, currency: currency.toUpperCase() }
  })
  const isKept = ({ text, amount }: TypedAdded, index: number) =>
    `${index}` !== form.text("remove_row") && (text !== "" || amount !== "")
  return { ...form.texts("from", "to", "reference"), countAll: form.all("count_all"), added: rows.filter(isKept) }
}

/** Counting all of it, and making up for what is missing. */
function lineNote({ visit, campaign }: FoundStatement, isOver: boolean) {
  const base = `${campaignsOf(visit)}/${campaign.slug}/new-line`
  return (line: StatedLine) => {
    const { booked, delivered, basis, packageId, name, currency, rate } = line
    const missing = booked === null || basis === "flat_rate" ? 0 : booked - delivered
    const worth = (quantity: number) => amountOfLine(basis, quantity, rate, currency)
    const more =
      rate === null ? "" : ` (${money(minus(worth(delivered), worth(booked ?? 0), currency), currency)} more)`
    const label = `Count all ${formatNumber(delivered)}${more}`
    const query = new URLSearchParams({ like: packageId, name: `${name}, make-good`, booked: String(missing) })
    return [
      deliveredText(line),
      missing < 0 && <Tick name="count_all" value={packageId} checked={line.countsAll} label={label} />,
      missing > 0 && isOver && (
        <span class="actions">
          <ButtonLink small href={`${base}?${query}`} label={`Add a make-good line of ${formatNumber(missing)}`} />
        </span>
      ),
    ]
  }
}

export async function draftPage(found: FoundStatement, typed: StatementDraft, errors: Errors = {}): Promise<Response> {
  const { visit, campaign, of, href } = found
  const { number, ...body } = await previewStatement(visit.context, of, typed)
  // Of several currencies none is certain.
  const [currency = "", ...others] = new Set(body.lines.flatMap((line) => line.currency || []))
  const { from, to } = body.period
  const zone = visit.organization.timeZone
  const today = dayOf(visit.now, zone)
  const isOver = to !== null && to < today
  const state = isOver ? "" : from > today ? " The campaign has not begun." : " The campaign is still running."
  const measured = body.asOf === null ? "No figures yet." : `Figures as of ${measuredText(body)}.`
  const rows = lineRows(body, lineNote(found, isOver))
  const add = <Submit small name="add" value="yes" icon="plus" label="Add a line" formnovalidate />
  return headedPage(visit, {
    title: "Statement of delivery",
    trail: trailTo(visit, campaign),
    badges: <Badge shape="ring">Draft</Badge>,
    actions:
      of.id === null ? undefined : <ButtonLink kind="quiet danger" href={`${href}/discard`} label="Discard draft" />,
    intro: `For ${campaign.buyer.name}, ${formatFlight(from, to, "-").replace("From", "from")}. ${measured}${state}`,
    body: (
      <Form
        action={href}
        submit={`Freeze as ${number}`}
        also={{ name: "draft", label: "Save draft" }}
        cancel={`${campaignsOf(visit)}/${campaign.slug}`}
        saveNote={`A frozen statement never changes. ${campaign.buyer.name} sees it in the app and on its report.`}
        values={{ ...typed, ...addedValues(typed, others.length > 0 ? "" : currency) }}
        errors={errors}
      >
        <Card flush title="Lines" count={formatNumber(body.lines.length)}>
          <BareTable caption="Lines, what is billable and what it comes to" columns={SHEET_COLUMNS} rows={rows} />
        </Card>
        <Card title="Added by hand" actions={add}>
          {typed.added.map((_, row) => (
            <AddedFields row={row} />
          ))}
          {typed.added.length === 0 && (
            <p class="soft">Production, a discount or something else, with a plus or a minus.</p>
          )}
        </Card>
        <Sums body={body} />
        <Fold title="On the statement" note="addresses, reference" isOpen={"from" in errors || "to" in errors}>
          <div class="fields">
            <TextArea name="from" label="From" rows={3} prose />
            <TextArea name="to" label="To" rows={3} prose />
          </div>
          <Field name="reference" label="Their reference" maxlength={200} />
        </Fold>
      </Form>
    ),
  })
}

function addedValues({ added }: StatementDraft, usual: string) {
  const rows = added.map((row) => Object.entries({ ...row, currency: row.currency || usual }))
  return Object.fromEntries(rows.flatMap((row, index) => row.map(([field, text]) => [`${field}_${index}`, text])))
}

const KINDS = Object.entries(ADDED_KINDS).map(([value, label]) => ({ value, label }))

const AddedFields = ({ row }: { readonly row: number }) => (
  <div class="fields">
    <Select name={`what_${row}`} label="What" choices={KINDS} />
    <Field name={`text_${row}`} label="Text on the statement" maxlength={200} />
    <Field name={`amount_${row}`} label="Amount, with + or −" required autocomplete="off" />
    <Field name={`currency_${row}`} label="Currency" required maxlength={3} autocomplete="off" />
    <RemoveRow row={String(row)} what={`line ${row + 1}`} />
  </div>
)

function Sums({ body }: { readonly body: StatementBody }) {
  const { lines, added, corrected } = body
  const factOf = (term: string, sums: readonly Sum[], note: string) => ({ term, value: <SumLines sums={sums} />, note })
  return (
    <Stats
      facts={[
        factOf("Delivered", sumsOf(lines), formatCount(lines.length, "line")),
        factOf("Added by hand", sumsOf(added), formatCount(added.length, "line")),
        corrected && factOf("Stated before", corrected.sums, `up to ${corrected.number}, subtracted`),
        factOf("Total", totalsOf(body), "without tax"),
      ]}
    />
  )
}

const CHANGED = "Figures came in meanwhile, or a statement was frozen. Look at the sum again, then freeze."

const DRAFTED = "A draft of this statement was saved meanwhile. This is what you entered; saving it replaces the other."

/** Works the draft out again, saves it, asks whether to freeze it, or freezes what was confirmed. */
export async function sendDraft(found: FoundStatement): Promise<Response> {
  const { visit, of, base } = found
  const form = await readForm(visit.request)
  const typed = typedIn(form)
  if (form.has("add")) return draftPage(found, { ...typed, added: [...typed.added, EMPTY] })
  if (form.has("remove_row") || form.has("look")) return draftPage(found, typed)
  const { errors } = readDraft(typed)
  if (Object.keys(errors).length > 0) return draftPage(found, typed, errors)
  if (!form.has("draft") && !form.has("confirmed")) return askToFreeze(found, typed, form)
  const confirmed = form.has("draft") ? undefined : form.text("confirmed")
  const saved = await saveStatement(visit.context, of, typed, confirmed, visit.actor)
  // Somebody froze the draft.
  if (saved.outcome === "not found") return goTo(visit, found.href, MEANWHILE)
  if (saved.outcome === "drafted") {
    const other = { ...found, of: { ...of, id: saved.id }, href: `${base}/${saved.id}` }
    return draftPage(other, typed, { "": DRAFTED })
  }
  if (saved.outcome === "changed") return draftPage(found, typed, { "": CHANGED })
  const said = saved.number === null ? "The draft is saved." : `Frozen as ${saved.number}.`
  return goTo(visit, `${base}/${saved.id}`, done(said))
}

async function askToFreeze(found: FoundStatement, draft: StatementDraft, form: SentForm): Promise<Response> {
  const { visit, campaign, of, href } = found
  const { number, ...body } = await previewStatement(visit.context, of, draft)
  const isLess = totalsOf(body).some(({ amount }) => compare(amount, 0) < 0)
  return confirmPage(visit, {
    action: href,
    title: `Freeze this statement of ${sumsInWords(totalsOf(body)) || "–"}?`,
    text: `It gets the number ${number} and never changes afterwards. ${campaign.buyer.name} sees it.${isLess ? " Its total is less than zero." : ""}`,
    submit: "Freeze",
    cancel: href,
    children: [
      form.entries().map(([name, value]) => <HiddenInputs values={{ [name]: value }} />),
      <HiddenInputs values={{ confirmed: sumsText(body) }} />,
    ],
  })
}
