import type { OpenTo } from "../../../../domain/adcp/catalogue/catalogue-edit.ts"
import { EVERYWHERE, normalTerritories, readTerritories } from "../../../../domain/keys/opening.ts"
import type { FormTexts } from "../../../../domain/schema/form/texts.ts"
import type { ListedAgentKey } from "../../../../storage/port/store.ts"
import { ONLY_WITH_KEY } from "../../agent-sales/opening.tsx"
import { AGENT_KEYS } from "../../frame/navigation.ts"
import { CheckGroup, Tick } from "../../parts/form/choices.tsx"
import { Field, FormSection } from "../../parts/form/form.tsx"
import { listIn, textIn } from "./product-body.ts"

// To whom a new product is shown, and where. Later that is changed for each buyer, below the form.

const [KEYS, COUNTRIES, ANYWHERE] = ["open_to", "countries", "everywhere"] as const

type ShowToProps = Readonly<{ keys: readonly Pick<ListedAgentKey, "id" | "label">[]; typed: FormTexts }>

// More of them are found by typing.
const SEEN_AT_ONCE = 12

export function ShowTo({ keys, typed }: ShowToProps) {
  if (keys.length === 0) {
    return (
      <FormSection title="Where it is shown">
        <p>
          Nowhere yet. {ONLY_WITH_KEY} Save it as a draft, then{" "}
          <a href={`${AGENT_KEYS}#new-key`}>create a buyer’s key</a>.
        </p>
      </FormSection>
    )
  }
  const find = keys.length > SEEN_AT_ONCE && { find: "a buyer" }
  const choices = keys.map(({ id, label }) => ({ value: id, label }))
  return (
    <FormSection title="Where it is shown" hint="Leave all of it empty, and it is a draft that nobody sees.">
      <CheckGroup name={KEYS} label="Buyers" {...find} choices={choices} checked={listIn(typed, KEYS)} />
      <Field name={COUNTRIES} label="Countries" autocomplete="off" hint="Names or codes, with commas: Austria, DE." />
      <Tick name={ANYWHERE} label="Everywhere" checked={textIn(typed, ANYWHERE) !== ""} />
    </FormSection>
  )
}

type Read = { readonly openTo?: OpenTo } | { readonly problem: Readonly<{ pointer: string; message: string }> }

/** Who is shown it, and where: both or neither. */
export function openToIn(typed: FormTexts): Read {
  const wrong = (name: string, message: string) => ({ problem: { pointer: `/${name}`, message } })
  const keys = listIn(typed, KEYS)
  const read = readTerritories(textIn(typed, COUNTRIES))
  if (!read.ok) return wrong(COUNTRIES, read.message.replace(/\.$/, ""))
  const territories = normalTerritories(textIn(typed, ANYWHERE) === "" ? read.codes : [EVERYWHERE])
  if (keys.length === 0 && territories.length === 0) return {}
  if (keys.length === 0) return wrong(KEYS, "choose who sees it there, or remove the countries")
  if (territories.length === 0) return wrong(COUNTRIES, "enter at least one country, or untick the buyers")
  return { openTo: { keys, territories } }
}
