import { countryNames, nameOfCountry } from "../../../../domain/countries.ts"
import { EVERYWHERE } from "../../../../domain/keys/opening.ts"
import type { SentForm } from "../../form.ts"
import { Icon } from "../icon.tsx"
import { Tick } from "./choices.tsx"
import { DataList } from "./fields.tsx"
import { FieldFrame, type Labelled, useField } from "./frame.tsx"

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
