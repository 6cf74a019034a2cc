import type { ComponentChildren } from "preact"
import { AvailableMetric, Channel } from "../../../../domain/adcp/schema/vocabulary.ts"
import { CheckGroup, type Choice, RadioGroup } from "../../parts/form/choices.tsx"
import { Field, TextArea } from "../../parts/form/fields.tsx"
import { FormSection } from "../../parts/form/form.tsx"
import { FORM_PRICING_MODELS, PriceRows } from "./prices.tsx"
import type { ProductFields, RichPart } from "./product-form.ts"
import { spoken } from "./words.ts"

interface Props {
  readonly fields: ProductFields
  readonly isNew: boolean
  readonly rich: ReadonlySet<RichPart>
  readonly formats: readonly Choice[]
  readonly jsonHref: string
}

const asChoice = (value: string): Choice => ({ value, label: spoken(value) })
const choicesOf = (schema: unknown): Choice[] => (schema as { enum: string[] }).enum.map(asChoice)

const CHANNELS = choicesOf(Channel)
const METRICS = choicesOf(AvailableMetric)
const DELIVERY_TYPES = [
  { value: "guaranteed", label: "Guaranteed", note: "What is booked is delivered, or made good." },
  { value: "non_guaranteed", label: "Not guaranteed", note: "As much as there is room for." },
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
      <FormSection title="Prices" hint="Agents see all of them and choose one.">
        <Rich part="pricing" rich={rich} jsonHref={jsonHref} what="Some prices have terms of their own.">
          <PriceRows fields={fields} models={FORM_PRICING_MODELS.map(asChoice)} />
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
