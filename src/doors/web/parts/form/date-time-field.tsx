import { parseDate } from "../../../../domain/time/moment.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import { FieldError, useField } from "./errors.tsx"
import { FieldFrame, FieldGroup, type Labelled } from "./field-frame.tsx"

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
