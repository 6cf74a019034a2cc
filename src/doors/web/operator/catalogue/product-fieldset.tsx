import type { ComponentChildren } from "preact"
import { AvailableMetric, Channel } from "../../../../domain/adcp/schema/vocabulary.ts"
import { CheckGroup } from "../../parts/form/check-group.tsx"
import type { Choice } from "../../parts/form/choice.ts"
import { Field } from "../../parts/form/field.tsx"
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
  { value: "guaranteed", label: "Guaranteed" },
  { value: "non_guaranteed", label: "Not guaranteed" },
]
const PRICE_KINDS = [
  { value: "fixed_price", label: "Fixed" },
  { value: "floor_price", label: "A floor price, for bids" },
]

/** The usual fields of a product. Anything more complex is edited as JSON. */
export function ProductFieldset({ fields, isNew, rich, formats, jsonHref }: Props) {
  return (
    <>
      <Group title="What it is">
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
          hint="Agents search in it: say who is reached, where and with what."
        />
        <CheckGroup name="channels" label="Channels" choices={CHANNELS} checked={fields.channels} />
      </Group>
      <Group title="Where it runs">
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
          <CheckGroup name="formats" label="Accepted formats" choices={formats} checked={fields.formats} />
        </Rich>
      </Group>
      <Group title="What it costs">
        <Rich part="pricing" rich={rich} jsonHref={jsonHref} what="There are several prices, or a price with terms.">
          <div class="fields">
            <Select name="pricing_model" label="Priced by" choices={FORM_PRICING_MODELS.map(asChoice)} />
            <Select name="price_kind" label="The price is" choices={PRICE_KINDS} />
            <Field name="price" label="Price" required inputmode="decimal" />
            <Field name="currency" label="Currency" required maxlength={3} />
            <Field name="min_spend" label="Minimum spend" inputmode="decimal" hint="For one package." />
          </div>
        </Rich>
      </Group>
      <Group title="How it is delivered">
        <Select name="delivery_type" label="Delivery" choices={DELIVERY_TYPES} />
        <CheckGroup name="metrics" label="Metrics that you report" choices={METRICS} checked={fields.metrics} />
      </Group>
    </>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="form-group">
      <h2>{title}</h2>
      {children}
    </section>
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
