import { Value } from "@sinclair/typebox/value"
import { Email, isDomain } from "../schema/build.ts"
import { cutText } from "./text.ts"

// The file that a publisher puts on its own domain, so that buyers' agents know who may sell there.

export interface Listing {
  readonly domains: readonly string[]
  readonly agentUrl: string
  /** The company. Null if the operator named none. */
  readonly company: string | null
  /** Who buyers should contact, as the operator typed it. */
  readonly contact: string | null
  /** As a timestamp. */
  readonly lastUpdated: string
}

/** The file adagents.json of these domains. */
export function adagentsJson({ domains, lastUpdated, ...about }: Listing): object {
  const agent = {
    url: about.agentUrl,
    authorized_for: cutText(`All inventory of ${domains.join(", ")}`, 500),
    authorization_type: "inline_properties",
    properties: domains.map((domain) => ({
      property_type: "website",
      name: domain,
      identifiers: [{ type: "domain", value: domain }],
      publisher_domain: domain,
    })),
    delegation_type: "direct",
  }
  return { contact: contactOf(about), authorized_agents: [agent], last_updated: lastUpdated }
}

/** Builds a company’s brand.json, which names this server as its sales agent. */
export const brandJson = ({ lastUpdated, ...about }: Listing): object => ({
  version: "1.0",
  agents: [{ type: "sales", url: about.agentUrl, id: "sales_agent" }],
  contact: contactOf(about),
  last_updated: lastUpdated,
})

const NAME_CHARACTERS_MAX = 255

function contactOf({ company, contact, agentUrl }: Pick<Listing, "company" | "contact" | "agentUrl">): object {
  const { hostname } = new URL(agentUrl)
  return {
    name: cutText(company ?? contact ?? hostname, NAME_CHARACTERS_MAX),
    ...(contact !== null && Value.Check(Email, contact) && { email: contact }),
    ...(isDomain(hostname) && { domain: hostname }),
  }
}

/** Sentences that say who buyers should contact. */
export interface ContactSentences {
  readonly contact: string
  /** For callers without a key. */
  readonly needsKey: string
  /** How to order, because no tool does it. */
  readonly orders: string
}

/** If the operator named no contact, the sentences refer to the operator of this address. */
export function contactSentences(named: string | null, agentUrl: string, takesOrders: boolean): ContactSentences {
  const contact = named ?? `the operator of ${new URL(agentUrl).host}`
  return {
    contact,
    needsKey: `Products are shown only to callers with a buyer key: ask ${contact} for one.`,
    orders: takesOrders
      ? `To order, a person opens the product's ext.adbooth.order_url, or asks ${contact}.`
      : `Orders are placed outside the protocol: ask ${contact}.`,
  }
}

export const CONTACT_CHARACTERS_MAX = 200

/** What is wrong with a contact. Null if it's an address or a sentence in one line. */
export function contactError(text: string): string | null {
  if (text === "") return "Enter an email address, a URL, a phone number or a sentence."
  if (text.length > CONTACT_CHARACTERS_MAX) return `Use at most ${CONTACT_CHARACTERS_MAX} characters.`
  return /\p{Cc}/u.test(text) ? "Write it in one line." : null
}
