import { cutText } from "../text/short-text.ts"

// Files that tell who may sell for a publisher, and which agent a company runs.

/** What a publisher puts on its own domain: this agent may sell everything on these domains. */
export function adagentsJson(domains: readonly string[], agentUrl: string, lastUpdated: string): object {
  const properties = domains.map((domain) => ({
    property_type: "website",
    name: domain,
    identifiers: [{ type: "domain", value: domain }],
    publisher_domain: domain,
  }))
  const agent = {
    url: agentUrl,
    authorized_for: cutText(`All inventory of ${domains.join(", ")}`, 500),
    authorization_type: "inline_properties",
    properties,
    delegation_type: "direct",
  }
  return { authorized_agents: [agent], last_updated: lastUpdated }
}

/** What a company puts on its own domain: this is its sales agent. */
export function brandJson(name: string, agentUrl: string, lastUpdated: string): object {
  const agent = { type: "sales", url: agentUrl, id: "sales_agent" }
  return { version: "1.0", agents: [agent], contact: { name }, last_updated: lastUpdated }
}
