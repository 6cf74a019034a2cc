import {
  type LineTexts,
  PRICED_QUANTITY,
  PRICING_BASES,
  type PricingBasis,
  readLine,
  UNITS,
} from "../../domain/campaign/line.ts"
import { bookedValue } from "../../domain/campaign/value.ts"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import type { Texts } from "../forms/form.ts"
import { ButtonLink, Card } from "./blocks.tsx"
import { Question, Radios } from "./choices.tsx"
import { Field, FieldError, Money } from "./fields.tsx"
import { FormSection, Hidden, PostButton, Preview, useForm } from "./form.tsx"
import { formatMoney, formatNumber, formatPrice, formatQuantity } from "./format.tsx"
import { BASES, basisInWords } from "./line.tsx"

interface LineInputsProps {
  /** The field of the line's name. The form of a new campaign has another name as well. */
  readonly name?: string
  /** Once totals are reported, the basis stays. */
  readonly fixedBasis?: PricingBasis | null
  readonly timeZone: TimeZone
}

/** What a line is, in the order in which it's sold. */
export const LineInputs = ({ name = "name", fixedBasis = null, timeZone }: LineInputsProps) => (
  <>
    <FormSection title="What was sold" hint="The buyer sees these words on the report.">
      <Field name={name} label="Name of the line" hint="Such as “Pre-roll, morning show”." maxlength={200} required />
      {fixedBasis === null ? (
        <Radios name="pricingBasis" label="Priced on" choices={CHOICES} />
      ) : (
        <>
          <Hidden name="pricingBasis" />
          <p class="hint">
            Priced on {basisInWords({ pricingBasis: fixedBasis }).toLowerCase()}. This can’t change once totals are
            reported.
          </p>
          <FieldError name="pricingBasis" />
        </>
      )}
    </FormSection>
    <FormSection title="How much" hint="You’re paid for the delivery, up to the booked quantity.">
      <div class="fields">
        <Money
          amount="rate"
          currency="currency"
          label="Rate"
          unit={<Units of={fixedBasis ?? PRICING_BASES} words={unitOf} />}
        />
        {fixedBasis !== "flat_rate" && (
          <div class="not-flat">
            <Field
              name="booked"
              label="Booked"
              inputmode="numeric"
              unit={<Units of={fixedBasis ?? UNITS} words={(unit) => unit} />}
            />
            <Question name="booked" label="Save it anyway" />
          </div>
        )}
      </div>
      <Question name="rate" label="Save it anyway" />
      <Question name="currency" label="Change the currency anyway" />
      <p class="hint">
        <Preview id="line-price">{useForm().notes["rate"] ?? ""}</Preview>
      </p>
    </FormSection>
    <FormSection title="When" hint={`Both days included, in ${timeZone}.`}>
      <div class="fields">
        <Field name="flightStart" label="First day" type="date" required />
        <Field name="flightEnd" label="Last day" type="date" />
      </div>
      <Question name="flightStart" label="Save it anyway" />
    </FormSection>
    <FormSection title="Your system" hint="Buyers don’t see this.">
      <Field
        name="externalId"
        label="Your line ID"
        hint="The ID of this line in your ad server. Files and programs can use it."
        maxlength={128}
      />
    </FormSection>
  </>
)

const CHOICES = PRICING_BASES.map((value) => ({ value, ...BASES[value] }))

/** The style sheet shows the unit of the basis that is chosen. */
function Units({
  of: basis,
  words,
}: {
  of: PricingBasis | readonly PricingBasis[]
  words(basis: PricingBasis): string
}) {
  if (typeof basis === "string") return <>{words(basis)}</>
  return (
    <>
      {basis.map((each) => (
        <span class={`if-${each}`}>{words(each)}</span>
      ))}
    </>
  )
}

const unitOf = (basis: PricingBasis): string =>
  basis === "flat_rate" ? "for the whole flight" : `per ${formatQuantity(PRICED_QUANTITY[basis], basis)}`

/** What was typed, as `readLine` expects it: codes of currencies in capital letters, and no quantity for a flat rate. */
export function lineTextsIn(texts: Texts, nameField = "name"): Partial<LineTexts> {
  const { pricingBasis, flightStart, flightEnd, booked, rate, currency, externalId } = texts
  const sent = {
    name: texts[nameField],
    pricingBasis,
    flightStart,
    flightEnd,
    booked: pricingBasis === "flat_rate" ? "" : booked,
    rate,
    // A suggested currency without an amount isn't a price.
    currency: rate === "" ? "" : currency?.toUpperCase(),
    externalId,
  }
  return Object.fromEntries(Object.entries(sent).filter(([, text]) => text !== undefined))
}

/** What the typed rate and quantity come to: "€12.50 per 1,000 impressions, so 40,000 are €500.00." */
export function priceNote(texts: Partial<LineTexts>): string {
  // Whatever the other fields say.
  const read = readLine({ ...texts, name: "-", flightStart: "2000-01-01", flightEnd: "", externalId: "" })
  if ("errors" in read) return ""
  const { fields } = read
  const { rate, currency, booked, pricingBasis } = fields
  if (rate === null || currency === null)
    return booked === null ? "" : `${formatQuantity(booked, pricingBasis)} booked.`
  const price = `${formatPrice(rate, currency)} ${unitOf(pricingBasis)}`
  const value = bookedValue({ ...fields, total: null })
  if (booked === null || value === null) return `${price}.`
  return `${price}, so ${formatNumber(booked)} are ${formatMoney(value, currency)}.`
}

interface ArchiveCardProps {
  readonly noun: "line" | "campaign"
  /** The address of the line or campaign. */
  readonly address: string
  readonly isArchived: boolean
  /** Whether something was reported, so that it can't be deleted. */
  readonly isInUse: boolean
}

/** Takes a line or a campaign out of the lists, or deletes one that was never used. */
export const ArchiveCard = ({ noun, address, isArchived, isInUse }: ArchiveCardProps) => (
  <Card title={isArchived ? `This ${noun} is archived` : "Archive or delete"}>
    <p class="hint">
      {isArchived
        ? "It’s hidden from lists. Totals are still accepted."
        : `An archived ${noun} is left out of lists. It keeps its totals, and you can put it back.`}
    </p>
    <div class="actions">
      <PostButton
        action={`${address}/archive`}
        label={isArchived ? "Put it back" : `Archive ${noun}`}
        fields={{ archived: isArchived ? "no" : "yes" }}
      />
      {!isInUse && <ButtonLink kind="quiet danger" href={`${address}/delete`} label={`Delete ${noun}`} isAsked />}
    </div>
  </Card>
)
