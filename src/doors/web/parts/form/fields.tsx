import type { ComponentChildren } from "preact"
import { PASSWORD_CHARACTERS_MIN } from "../../../../domain/limits.ts"
import { parseDate } from "../../../../domain/time/moment.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import { FieldError, FieldFrame, FieldGroup, fieldClass, Hint, Label, type Labelled, useField } from "./frame.tsx"

interface FieldProps extends Labelled {
  /** For what the form does not know. */
  readonly value?: string | undefined
  readonly type?: "text" | "email" | "password" | "date" | "search"
  readonly required?: boolean
  readonly autocomplete?: string
  readonly inputmode?: "numeric" | "decimal"
  readonly list?: readonly string[]
  readonly maxlength?: number
  readonly placeholder?: string
  /** What is counted, such as "impressions". */
  readonly unit?: ComponentChildren
}

/** One line of text, or a number with its unit. */
export function Field({ name, label, hint, type = "text", value, required, list, unit, ...rest }: FieldProps) {
  const field = useField(name, hint !== undefined)
  const attributes: Record<string, unknown> = {
    type,
    value: value ?? (type === "password" ? "" : field.value),
    required: required === true,
    ...(list && { list: `${name}-list` }),
    ...rest,
    ...field.attributes,
  }
  const input = <input id={name} name={name} {...attributes} />
  return (
    <FieldFrame name={name} label={label} hint={hint} error={field.error} optional={required !== true}>
      {unit === undefined ? (
        input
      ) : (
        <div class="input">
          {input}
          <span class="unit">{unit}</span>
        </div>
      )}
      {list && <DataList id={`${name}-list`} values={list} />}
    </FieldFrame>
  )
}

export function DataList({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((one) => (
        <option key={one} value={one} />
      ))}
    </datalist>
  )
}

interface TextAreaProps extends Labelled {
  readonly rows: number
  /** For sentences rather than code. */
  readonly prose?: boolean
  readonly required?: boolean
}

export function TextArea({ name, label, hint, rows, required, prose }: TextAreaProps) {
  const { error, attributes, value } = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} hint={hint} error={error} optional={required !== true}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        spellcheck={prose === true}
        class={prose === true ? undefined : "mono"}
        required={required === true}
        {...attributes}
      >
        {value}
      </textarea>
    </FieldFrame>
  )
}

interface MoneyFieldProps extends Labelled {
  /** The name of the field with the currency, which is beside the amount. */
  readonly currency: string
  readonly required?: boolean
  /** What the amount is for, such as "per 1,000". */
  readonly unit?: ComponentChildren
  /** Whether somebody goes on there: it was added just now. */
  readonly isNew?: boolean
  /** Currencies that are offered before the common ones. */
  readonly used?: readonly string[]
}

/** Any other code can be typed. */
const COMMON = ["EUR", "USD", "GBP", "CHF", "SEK", "DKK", "NOK", "PLN", "CZK"]

/** An amount with its currency. Two fields for the form, one for people. */
export function MoneyField({
  name,
  currency,
  label,
  hint,
  required = false,
  unit,
  isNew = false,
  used = [],
}: MoneyFieldProps) {
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
          {...(isNew && { autofocus: true })}
          {...amount.attributes}
        />
        {unit !== undefined && <span class="unit">{unit}</span>}
      </div>
      <DataList id={`${currency}-list`} values={[...new Set([...used, ...COMMON])]} />
    </div>
  )
}

type Attributes = Readonly<Record<string, unknown>>

interface DateFieldProps extends Labelled {
  /** For what the form does not know. */
  readonly value?: string
  readonly required?: boolean
  readonly max?: string
}

interface DateTimeFieldProps extends DateFieldProps {
  /** The name of the field with the time. */
  readonly time: string
  /** The zone that they are meant in. */
  readonly zone: TimeZone
}

/** A day. What was typed as another text is shown as it was: a date input would show nothing. */
export function DateField({ name, label, hint, value, required = false, max }: DateFieldProps) {
  const field = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} hint={hint} error={field.error} optional={!required}>
      <DayInput name={name} value={value ?? field.value} required={required} max={max} attributes={field.attributes} />
    </FieldFrame>
  )
}

/** A day and a time of day, with the zone that they are meant in. */
export function DateTimeField({ name, time, label, hint, zone, required = false, ...rest }: DateTimeFieldProps) {
  const day = useField(name, hint !== undefined)
  const clock = useField(time, hint !== undefined)
  const { value = day.value, max } = rest
  // Minutes are enough for most; what has seconds keeps them.
  const timeAttributes: Attributes = {
    type: CLOCK.test(clock.value) ? "time" : "text",
    ...(clock.value.length > "23:59".length && { step: 1 }),
  }
  return (
    <FieldGroup name={name} label={label} hint={hint} error={day.error} optional={!required}>
      <FieldError name={time} error={clock.error} />
      <div class="input">
        <DayInput name={name} value={value} label="Day" required={required} max={max} attributes={day.attributes} />
        <input id={time} name={time} aria-label="Time" value={clock.value} {...timeAttributes} {...clock.attributes} />
        <span class="unit" title={zone}>
          {placeOf(zone)}
        </span>
      </div>
    </FieldGroup>
  )
}

const CLOCK = /^(?:\d\d:\d\d(?::\d\d)?)?$/

interface DayInputProps {
  readonly name: string
  readonly value: string
  readonly label?: string
  readonly required?: boolean
  readonly max?: string | undefined
  readonly attributes: Attributes
}

export function DayInput({ name, value, label, required = false, max, attributes }: DayInputProps) {
  const isDay = value === "" || parseDate(value) !== undefined
  const kind: Attributes = isDay ? { type: "date", max } : { type: "text" }
  return <input id={name} name={name} aria-label={label} value={value} required={required} {...kind} {...attributes} />
}

/** Europe/Berlin is Berlin for people. */
const placeOf = (zone: TimeZone) => zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone

type FileFieldProps = Labelled & Readonly<{ accept: string }>

/** A place to choose a file, or to drop it on. */
export function FileField({ name, label, hint, accept }: FileFieldProps) {
  const { error, attributes } = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} error={error} optional={false}>
      <div class="drop">
        <input id={name} name={name} type="file" accept={accept} required {...attributes} />
        <Hint name={name} hint={hint} />
      </div>
    </FieldFrame>
  )
}

type PasswordProps = Readonly<{ name?: string; label?: string; hint?: string }>

const HINT = `At least ${PASSWORD_CHARACTERS_MIN} characters. A few words in a row are easy to remember.`

export function CurrentPassword({ name = "password", label = "Your password" }: PasswordProps) {
  return <Field name={name} label={label} type="password" required autocomplete="current-password" />
}

export function NewPassword({ name = "password", label = "Password", hint = HINT }: PasswordProps) {
  return <Field name={name} label={label} type="password" required autocomplete="new-password" hint={hint} />
}
