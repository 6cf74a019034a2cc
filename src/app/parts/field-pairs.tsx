import type { ComponentChildren } from "preact"
import type { TimeZone } from "../../domain/time/time-zone.ts"
import { classes } from "./blocks.tsx"
import { FieldError, Hint, Input, useFieldClass } from "./fields.tsx"

interface WhenProps {
  /** The names of the two fields. */
  readonly day: string
  readonly time: string
  readonly label: string
  readonly hint: string
  readonly timeZone: TimeZone
}

/** A day and a time, with the zone that they are meant in. */
export const When = ({ day, time, label, hint, timeZone }: WhenProps) => (
  <fieldset class={classes(useFieldClass(day), useFieldClass(time))}>
    <legend>{label}</legend>
    <Hint name={day}>{hint}</Hint>
    <FieldError name={day} />
    <FieldError name={time} />
    <div class="input">
      <Input name={day} type="date" about="Day" required hasHint />
      <Input name={time} type="time" about="Time" />
      <span class="unit" title={timeZone}>
        {timeZone.split("/").at(-1)?.replaceAll("_", " ")}
      </span>
    </div>
  </fieldset>
)

interface MoneyProps {
  /** The names of the two fields. */
  readonly amount: string
  readonly currency: string
  readonly label: string
  readonly hint?: ComponentChildren
  readonly required?: boolean
  /** Words behind the amount: "per 1,000 impressions". */
  readonly unit?: ComponentChildren
}

// Any code of ISO 4217 may be typed. These are only suggestions.
const COMMON_CURRENCIES = ["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD", "AUD", "JPY"]

/** An amount and the code of its currency. */
export const Money = ({ amount, currency, label, hint, required = false, unit }: MoneyProps) => (
  <fieldset class={classes(useFieldClass(amount), useFieldClass(currency), "money")}>
    <legend>
      {label}
      {!required && <span class="optional"> (optional)</span>}
    </legend>
    <Hint name={amount}>{hint}</Hint>
    <FieldError name={amount} />
    <FieldError name={currency} />
    <div class="input">
      <Input
        class="currency"
        name={currency}
        about={`Currency of ${label}`}
        maxlength={3}
        placeholder="EUR"
        suggestions={COMMON_CURRENCIES}
      />
      <Input name={amount} about={label} inputmode="decimal" required={required} hasHint={hint !== undefined} />
      {unit !== undefined && <span class="unit">{unit}</span>}
    </div>
  </fieldset>
)
