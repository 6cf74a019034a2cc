import { countryNames, nameOfCountry } from "../../../../domain/countries.ts"
import { EVERYWHERE } from "../../../../domain/keys/opening.ts"
import type { Form } from "../../form.ts"
import { Icon } from "../icon.tsx"
import { useField } from "./errors.tsx"
import { DataList } from "./field.tsx"
import { FieldFrame, type Labelled } from "./field-frame.tsx"

interface CountryPickerProps extends Labelled {
  /** The codes that are chosen; "*" is everywhere. */
  readonly chosen: readonly string[]
}

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
        <CountryChips name={name} codes={chosen} />
        <input
          id={add}
          name={add}
          value={value}
          list="country-names"
          placeholder="Add a country"
          autocomplete="off"
          {...attributes}
        />
        <label class="choice">
          <input type="checkbox" name={name} value={EVERYWHERE} checked={chosen.includes(EVERYWHERE)} />
          <span>Everywhere</span>
        </label>
      </div>
      <CountryNames />
    </FieldFrame>
  )
}

export function CountryChips({ name, codes }: { readonly name: string; readonly codes: readonly string[] }) {
  return (
    <ul class="chips">
      {codes
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
  )
}

/** The list that the browser completes names from; once a page is enough. */
export function CountryNames() {
  return <DataList id="country-names" values={countryNames()} />
}

/** What was chosen and typed, as one text for `readTerritories`. */
export function countriesIn(form: Form, name: string): string {
  return [...form.all(name), form.text(`${name}_add`)].filter((one) => one !== "").join(", ")
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
