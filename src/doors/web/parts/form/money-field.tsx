import { FieldError, useField } from "./errors.tsx"
import { DataList } from "./field.tsx"
import { fieldClass, Hint, Label, type Labelled } from "./field-frame.tsx"

interface MoneyFieldProps extends Labelled {
  /** The name of the field with the currency, which is beside the amount. */
  readonly currency: string
  readonly required?: boolean
  /** What the amount is for, such as "per 1,000". */
  readonly unit?: string
  /** Currencies that are offered before the common ones. */
  readonly used?: readonly string[]
}

/** Any other code can be typed. */
const COMMON = ["EUR", "USD", "GBP", "CHF", "SEK", "DKK", "NOK", "PLN", "CZK"]

/** An amount with its currency. Two fields for the form, one for people. */
export function MoneyField({ name, currency, label, hint, required = false, unit, used = [] }: MoneyFieldProps) {
  const code = useField(currency, false)
  const amount = useField(name, hint !== undefined)
  return (
    <div class={fieldClass(amount.error ?? code.error)}>
      <Label name={name} label={label} optional={!required} />
      <Hint name={name} hint={hint} />
      <FieldError name={currency} error={code.error} />
      <FieldError name={name} error={amount.error} />
      <div class="input money">
        <input
          id={currency}
          name={currency}
          class="code-input"
          value={code.value}
          maxlength={3}
          size={4}
          list={`${currency}-list`}
          placeholder="EUR"
          aria-label={`Currency of ${label.toLowerCase()}`}
          autocomplete="off"
          {...code.attributes}
        />
        <input
          id={name}
          name={name}
          inputmode="decimal"
          value={amount.value}
          required={required}
          {...amount.attributes}
        />
        {unit !== undefined && <span class="unit">{unit}</span>}
      </div>
      <DataList id={`${currency}-list`} values={[...new Set([...used, ...COMMON])]} />
    </div>
  )
}
