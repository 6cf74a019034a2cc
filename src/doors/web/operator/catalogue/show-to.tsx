import type { OpenTo } from "../../../../domain/adcp/catalogue/catalogue-edit.ts"
import { normalTerritories, readTerritories } from "../../../../domain/keys/opening.ts"
import type { FormTexts } from "../../../../domain/schema/form/texts.ts"
import type { ListedAgentKey } from "../../../../storage/port/store.ts"
import { ONLY_WITH_KEY } from "../../agent-sales/opening.tsx"
import { AGENT_KEYS } from "../../frame/navigation.ts"
import { CheckGroup, CountryPicker, chosenCountries } from "../../parts/form/choices.tsx"
import { FormSection } from "../../parts/form/form.tsx"
import { listIn, textIn } from "./product-body.ts"

// To whom a new product is shown, and where. Later that is changed for each buyer, below the form.

const [KEYS, COUNTRIES, ADDED] = ["open_to", "countries", "countries_add"] as const

type ShowToProps = Readonly<{ keys: readonly Pick<ListedAgentKey, "id" | "label">[]; typed: FormTexts }>

// More of them are found by typing.
const SEEN_AT_ONCE = 12

export function ShowTo({ keys, typed }: ShowToProps) {
  if (keys.length === 0) {
    return (
      <FormSection title="Where it is shown">
        <p>
          Nowhere yet. {ONLY_WITH_KEY} <a href={`${AGENT_KEYS}#new-key`}>Create a buyer’s key</a>
        </p>
      </FormSection>
    )
  }
  const find = keys.length > SEEN_AT_ONCE && { find: "a buyer" }
  const choices = keys.map(({ id, label }) => ({ value: id, label }))
  const { chosen } = chosenCountries(listIn(typed, COUNTRIES), textIn(typed, ADDED))
  return (
    <FormSection title="Where it is shown" hint="Leave both empty, and it is a draft that nobody sees.">
      <CheckGroup name={KEYS} label="Buyers" {...find} choices={choices} checked={listIn(typed, KEYS)} />
      <CountryPicker name={COUNTRIES} label="Countries" chosen={chosen} />
    </FormSection>
  )
}

type Read = { readonly openTo?: OpenTo } | { readonly problem: Readonly<{ pointer: string; message: string }> }

/** Who is shown it, and where: both or neither. */
export function openToIn(typed: FormTexts): Read {
  const wrong = (name: string, message: string) => ({ problem: { pointer: `/${name}`, message } })
  const keys = listIn(typed, KEYS)
  const read = readTerritories([...listIn(typed, COUNTRIES), textIn(typed, ADDED)].join(", "))
  if (!read.ok) return wrong(COUNTRIES, read.message.replace(/\.$/, ""))
  const territories = normalTerritories(read.codes)
  if (keys.length === 0 && territories.length === 0) return {}
  if (keys.length === 0) return wrong(KEYS, "choose who sees it there, or remove the countries")
  if (territories.length === 0) return wrong(COUNTRIES, "choose at least one country, or untick the buyers")
  return { openTo: { keys, territories } }
}
