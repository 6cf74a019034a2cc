import { Elysia } from "elysia"
import { cutText } from "../../domain/text/short-text.ts"

export interface Published {
  /** Domains that this agent sells for. If empty, there is no adagents.json. */
  readonly domains: readonly string[]
  /** The company's name. If null, there is no brand.json. */
  readonly brand: string | null
  readonly agentUrl: () => string
  readonly since: string
}

const ONE_HOUR = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" }

/** The files under /.well-known that the operator switched on. */
export function wellKnown({ domains, brand, agentUrl, since }: Published) {
  const door = new Elysia()
  if (domains.length > 0) {
    door.get("/.well-known/adagents.json", () =>
      Response.json(adagentsJson(domains, agentUrl(), since), { headers: ONE_HOUR }),
    )
  }
  if (brand !== null) {
    door.get("/.well-known/brand.json", () => Response.json(brandJson(brand, agentUrl(), since), { headers: ONE_HOUR }))
  }
  return door
}

/** What a publisher puts on its own domain: this agent may sell everything on these domains. */
function adagentsJson(domains: readonly string[], agentUrl: string, lastUpdated: string): object {
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
function brandJson(name: string, agentUrl: string, lastUpdated: string): object {
  const agent = { type: "sales", url: agentUrl, id: "sales_agent" }
  return { version: "1.0", agents: [agent], contact: { name }, last_updated: lastUpdated }
}
