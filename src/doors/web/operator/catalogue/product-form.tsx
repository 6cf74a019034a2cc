import type { ComponentChildren } from "preact"
import { listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { listingOf } from "../../../../actions/operations/agent-settings.ts"
import { capitalized } from "../../../../domain/text/short-text.ts"
import { draftedFor } from "../../agent-sales/draft.tsx"
import { activeKeys } from "../../agent-sales/opening.tsx"
import {
  CheckGroup,
  type Choice,
  RadioCards,
  Select,
  choicesOf as sellersAsChoices,
} from "../../parts/form/choices.tsx"
import { Field, FormSection, TextArea } from "../../parts/form/form.tsx"
import { listInWords } from "../../parts/format.tsx"
import type { PersonVisit } from "../../visit.ts"
import { CHANNELS, formatChoices, metricChoices } from "./channel-choices.ts"
import { type Fields, StaysAsItIs } from "./editor.tsx"
import { FORM_PRICING_MODELS, PriceRows } from "./prices.tsx"
import { listIn, RICH, type RichPart, richPartsOf, textIn, textsOfProduct } from "./product-body.ts"
import { ShowTo } from "./show-to.tsx"
import { spoken } from "./words.ts"

/**
 * Where a seller sells anyway: on the domains of its products, if all are on the same, and never on another's. Where only one organization
 * sells, all products are its own, and so are the domains that the server publishes for.
 */
export async function usualDomains({ context }: PersonVisit, seller: string): Promise<readonly string[]> {
  const { store } = context
  const isAlone = (await store.organizations.sellers(2)).length < 2
  const { domains } = await listingOf(store)
  if (isAlone && domains.length > 0) return domains
  const { products, sellers } = await store.catalogue.contents()
  const own = [...products].filter(([id]) => isAlone || (seller !== "" && sellers.get(id) === seller))
  const [first = "", ...others] = new Set(own.map(([, body]) => textIn(textsOfProduct(body), "publishers")))
  return others.length > 0 ? [] : first.split("\n").filter(Boolean)
}

// A list that people choose from.
const SELLERS_MAX = 1_000

const DELIVERY_TYPES = [
  { value: "guaranteed", label: "Guaranteed", note: "You deliver what is booked, or make up for it." },
  { value: "non_guaranteed", label: "Not guaranteed", note: "You deliver as much as you have room for." },
]

const ANY_SELLER = { value: "", label: "No seller: you answer its orders" }
const SELLER_HINT = "Orders go to them, and buyers see their name."
const DESCRIPTION_HINT = "Who it reaches, where, and with what."
const ID_HINT = "Buyers’ agents use it. Leave empty to take it from the name. It can’t be changed later."

type Stored = Readonly<{ id: string; body: unknown }>

/** A product on one screen: what it is, its formats, its price, and where it is shown. What is rarely needed is folded. */
export const productFields: Fields<Stored> = async (visit, stored, { typed, errors = {} }) => {
  const rich = richPartsOf(stored?.body)
  const formats = (await listFormats(visit.context)).filter(({ state }) => state !== "hidden")
  const sellers = await visit.context.store.organizations.sellers(SELLERS_MAX)
  const domains = await usualDomains(visit, textIn(typed, "seller"))
  const unless = (part: RichPart, fields: ComponentChildren) =>
    rich.has(part) ? (
      <p class="hint">
        {RICH[part]} <StaysAsItIs />
      </p>
    ) : (
      fields
    )
  // Where nothing says it, it is asked with the rest.
  const isAsked = stored === null && domains.length === 0
  const publishers = unless(
    "publishers",
    <Publishers domains={domains} areSeveral={sellers.length > 1} required={isAsked && sellers.length < 2} />,
  )
  const metrics = listIn(typed, "metrics")
  const folded = [...(stored === null ? ["product ID"] : []), ...(isAsked ? [] : ["publisher"]), "what you report"]
  const isWrong = FOLDED.some((name) => errors[name] !== undefined)
  return [
    stored === null && (await draftedFor(visit)),
    <FormSection title="What it is" hint="Agents search the name and the description.">
      <Field name="name" label="Name" required />
      {sellers.length > 1 && (
        <Select name="seller" label="Sold by" hint={SELLER_HINT} choices={[ANY_SELLER, ...sellersAsChoices(sellers)]} />
      )}
      <TextArea name="description" label="Description" rows={3} prose required hint={DESCRIPTION_HINT} />
      {isAsked && publishers}
      <CheckGroup name="channels" label="Channels" choices={CHANNELS} checked={listIn(typed, "channels")} />
      <MoreOf id="all-channels" label="More channels" />
    </FormSection>,
    <FormSection title="Formats" hint="What a buyer may deliver: the formats of these channels.">
      {unless("formats", [
        <CheckGroup
          name="formats"
          label="Accepted formats"
          find="a format"
          choices={formatChoices(formats, typed["channels"])}
          checked={listIn(typed, "formats")}
        />,
        <MoreOf id="all-formats" label="Formats of other channels" />,
      ])}
    </FormSection>,
    <FormSection title="Price" hint="Agents see every price and choose one.">
      {unless("pricing", <PriceRows texts={typed} models={FORM_PRICING_MODELS.map(asChoice)} />)}
      <RadioCards name="delivery_type" label="Is delivery guaranteed?" choices={DELIVERY_TYPES} />
    </FormSection>,
    stored === null && <ShowTo keys={await activeKeys(visit)} typed={typed} />,
    <FormSection title="More">
      <details class="more" open={isWrong}>
        <summary>{capitalized(folded.join(", "))}</summary>
        <div class="stack">
          {stored === null && <Field name="product_id" label="Product ID" data-slug-of="name" hint={ID_HINT} />}
          {!isAsked && publishers}
          <CheckGroup name="metrics" label="What you report" choices={metricChoices(metrics)} checked={metrics} />
          <MoreOf id="all-metrics" label="Metrics of other channels" />
        </div>
      </details>
    </FormSection>,
  ]
}

const FOLDED = ["product_id", "publishers", "metrics"]

const asChoice = (value: string): Choice => ({ value, label: spoken(value) })

/** The style sheet offers the rest of a list while this is ticked. */
const MoreOf = ({ id, label }: Readonly<{ id: string; label: string }>) => (
  <label class="choice small">
    <input type="checkbox" id={id} />
    <span>{label}</span>
  </label>
)

type PublishersProps = Readonly<{ domains: readonly string[]; areSeveral: boolean; required: boolean }>

function Publishers({ domains, areSeveral, required }: PublishersProps) {
  const others = areSeveral ? " Leave empty for that of the seller’s other products." : ""
  const usual = domains.length === 0 ? others : ` Leave empty for ${listInWords(domains, 3)}.`
  const hint = `The site or show that it runs on, such as example.com; several on a line each.${usual}`
  return <TextArea name="publishers" label="Publisher’s domain" rows={2} required={required} hint={hint} />
}
