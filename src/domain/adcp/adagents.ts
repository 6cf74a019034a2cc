import { isObject } from "../schema/batch.ts"
import { checkFor } from "../schema/check.ts"
import { Email } from "../schema/schema-helpers.ts"
import { readDomain } from "../text/domain-name.ts"
import { cutText } from "../text/short-text.ts"
import type { Product } from "./schema/product/product.ts"

// adagents.json: what a publisher puts on its own domain, so that buyers' agents know who may sell there.

/** What is sold at a domain besides its pages. */
type PropertyKind = "podcast" | "newsletter"
export type KindsAt = ReadonlyMap<string, ReadonlySet<PropertyKind>>

const KIND_OF: Readonly<Record<string, PropertyKind>> = { podcast: "podcast", email: "newsletter" }

type Sold = Pick<Product, "channels" | "publisher_properties">

/** The domains of products, with what their channels say is sold there. */
export function kindsOf(products: Iterable<Sold>): KindsAt {
  const kinds = new Map<string, Set<PropertyKind>>()
  for (const { channels = [], publisher_properties } of products) {
    for (const { publisher_domain: domain } of publisher_properties) {
      const there = kinds.getOrInsertComputed(domain, () => new Set())
      for (const channel of channels) if (KIND_OF[channel] !== undefined) there.add(KIND_OF[channel])
    }
  }
  return kinds
}

// The standard has no type for newsletters: they are a property of their own that sells the channel email.
const PROPERTIES = {
  website: { property_type: "website", name: (domain: string) => domain },
  podcast: {
    property_type: "podcast",
    name: (domain: string) => `Podcasts of ${domain}`,
    supported_channels: ["podcast"],
    tags: ["podcast"],
  },
  newsletter: {
    property_type: "website",
    name: (domain: string) => `Newsletters of ${domain}`,
    supported_channels: ["email"],
    tags: ["newsletter"],
  },
} as const

const propertiesOf = (domain: string, kinds: KindsAt): object[] =>
  (["website", ...(kinds.get(domain) ?? [])] as const).map((kind) => {
    const { name, ...property } = PROPERTIES[kind]
    const identifiers = [{ type: "domain", value: domain }]
    return { ...property, name: name(domain), identifiers, publisher_domain: domain }
  })

export interface AgentListing {
  readonly domains: readonly string[]
  readonly kinds: KindsAt
  readonly agentUrl: string
  /** Of the company, where it is known. */
  readonly name: string | null
  /** Whom buyers ask, as somebody typed it. */
  readonly contact: string | null
  readonly lastUpdated: string
}

export function adagentsJson({ domains, kinds, agentUrl, name, contact, lastUpdated }: AgentListing): object {
  const agent = {
    url: agentUrl,
    authorized_for: cutText(`All inventory of ${domains.join(", ")}`, 500),
    authorization_type: "inline_properties",
    properties: domains.flatMap((domain) => propertiesOf(domain, kinds)),
    delegation_type: "direct",
  }
  return { contact: contactOf(name, contact, agentUrl), authorized_agents: [agent], last_updated: lastUpdated }
}

const isEmail = checkFor(Email)
const NAME_CHARACTERS_MAX = 255

export function contactOf(name: string | null, contact: string | null, agentUrl: string) {
  const { hostname } = new URL(agentUrl)
  return {
    name: cutText(name ?? contact ?? hostname, NAME_CHARACTERS_MAX),
    ...(contact !== null && isEmail(contact).ok && { email: contact }),
    ...(readDomain(hostname) && { domain: hostname }),
  }
}

/** The whole file of a domain that leaves it to the file at this address. */
export const pointerJson = (location: string): object => ({ authoritative_location: location })

const NO_SUCH_FILE = "The file there is no adagents.json."

/** True where the text of an adagents.json lets this agent sell, by its own list or by pointing to our file; else what is wrong. */
export function readAdagents(text: string, agentUrl: string, ourFile: string): true | string {
  try {
    const file: unknown = JSON.parse(text)
    if (!isObject(file)) return NO_SUCH_FILE
    if (file["authoritative_location"] === ourFile) return true
    const agents = Array.isArray(file["authorized_agents"]) ? file["authorized_agents"] : []
    if (agents.length === 0 && file["authoritative_location"] === undefined) return NO_SUCH_FILE
    const isNamed = agents.some((agent) => isObject(agent) && isSameAddress(agent["url"], agentUrl))
    return isNamed || "The file there names other agents only."
  } catch {
    return NO_SUCH_FILE
  }
}

const isSameAddress = (url: unknown, ours: string): boolean =>
  typeof url === "string" && URL.canParse(url) && new URL(url).href === new URL(ours).href
