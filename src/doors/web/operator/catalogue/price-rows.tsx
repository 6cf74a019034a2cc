import type { Choice } from "../../parts/form/choice.ts"
import { Field } from "../../parts/form/field.tsx"
import { HiddenInputs } from "../../parts/form/form.tsx"
import { MoneyField } from "../../parts/form/money-field.tsx"
import { Select } from "../../parts/form/select.tsx"
import { Icon } from "../../parts/icon.tsx"
import { PRICES_MAX, type PriceFields, priceField, rowsOf } from "./price-form.ts"

const KINDS: readonly Choice[] = [
  { value: "fixed_price", label: "Fixed" },
  { value: "floor_price", label: "From (floor)" },
]

/** The prices of a product, one below the other. Adding and removing one needs no script: the page comes back with it. */
export function PriceRows({ fields, models }: { readonly fields: PriceFields; readonly models: readonly Choice[] }) {
  const rows = rowsOf(fields)
  return (
    <>
      {rows.map(({ price_id }, row) => (
        <fieldset class="price" key={priceField("price", row)}>
          <legend class="vh">Price {row + 1}</legend>
          <HiddenInputs values={{ [priceField("price_id", row)]: price_id }} />
          <Select name={priceField("pricing_model", row)} label="Priced by" choices={models} />
          <Select name={priceField("price_kind", row)} label="The price is" choices={KINDS} />
          <MoneyField
            name={priceField("price", row)}
            currency={priceField("currency", row)}
            label={row === 0 ? "Price" : `Price ${row + 1}`}
            required
          />
          <Field name={priceField("min_spend", row)} label="Minimum spend" inputmode="decimal" />
          {rows.length > 1 && (
            <button
              type="submit"
              class="button quiet danger"
              name="remove_price"
              value={String(row)}
              formnovalidate
              aria-label={`Remove price ${row + 1}`}
            >
              Remove
            </button>
          )}
        </fieldset>
      ))}
      {rows.length < PRICES_MAX && (
        <div class="actions">
          <button type="submit" class="button" name="add_price" value="yes" formnovalidate>
            <Icon name="plus" />
            Add a price
          </button>
        </div>
      )}
    </>
  )
}
