import { agentUrl, publicUrl } from "../../../../actions/mail.ts"
import {
  type AgentSettings,
  agentSettings,
  changeAgentSettings,
  choiceVersion,
  deliveryInForce,
  LOG_DAYS_MAX,
} from "../../../../actions/settings.ts"
import { CONTACT_CHARACTERS_MAX } from "../../../../domain/adcp/adagents.ts"
import { readNumber } from "../../../../domain/typed-number.ts"
import { goTo } from "../../../flash.ts"
import type { FormOf } from "../../../forms/form.ts"
import { Banner, Copyable } from "../../../parts/blocks.tsx"
import { Check } from "../../../parts/choices.tsx"
import { Field, TextArea } from "../../../parts/fields.tsx"
import { Form, FormSection } from "../../../parts/form.tsx"
import type { SignedInVisit } from "../../../visit.ts"

const AGENT_SETTINGS = "/app/operator/agent-settings"

const yesIf = (isOn: boolean) => (isOn ? "yes" : "")

/** Who buyers contact, what is published, and what agents may do. */
export const agentSettingsForm: FormOf<SignedInVisit, AgentSettings & { readonly version: string }> = {
  find: async ({ read }) => ({ ...(await agentSettings(read)), version: await choiceVersion(read, "agent") }),
  begin: (_, settings) => ({
    texts: {
      contact: settings.contact ?? "",
      domains: settings.domains.join("\n"),
      company: settings.company ?? "",
      takesOrders: yesIf(settings.takesOrders),
      tellsDelivery: yesIf(settings.tellsDelivery),
      logDays: String(settings.logDays),
    },
    version: settings.version,
  }),
  view: (visit, settings) => ({
    title: "Agent settings",
    intro: "They apply to all buyers’ agents, whatever their key.",
    body: (
      <Form submit="Save" isLong>
        <FormSection title="Contact" hint="It tells agents who to ask for a key, and how to order.">
          <Copyable id="address" label="Address of your agent" text={agentUrl(visit.context)} />
          <Field
            name="contact"
            label="Contact for buyers"
            hint="An email address, a phone number or a sentence."
            maxlength={CONTACT_CHARACTERS_MAX}
          />
        </FormSection>
        {publishedSection(visit, settings)}
        <FormSection title="Orders and delivery">
          <Check
            name="takesOrders"
            label="Take orders"
            hint="Each product has a link to its order form. If you turn this off, the links stop working."
          />
          {deliveryField(visit, settings)}
        </FormSection>
        <FormSection title="Requests" hint="Keys are never logged.">
          <Field name="logDays" label="Keep requests for" inputmode="numeric" unit="days" required />
        </FormSection>
      </Form>
    ),
  }),
  async save(visit, _, texts, version) {
    const { contact = "", domains = "", company = "", logDays = "", tellsDelivery } = texts
    const days = readNumber(logDays, { isWhole: true })
    if ("error" in days) return { errors: { logDays: `Enter a whole number from 1 to ${LOG_DAYS_MAX}.` } }
    const changes = {
      contact: contact || null,
      domains: [...new Set(domains.toLowerCase().match(/[^\s,;]+/g) ?? [])],
      company: company || null,
      takesOrders: texts["takesOrders"] === "yes",
      logDays: days.value,
      // If the server's option decides, the form doesn't have this field.
      ...(tellsDelivery !== undefined && { tellsDelivery: tellsDelivery === "yes" }),
    }
    const saved = await changeAgentSettings(visit.context, visit.actor, changes, version)
    return saved !== "saved" ? saved : goTo(visit, AGENT_SETTINGS, "Saved. Agents see it at once.")
  },
}

function publishedSection(visit: SignedInVisit, { domains, company }: AgentSettings) {
  const web = publicUrl(visit.context)
  const isPublic = web.startsWith("https:")
  return (
    <FormSection title="Published files" hint="Buyers’ agents look there for who may sell.">
      {!isPublic && (
        <Banner tone="info" isCalm>
          Agents trust these files only over HTTPS. Set up HTTPS on the System page.
        </Banner>
      )}
      <TextArea
        name="domains"
        label="Domains that this agent sells for"
        hint={
          <>
            One per line, such as example.com. They’re in{" "}
            <PublishedFile isThere={domains.length > 0} name="adagents.json" />, which a file on each domain can point
            to.
          </>
        }
      />
      <Field
        name="company"
        label="Company that runs this agent"
        hint={
          <>
            It’s in <PublishedFile isThere={company !== null} name="brand.json" />.
          </>
        }
        maxlength={200}
      />
    </FormSection>
  )
}

const PublishedFile = ({ isThere, name }: { readonly isThere: boolean; readonly name: string }) =>
  isThere ? <a href={`/.well-known/${name}`}>{name}</a> : <code>{name}</code>

function deliveryField(visit: SignedInVisit, settings: AgentSettings) {
  const { value, from } = deliveryInForce(visit.context, settings)
  if (from === "option") {
    return (
      <p>
        Agents {value ? "may" : "can’t"} read delivery. The server’s option <code>--agent-delivery</code> (or its
        environment variable) decides.
      </p>
    )
  }
  return (
    <Check
      name="tellsDelivery"
      label="Let agents read delivery"
      hint="The key of a buyer may read what that buyer’s campaigns delivered, as the buyer sees it here."
    />
  )
}
