import type { ComponentChildren } from "preact"
import { COUNTRY_CODES, codeOfCountry, countryNames, nameOfCountry } from "../../../../domain/countries.ts"
import { EVERYWHERE } from "../../../../domain/keys/opening.ts"
import { compareNames } from "../../../../domain/lists/list-query.ts"
import type { SentForm } from "../../form.ts"
import { Icon } from "../icon.tsx"
import { DataList } from "./form.tsx"
import { FieldError, FieldFrame, fieldClass, Hint, type Labelled, useField } from "./frame.tsx"

export interface Choice {
  readonly value: string
  readonly label: string
  readonly note?: string
  /** What sort of choice it is, for those that depend on another field. */
  readonly sort?: string
  /** Whether it is offered only where somebody asks for more. */
  readonly isRare?: boolean
}

export const choicesOf = (all: readonly { readonly slug: string; readonly name: string }[]): Choice[] =>
  all.toSorted((a, b) => compareNames(a.name, b.name)).map(({ slug, name }) => ({ value: slug, label: name }))

interface SelectProps extends Labelled {
  /** For what the form does not know. */
  readonly value?: string
  readonly choices: readonly Choice[]
}

export function Select({ name, label, hint, value, choices }: SelectProps) {
  const field = useField(name, hint !== undefined)
  return (
    <FieldFrame name={name} label={label} hint={hint} error={field.error}>
      <select {...field.attributes}>
        <Options choices={choices} chosen={value ?? field.value} />
      </select>
    </FieldFrame>
  )
}

export const Options = ({ choices, chosen }: { readonly choices: readonly Choice[]; readonly chosen: string }) =>
  choices.map(({ value, label }) => (
    <option value={value} selected={value === chosen}>
      {label}
    </option>
  ))

/** One of a few, as cards that say what each means. What is chosen may decide which other fields there are. */
export function RadioCards({ name, label, hint, value, choices }: SelectProps) {
  const field = useField(name, hint !== undefined)
  const chosen = value ?? field.value
  return (
    <FieldFrame name={name} label={label} hint={hint} error={field.error} isGroup>
      <div class="options">
        {choices.map((choice, index) => (
          <label class="option">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === chosen}
              {...(index === 0 && field.attributes)}
            />
            <ChoiceText choice={choice} />
          </label>
        ))}
      </div>
    </FieldFrame>
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
      <Tick name={name} value={value} checked={checked} label={label} {...attributes} />
      <Hint name={name} hint={hint} />
    </div>
  )
}

/** Narrows the list with this id to what has the typed words. */
export const FindInput = ({ what, list }: Readonly<{ what: string; list: string }>) => (
  <input type="search" aria-label={`Find ${what}`} placeholder={`Find ${what}`} data-filter={list} />
)

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
    <FieldFrame name={name} label={label} hint={hint} error={error} isGroup>
      <div class="picker">
        {find !== undefined && (
          <div class="input scripted">
            <Icon name="search" />
            <FindInput what={find} list={`${name}-list`} />
          </div>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <ul id={`${name}-list`} tabIndex={0} aria-label={label}>
          {sorted.map((choice, index) => (
            <li data-sort={choice.sort} data-rare={choice.isRare ? "" : undefined}>
              <label class="choice">
                <input
                  type="checkbox"
                  name={name}
                  value={choice.value}
                  checked={isChecked(choice)}
                  {...(index === 0 && attributes)}
                />
                <ChoiceText choice={choice} />
              </label>
            </li>
          ))}
        </ul>
        <p class="hint" data-count={`${name}-list`}>
          {count} chosen
        </p>
      </div>
    </FieldFrame>
  )
}

/**
 * Countries by name. Each chosen one is a box that can be unticked; more are typed by name or code, several with commas. It needs no
 * script; with one, a name turns into a chip as soon as it is complete.
 */
export function CountryPicker({ name, label, hint, chosen }: Labelled & Readonly<{ chosen: readonly string[] }>) {
  const add = `${name}_add`
  const { error, attributes, value } = useField(add, hint !== undefined)
  return (
    <FieldFrame name={add} label={label} hint={hint} error={error}>
      <div class="countries" data-countries={name}>
        <ul class="chips">
          {chosen
            .filter((code) => code !== EVERYWHERE)
            .map((code) => (
              <li>
                <label class="chip">
                  <input class="vh" type="checkbox" name={name} value={code} checked />
                  <b>{code}</b> {nameOfCountry(code)}
                  <Icon name="close" />
                </label>
              </li>
            ))}
        </ul>
        <input value={value} list="country-names" placeholder="Add a country" autocomplete="off" {...attributes} />
        <Tick name={name} value={EVERYWHERE} checked={chosen.includes(EVERYWHERE)} label="Everywhere" />
      </div>
      <DataList id="country-names" values={countryNames()} />
    </FieldFrame>
  )
}

/** What was chosen and typed, as one text for `readTerritories`. */
export const countriesIn = (form: SentForm, name: string): string =>
  [...form.all(name), form.text(`${name}_add`)].filter((country) => country !== "").join(", ")

/** What was ticked as chips; what is no country, as text to correct. A script makes chips with names. */
export function chosenCountries(ticked: readonly string[], typed: string) {
  const codes = ticked.map((text) => (text === EVERYWHERE ? text : (codeOfCountry(text) ?? text)))
  const isCountry = (code: string) => code === EVERYWHERE || COUNTRY_CODES.has(code)
  const others = [...codes.filter((code) => !isCountry(code)), typed].filter((text) => text !== "")
  return { chosen: codes.filter(isCountry), added: others.join(", ") }
}

/** Country codes without their names, for a table. */
export function CodeChips({ codes }: { readonly codes: readonly string[] }) {
  if (codes.includes(EVERYWHERE)) return <span class="chip all">Everywhere</span>
  return (
    <span class="chips">
      {codes.map((code) => (
        <abbr class="chip" title={nameOfCountry(code)}>
          <b>{code}</b>
        </abbr>
      ))}
    </span>
  )
}
