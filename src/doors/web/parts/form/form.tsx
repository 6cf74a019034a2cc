import type { ComponentChildren } from "preact"
import { countryNames, nameOfCountry } from "../../../../domain/countries.ts"
import type { Revision } from "../../../../domain/edit-conflict.ts"
import { EVERYWHERE } from "../../../../domain/keys/opening.ts"
import { PASSWORD_CHARACTERS_MIN } from "../../../../domain/limits.ts"
import { compareNames } from "../../../../domain/lists/list-query.ts"
import { parseDate } from "../../../../domain/time/moment.ts"
import type { TimeZone } from "../../../../domain/time/time-zone.ts"
import type { Errors, SentForm } from "../../form.ts"
import { ButtonLink, Submit } from "../blocks.tsx"
import { Icon } from "../icon.tsx"
import {
  FieldError,
  FieldFrame,
  FieldGroup,
  FormContext,
  fieldClass,
  Hint,
  Label,
  type Labelled,
  useField,
  useFormErrors,
} from "./frame.tsx"

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
  readonly multipart?: boolean
  /** A form longer than the window: its buttons stay in sight, and this is said beside them. */
  readonly saveNote?: string
  /** Whether its words follow what is typed: the server is asked for them, with `look`, and saves nothing. */
  readonly live?: boolean
  readonly also?: { readonly name: string; readonly label: string }
  readonly children?: ComponentChildren
}

/** A form that is sent with POST. Its fields take their values and errors from it. */
export function Form({
  action,
  submit,
  danger,
  cancel,
  cancelLabel = "Cancel",
  draft,
  multipart,
  saveNote,
  live = false,
  also,
  children,
  ...rest
}: FormProps) {
  const { typed: values = {}, errors = {} } = draft ?? { typed: rest.values, errors: rest.errors }
  useFormErrors(errors)
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
          <Submit
            kind={danger === true ? "danger" : "primary"}
            label={live ? <Live id="save-label">{submit}</Live> : submit}
          />
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
function EnterSaves() {
  return <button type="submit" class="vh" tabIndex={-1} aria-hidden="true" />
}

export function HiddenInputs({ values }: { readonly values: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

type SectionProps = Readonly<{ title: string; hint?: ComponentChildren; children: ComponentChildren }>

export function FormSection({ title, hint, children }: SectionProps) {
  return (
    <section class="section">
      <div>
        <h2>{title}</h2>
        {hint !== undefined && <p class="hint">{hint}</p>}
      </div>
      <div class="stack">{children}</div>
    </section>
  )
}

/** What an edit began with: digests of the thing as it was stored, and of the texts that the form showed. */
export type StartedFrom = Readonly<{ revision: Revision; shown: Revision }>

/** An edit that is not saved yet. */
export interface Draft<Typed> {
  readonly typed: Typed
  readonly errors?: Errors
  /** Sent with the form, so that saving over somebody else's change is noticed. Missing where something new is made. */
  readonly started?: StartedFrom
}

/** A form without revision fields was not ours, or is from an older version of ours: it counts as having seen something else. */
export function startedFrom(form: SentForm): StartedFrom {
  return { revision: form.text("revision"), shown: form.text("shown") }
}

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
export function Field({ name, label, hint, type = "text", value, required, list, unit, ...rest }: FieldProps) {
  const field = useField(name, hint !== undefined)
  const text = value ?? (type === "password" ? "" : field.value)
  const attributes: Attributes = {
    type: type === "date" ? dayType(text) : type,
    value: text,
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

type Attributes = Readonly<Record<string, unknown>>

/** What was typed as another text is shown as it was: a date input would show nothing. */
export const dayType = (text: string) => (text === "" || parseDate(text) !== undefined ? "date" : "text")

export function DataList({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
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

type DateTimeFieldProps = Labelled & Readonly<{ required?: boolean; max?: string; time: string; zone: TimeZone }>

/** A day and a time of day, with the zone that they are meant in. */
export function DateTimeField({ name, time, label, hint, zone, required = false, max }: DateTimeFieldProps) {
  const day = useField(name, hint !== undefined)
  const clock = useField(time, hint !== undefined)
  const dayAttributes: Attributes = { type: dayType(day.value), max, required, ...day.attributes }
  const timeAttributes: Attributes = {
    type: CLOCK.test(clock.value) ? "time" : "text",
    // Minutes are enough for most; what has seconds keeps them.
    ...(clock.value.length > "23:59".length && { step: 1 }),
    ...clock.attributes,
  }
  return (
    <FieldGroup name={name} label={label} hint={hint} error={day.error} optional={!required}>
      <FieldError name={time} error={clock.error} />
      <div class="input">
        <input id={name} name={name} aria-label="Day" value={day.value} {...dayAttributes} />
        <input id={time} name={time} aria-label="Time" value={clock.value} {...timeAttributes} />
        <span class="unit" title={zone}>
          {placeOf(zone)}
        </span>
      </div>
    </FieldGroup>
  )
}

const CLOCK = /^(?:\d\d:\d\d(?::\d\d)?)?$/

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

export interface Choice {
  readonly value: string
  readonly label: string
  readonly note?: string
  /** What sort of choice it is, for those that depend on another field. */
  readonly sort?: string
}

export const choicesOf = (all: readonly { readonly slug: string; readonly name: string }[]): Choice[] =>
  all.toSorted((a, b) => compareNames(a.name, b.name)).map(({ slug, name }) => ({ value: slug, label: name }))

interface SelectProps extends Labelled {
  /** For what the form does not know. */
  readonly value?: string
  readonly choices: readonly Choice[]
}

/** One of several, in a list that opens. */
export function Select({ name, label, hint, value, choices }: SelectProps) {
  const field = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} hint={hint} error={field.error} optional={false}>
      <select id={name} name={name} {...field.attributes}>
        <Options choices={choices} chosen={value ?? field.value} />
      </select>
    </FieldFrame>
  )
}

export function Options({ choices, chosen }: { readonly choices: readonly Choice[]; readonly chosen: string }) {
  return (
    <>
      {choices.map(({ value, label }) => (
        <option key={value} value={value} selected={value === chosen}>
          {label}
        </option>
      ))}
    </>
  )
}

/** One of a few, as cards that say what each means. What is chosen may decide which other fields there are. */
export function RadioCards({ name, label, hint, value, choices }: SelectProps) {
  const field = useField(name, hint !== undefined)
  const chosen = value ?? field.value
  return (
    <FieldGroup name={name} label={label} hint={hint} error={field.error} optional={false}>
      <div class="options">
        {choices.map((choice, index) => (
          <label class="option" key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === chosen}
              {...(index === 0 && { id: name, ...field.attributes })}
            />
            <ChoiceText choice={choice} />
          </label>
        ))}
      </div>
    </FieldGroup>
  )
}

const ChoiceText = ({ choice: { label, note } }: { readonly choice: Choice }) => (
  <span>
    {label}
    {note !== undefined && <small>{note}</small>}
  </span>
)

interface TickProps {
  readonly id?: string
  readonly name: string
  readonly checked?: boolean
  readonly value?: string
  readonly label: ComponentChildren
  /** For screen readers, where the label alone does not say what it is about. */
  readonly about?: string
}

/** A box with its words. */
export const Tick = ({ label, about, name, value = "yes", ...input }: TickProps) => (
  <label class="choice">
    <input type="checkbox" name={name} value={value} aria-label={about} {...input} />
    <span>{label}</span>
  </label>
)

type CheckboxProps = Labelled & Readonly<{ checked: boolean; value?: string }>

export function Checkbox({ name, label, hint, checked, value = "yes" }: CheckboxProps) {
  const { error, attributes } = useField(name, hint !== undefined)
  return (
    <div class={fieldClass(error)}>
      <FieldError name={name} error={error} />
      <Tick id={name} name={name} value={value} checked={checked} label={label} {...attributes} />
      <Hint name={name} hint={hint} />
    </div>
  )
}

interface CheckGroupProps extends Labelled {
  readonly choices: readonly Choice[]
  readonly checked: readonly string[]
  /** What to search for, such as "a format"; without it there is no search. */
  readonly find?: string
}

/** Several of many, in a box that scrolls. Those that are ticked come first, so that none hides below its edge. */
export function CheckGroup({ name, label, hint, choices, checked, find }: CheckGroupProps) {
  const { error, attributes } = useField(name, hint !== undefined)
  const isChecked = ({ value }: Choice) => checked.includes(value)
  const sorted = [...choices.filter(isChecked), ...choices.filter((choice) => !isChecked(choice))]
  const count = choices.filter(isChecked).length
  return (
    <FieldGroup name={name} label={label} hint={hint} error={error} optional={false}>
      <div class="picker">
        {find !== undefined && (
          <div class="input scripted">
            <Icon name="search" />
            <input
              type="search"
              aria-label={`Find ${find}`}
              placeholder={`Find ${find}`}
              data-filter={`${name}-list`}
            />
          </div>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <ul id={`${name}-list`} tabIndex={0} aria-label={label}>
          {sorted.map((choice, index) => (
            <li key={choice.value} data-sort={choice.sort}>
              <label class="choice">
                <input
                  type="checkbox"
                  name={name}
                  value={choice.value}
                  checked={isChecked(choice)}
                  {...(index === 0 && { id: name, ...attributes })}
                />
                <ChoiceText choice={choice} />
              </label>
            </li>
          ))}
        </ul>
        <p class="hint" data-count={`${name}-list`}>
          {count} of {choices.length} chosen
        </p>
      </div>
    </FieldGroup>
  )
}

type CountryPickerProps = Labelled & Readonly<{ chosen: readonly string[] }>

/**
 * Countries by name. Each chosen one is a box that can be unticked; more are typed by name or code, several with commas. It needs no
 * script; with one, a name turns into a chip as soon as it is complete.
 */
export function CountryPicker({ name, label, hint, chosen }: CountryPickerProps) {
  const add = `${name}_add`
  const { error, attributes, value } = useField(add, hint !== undefined)
  return (
    <FieldFrame name={add} label={label} hint={hint} error={error} optional={false}>
      <div class="countries" data-countries={name}>
        <ul class="chips">
          {chosen
            .filter((code) => code !== EVERYWHERE)
            .map((code) => (
              <li key={code}>
                <label class="chip">
                  <input class="vh" type="checkbox" name={name} value={code} checked />
                  <b>{code}</b> {nameOfCountry(code)}
                  <Icon name="close" />
                </label>
              </li>
            ))}
        </ul>
        <input
          id={add}
          name={add}
          value={value}
          list="country-names"
          placeholder="Add a country"
          autocomplete="off"
          {...attributes}
        />
        <Tick name={name} value={EVERYWHERE} checked={chosen.includes(EVERYWHERE)} label="Everywhere" />
      </div>
      <DataList id="country-names" values={countryNames()} />
    </FieldFrame>
  )
}

/** What was chosen and typed, as one text for `readTerritories`. */
export function countriesIn(form: SentForm, name: string): string {
  return [...form.all(name), form.text(`${name}_add`)].filter((country) => country !== "").join(", ")
}

/** Country codes without their names, for a table. */
export function CodeChips({ codes }: { readonly codes: readonly string[] }) {
  if (codes.includes(EVERYWHERE)) return <span class="chip all">Everywhere</span>
  return (
    <span class="chips">
      {codes.map((code) => (
        <abbr key={code} class="chip" title={nameOfCountry(code)}>
          <b>{code}</b>
        </abbr>
      ))}
    </span>
  )
}
