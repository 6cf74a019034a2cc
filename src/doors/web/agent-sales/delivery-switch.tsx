import { isDeliveryOn, switchDelivery } from "../../../actions/operations/agent-delivery.ts"
import { readForm } from "../form.ts"
import { AGENT_KEYS } from "../frame/navigation.ts"
import { Card } from "../parts/blocks.tsx"
import { Select } from "../parts/form/choices.tsx"
import { Form } from "../parts/form/form.tsx"
import { done, goTo } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"

const CHOICES = [
  { value: "off", label: "No" },
  { value: "on", label: "Yes, with a key that acts for the buyer" },
]

/** Whether agents may read delivery. What an option of the server says is only shown. */
export async function deliverySwitch({ context: { store, config } }: PersonVisit) {
  const isOn = await isDeliveryOn(store, config)
  const isPinned = config.agentDelivery !== null
  return (
    <Card title="What campaigns delivered">
      {isPinned ? (
        <p>
          Agents {isOn ? "may" : "may not"} read delivery: the server was started with <code>--agent-delivery</code>, or
          its variable in the environment.
        </p>
      ) : (
        <Form action={`${AGENT_KEYS}/delivery`} submit="Save" values={{ delivery: isOn ? "on" : "off" }}>
          <Select
            name="delivery"
            label="May buyers’ agents read it?"
            hint="A key reads the campaigns of the organization that it acts for, as that organization sees them here."
            choices={CHOICES}
          />
        </Form>
      )}
    </Card>
  )
}

async function save(visit: PersonVisit): Promise<Response> {
  const isOn = (await readForm(visit.request)).text("delivery") === "on"
  await switchDelivery(visit.context, isOn, visit.actor)
  return goTo(visit, AGENT_KEYS, done(`Agents may ${isOn ? "now" : "no longer"} read delivery.`))
}

export const agentDeliveryRoutes = [forOperator("POST", `${AGENT_KEYS}/delivery`, save)]
