import type { ComponentChildren } from "preact"
import { AvailableMetric, Channel } from "../../../../domain/adcp/schema/vocabulary.ts"
import { CheckGroup } from "../../parts/form/check-group.tsx"
import type { Choice } from "../../parts/form/choice.ts"
import { Field } from "../../parts/form/field.tsx"
import { MoneyField } from "../../parts/form/money-field.tsx"
import { RadioGroup } from "../../parts/form/radio-group.tsx"
import { FormSection } from "../../parts/form/section.tsx"
import { Select } from "../../parts/form/select.tsx"
import { TextArea } from "../../parts/form/text-area.tsx"
import { FORM_PRICING_MODELS, type ProductFields, type RichPart } from "./product-form.ts"

interface Props {
  readonly fields: ProductFields
  readonly isNew: boolean
  readonly rich: ReadonlySet<RichPart>
  readonly formats: readonly Choice[]
  readonly jsonHref: string
}

// Labels for terms of the protocol.
const WORDS: Readonly<Record<string, string>> = {
  olv: "online video",
  ctv: "connected TV",
  linear_tv: "linear TV",
  dooh: "digital out of home",
  ooh: "out of home",
  email: "email",
  ctr: "click rate",
  grps: "gross rating points",
  roas: "return on ad spend",
  cpm: "CPM",
  vcpm: "viewable CPM",
  cpc: "per click",
  cpcv: "per completed view",
  flat_rate: "flat rate",
  dooh_metrics: "out-of-home figures",
}

const asChoice = (value: string): Choice => ({ value, label: WORDS[value] ?? value.replaceAll("_", " ") })
const choicesOf = (schema: unknown): Choice[] => (schema as { enum: string[] }).enum.map(asChoice)

const CHANNELS = choicesOf(Channel)
const METRICS = choicesOf(AvailableMetric)
const DELIVERY_TYPES = [
  { value: "guaranteed", label: "Guaranteed", note: "What is booked is delivered, or made good." },
  { value: "non_guaranteed", label: "Not guaranteed", note: "As much as there is room for." },
]
const PRICE_KINDS = [
  { value: "fixed_price", label: "Fixed" },
  { value: "floor_price", label: "A floor price, for bids" },
]

/** The usual fields of a product. Anything more complex is edited as JSON. */
export function ProductFieldset({ fields, isNew, rich, formats, jsonHref }: Props) {
  return (
    <>
      <FormSection title="What it is" hint="Agents search in the name and the description.">
        <Field name="name" label="Name" required />
        {isNew && (
          <Field
            name="product_id"
            label="Product id"
            required
            hint="Buyers' agents refer to the product by it, such as homepage-billboard. It can't be changed later."
          />
        )}
        <TextArea
          name="description"
          label="Description"
          rows={4}
          prose
          required
          hint="Say who is reached, where, and with what."
        />
        <CheckGroup name="channels" label="Channels" find="a channel" choices={CHANNELS} checked={fields.channels} />
      </FormSection>
      <FormSection title="Where it runs">
        <Rich part="publishers" rich={rich} jsonHref={jsonHref} what="Some publishers are named by property or tag.">
          <TextArea
            name="publishers"
            label="Publisher domains"
            rows={2}
            required
            hint="One per line, such as news.example."
          />
        </Rich>
        <Rich part="formats" rich={rich} jsonHref={jsonHref} what="The formats carry sizes, durations or options.">
          <CheckGroup
            name="formats"
            label="Accepted formats"
            find="a format"
            choices={formats}
            checked={fields.formats}
          />
        </Rich>
      </FormSection>
      <FormSection title="Price">
        <Rich part="pricing" rich={rich} jsonHref={jsonHref} what="There are several prices, or a price with terms.">
          <div class="fields">
            <Select name="pricing_model" label="Priced by" choices={FORM_PRICING_MODELS.map(asChoice)} />
            <Select name="price_kind" label="The price is" choices={PRICE_KINDS} />
            <MoneyField name="price" currency="currency" label="Price" required />
            <Field name="min_spend" label="Minimum spend" inputmode="decimal" hint="For one package." />
          </div>
        </Rich>
      </FormSection>
      <FormSection title="Delivery">
        <RadioGroup name="delivery_type" label="Is delivery guaranteed?" choices={DELIVERY_TYPES} />
        <CheckGroup
          name="metrics"
          label="Metrics that you report"
          find="a metric"
          choices={METRICS}
          checked={fields.metrics}
        />
      </FormSection>
    </>
  )
}

interface RichProps extends Pick<Props, "rich" | "jsonHref"> {
  readonly part: RichPart
  readonly what: string
  readonly children: ComponentChildren
}

function Rich({ part, rich, jsonHref, what, children }: RichProps) {
  if (!rich.has(part)) return <>{children}</>
  return (
    <p class="hint">
      {what} They stay as they are; <a href={jsonHref}>edit them as JSON</a>.
    </p>
  )
}
