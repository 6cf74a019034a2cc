import type { ComponentChildren } from "preact"
import { CONTACT_CHARACTERS_MAX } from "../../../../domain/adcp/contact.ts"
import type { Seen } from "../../../../domain/edit-conflict.ts"
import { PASSWORD_CHARACTERS_MIN } from "../../../../domain/limits.ts"
import { parseDate } from "../../../../domain/time/moment.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import type { Errors, SentForm } from "../../form.ts"
import { ButtonLink, Submit } from "../blocks.tsx"
import type { Labelled, Way } from "./frame.tsx"
import { FieldError, FieldFrame, FormContext, fieldClass, Hint, useField, useFormErrors } from "./frame.tsx"

export interface FormProps {
  readonly action: string
  readonly submit: string
  readonly danger?: boolean
  readonly cancel?: string
  readonly cancelLabel?: string
  /** An edit: its values and errors. */
  readonly draft?: Draft<object>
  readonly values?: object | undefined
  /** The error of the form as a whole has the name "". */
  readonly errors?: Errors | undefined
  readonly instead?: Way | undefined
  readonly multipart?: boolean
  /** A form longer than the window: its buttons stay in sight, and this is said beside them. */
  readonly saveNote?: string
  /** Whether its words follow what is typed: the server is asked for them, with `look`, and saves nothing. */
  readonly live?: boolean
  readonly also?: { readonly name: string; readonly label: string }
  readonly children?: ComponentChildren
}

/** A form that is sent with POST. Its fields take their values and errors from it. */
export function Form({ action, submit, cancel, cancelLabel = "Cancel", saveNote, live = false, ...rest }: FormProps) {
  const { danger, draft, multipart, also, instead, children } = rest
  const { typed: values = {}, errors = {} } = draft ?? { typed: rest.values, errors: rest.errors }
  useFormErrors(errors, instead)
  return (
    <FormContext.Provider value={{ values, errors }}>
      <form
        method="post"
        action={action}
        class="stack"
        {...(live && { "data-look": "" })}
        {...(multipart === true && { enctype: "multipart/form-data" })}
      >
        {draft?.started && <HiddenInputs values={{ ...draft.started }} />}
        {saveNote !== undefined && <EnterSaves />}
        {children}
        <div class={saveNote === undefined ? "actions" : "save"}>
          <Submit kind={danger ? "danger" : "primary"} label={live ? <Live id="save-label">{submit}</Live> : submit} />
          {also !== undefined && <Submit {...also} value="yes" />}
          {cancel !== undefined && <ButtonLink kind="quiet" href={cancel} label={cancelLabel} />}
          {saveNote !== undefined && saveNote !== "" && (
            <span class="hint">{live ? <Live id="save-note">{saveNote}</Live> : saveNote}</span>
          )}
        </div>
      </form>
    </FormContext.Provider>
  )
}

/** Words in a live form that follow what is typed in it. */
export const Live = ({ id, children }: Readonly<{ id: string; children: ComponentChildren }>) => (
  <span id={id} data-live>
    {children}
  </span>
)

/** Enter presses the first button of a form: in a form with buttons beside its fields that must not be "Remove". */
const EnterSaves = () => <button type="submit" class="vh" tabIndex={-1} aria-hidden="true" />

export const HiddenInputs = ({ values }: { readonly values: Readonly<Record<string, string>> }) =>
  Object.entries(values).map(([name, value]) => <input type="hidden" name={name} value={value} />)

type SectionProps = Readonly<{ title: string; hint?: ComponentChildren; children: ComponentChildren }>

export const FormSection = ({ title, hint, children }: SectionProps) => (
  <section class="section">
    <div>
      <h2>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
    <div class="stack">{children}</div>
  </section>
)

/** What an edit began with: digests of the thing as it was stored, and of the texts that the form showed. */
export type StartedFrom = Readonly<{ seen: Seen; shown: Seen }>

export interface Draft<Typed> {
  readonly typed: Typed
  readonly errors?: Errors
  /** Sent with the form, so that saving over somebody else's change is noticed. Missing where something new is made. */
  readonly started?: StartedFrom
}

/** A form without these fields was not ours, or is from an older version of ours: it counts as having seen something else. */
export const startedFrom = (form: SentForm): StartedFrom => form.texts("seen", "shown")

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
  readonly unit?: ComponentChildren
}

/** One line of text, a day, or a number with its unit. */
export function Field({ name, label, hint, type = "text", value, required = false, list, unit, ...rest }: FieldProps) {
  const field = useField(name, hint !== undefined)
  const text = value ?? (type === "password" ? "" : field.value)
  const attributes: Attributes = {
    ...field.attributes,
    type: type === "date" ? dayType(text) : type,
    value: text,
    required,
    ...(list && { list: `${name}-list` }),
    ...rest,
  }
  const input = <input {...attributes} />
  return (
    <FieldFrame name={name} label={label} hint={hint} error={field.error} optional={!required}>
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

/** With `data-zone` a script fills in the zone of the browser. */
export const TimeZoneField = (field: Readonly<{ hint: string; "data-zone"?: string }>) => (
  <Field name="time_zone" label="Time zone" required list={Intl.supportedValuesOf("timeZone")} {...field} />
)

const SLUG_HINT =
  "For addresses, files and scripts: lower-case letters, digits and hyphens. Leave empty to take it from the name. It can’t be changed later."

/** The name of a new organization for addresses and files, which follows from its own. Folded until somebody wants another. */
export const SlugField = ({ errors }: { readonly errors: Errors }) => (
  <details class="more" open={errors["slug"] !== undefined}>
    <summary>Short name</summary>
    <Field name="slug" label="Short name" maxlength={64} data-slug-of="name" autocomplete="off" hint={SLUG_HINT} />
  </details>
)

const CONTACT_HINT = "An email address, a phone number or a sentence. Everybody can read it."

export const ContactField = ({ label }: Pick<Labelled, "label">) => (
  <Field name="contact" label={label} required maxlength={CONTACT_CHARACTERS_MAX} hint={CONTACT_HINT} />
)

type Attributes = Readonly<Record<string, unknown>>

/** What was typed as another text is shown as it was: a date input would show nothing. */
export const dayType = (text: string) => (text === "" || parseDate(text) !== undefined ? "date" : "text")

export const DataList = ({ id, values }: { readonly id: string; readonly values: readonly string[] }) => (
  <datalist id={id}>
    {values.map((value) => (
      <option value={value} />
    ))}
  </datalist>
)

interface TextAreaProps extends Labelled {
  readonly rows: number
  /** For sentences rather than code. */
  readonly prose?: boolean
  readonly required?: boolean
}

export function TextArea({ name, label, hint, rows, required = false, prose = false }: TextAreaProps) {
  const { error, attributes, value } = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} hint={hint} error={error} optional={!required}>
      <textarea {...attributes} rows={rows} spellcheck={prose} class={prose ? undefined : "mono"} required={required}>
        {value}
      </textarea>
    </FieldFrame>
  )
}

interface MoneyFieldProps extends Labelled {
  readonly currency: string
  readonly required?: boolean
  readonly unit?: ComponentChildren
  /** Whether somebody goes on there: it was added just now. */
  readonly isNew?: boolean
  /** Currencies that are offered before the common ones. */
  readonly used?: readonly string[]
}

/** Any other code can be typed. */
const COMMON = ["EUR", "USD", "GBP", "CHF", "SEK", "DKK", "NOK", "PLN", "CZK"]

/** An amount with its currency. Two fields for the form, one for people. */
export function MoneyField({ name, currency, label, hint, required = false, unit, ...rest }: MoneyFieldProps) {
  const { isNew = false, used = [] } = rest
  const code = useField(currency, false)
  const amount = useField(name, hint !== undefined)
  return (
    <div class={fieldClass(amount.error ?? code.error)}>
      <label for={name}>
        {label}
        {!required && <span class="optional"> (optional)</span>}
      </label>
      <Hint name={name} hint={hint} />
      <FieldError name={currency} error={code.error} />
      <FieldError name={name} error={amount.error} />
      <div class="input money">
        <input
          {...code.attributes}
          class="code-input"
          value={code.value}
          maxlength={3}
          size={4}
          list={`${currency}-list`}
          placeholder="Currency"
          aria-label={`Currency of ${label.toLowerCase()}`}
          autocomplete="off"
        />
        <input
          {...amount.attributes}
          inputmode="decimal"
          value={amount.value}
          required={required}
          {...(isNew && { autofocus: true })}
        />
        {unit !== undefined && <span class="unit">{unit}</span>}
      </div>
      <DataList id={`${currency}-list`} values={[...new Set([...used, ...COMMON])]} />
    </div>
  )
}

type DateTimeFieldProps = Labelled & Readonly<{ required?: boolean; max?: string; time: string; zone: TimeZone }>

/** A day and a time of day, with the zone that they are meant in. */
export function DateTimeField({ name, time, label, hint, zone, required = false, max }: DateTimeFieldProps) {
  const day = useField(name, hint !== undefined)
  const clock = useField(time, hint !== undefined)
  const dayAttributes: Attributes = { ...day.attributes, type: dayType(day.value), max, required }
  const timeAttributes: Attributes = {
    ...clock.attributes,
    type: CLOCK.test(clock.value) ? "time" : "text",
    // Minutes are enough for most; what has seconds keeps them.
    ...(clock.value.length > "23:59".length && { step: 1 }),
  }
  return (
    <FieldFrame name={name} label={label} hint={hint} error={day.error} optional={!required} isGroup>
      <FieldError name={time} error={clock.error} />
      <div class="input">
        <input {...dayAttributes} aria-label="Day" value={day.value} />
        <input {...timeAttributes} aria-label="Time" value={clock.value} />
        <span class="unit" title={zone}>
          {placeOf(zone)}
        </span>
      </div>
    </FieldFrame>
  )
}

const CLOCK = /^(?:\d\d:\d\d(?::\d\d)?)?$/

/** Europe/Berlin is Berlin for people. */
const placeOf = (zone: TimeZone) => zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone

export function FileField({ name, label, hint, accept }: Labelled & Readonly<{ accept: string }>) {
  const { error, attributes } = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} error={error}>
      <div class="drop">
        <input type="file" accept={accept} required {...attributes} />
        <Hint name={name} hint={hint} />
      </div>
    </FieldFrame>
  )
}

type PasswordProps = Readonly<{ name?: string; label?: string; hint?: string }>

const HINT = `At least ${PASSWORD_CHARACTERS_MIN} characters. A few words in a row are easy to remember.`

export const CurrentPassword = ({ name = "password", label = "Your password" }: PasswordProps) => (
  <Field name={name} label={label} type="password" required autocomplete="current-password" />
)

export const NewPassword = ({ name = "password", label = "Password", hint = HINT }: PasswordProps) => (
  <Field name={name} label={label} type="password" required autocomplete="new-password" hint={hint} />
)
