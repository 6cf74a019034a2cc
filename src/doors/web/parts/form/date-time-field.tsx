import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import { FieldError, useField } from "./errors.tsx"
import { FieldGroup, type Labelled } from "./field-frame.tsx"

interface DateTimeFieldProps extends Labelled {
  /** The name of the field with the time. */
  readonly time: string
  readonly zone: TimeZone
  readonly max?: string
}

/** A day and a time of day, with the zone that they are meant in. */
export function DateTimeField({ name, time, label, hint, zone, max }: DateTimeFieldProps) {
  const day = useField(name, hint !== undefined)
  const clock = useField(time, hint !== undefined)
  return (
    <FieldGroup name={name} label={label} hint={hint} error={day.error} optional={true}>
      <FieldError name={time} error={clock.error} />
      <div class="input">
        <input id={name} name={name} type="date" aria-label="Day" value={day.value} max={max} {...day.attributes} />
        <input id={time} name={time} type="time" aria-label="Time" value={clock.value} {...clock.attributes} />
        <span class="unit" title={zone}>
          {placeOf(zone)}
        </span>
      </div>
    </FieldGroup>
  )
}

/** Europe/Berlin is Berlin for people. */
const placeOf = (zone: TimeZone) => zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone
