import { ButtonLink, Card, Copyable, KeyOnce } from "../../../../../src/doors/web/parts/blocks.tsx"
import { Conflict } from "../../../../../src/doors/web/parts/form/editing.tsx"
import { Field, FormSection } from "../../../../../src/doors/web/parts/form/form.tsx"
import { AskButton } from "../../../../../src/doors/web/respond.tsx"

const HERE = "/app/components"

export function Asking() {
  return (
    <>
      <Conflict
        who="Mo Ferreira"
        what="this product"
        units={[
          {
            label: "Amount, first price",
            mine: { price: "€15.20 CPM" },
            theirs: { price: "€14.80 CPM" },
          },
          {
            label: "Countries",
            mine: { where: ["Austria", "Germany"] },
            theirs: { where: ["Austria", "Luxembourg"] },
          },
        ]}
      />
      <div class="cols">
        <Card title="A question">
          <AskButton
            label="Withdraw"
            question={{
              href: HERE,
              title: "Withdraw 216,363?",
              text: "It stays in the history as withdrawn. The current total becomes 211,939, and Fernweh Travel sees that at once.",
              submit: "Withdraw the report",
              cancel: HERE,
            }}
          />
        </Card>
        <KeyOnce
          title="Copy this key now"
          text="It is shown once. If it gets lost, make another one."
          secrets={[{ id: "key", label: "API key", text: "abi_7hTzK2pLq0WcX9vRbN4mJt6yEsA1uGdF" }]}
        >
          <div class="actions">
            <ButtonLink kind="primary" href={HERE} label="I have stored it" />
          </div>
        </KeyOnce>
      </div>
      <Copyable id="command" label="Example request" text={"curl https://ads.example/api \\\n  -d '{\"items\":[]}'"} />
      <FormSection title="A part of a long form" hint="What it is about.">
        <Field name="long" label="Name" required />
      </FormSection>
    </>
  )
}
