import { Elysia } from "elysia"
import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import { adagentsJson, contactOf } from "../../domain/adcp/adagents.ts"

export interface Published {
  /** Domains that this agent sells for. If empty, there is no adagents.json. */
  readonly domains: readonly string[]
  /** The company's name. If null, there is no brand.json. */
  readonly brand: string | null
  readonly agentUrl: () => string
  readonly since: string
  /** What is known by the catalogue and the app. */
  readonly about: () => ReturnType<AgentViews["published"]>
}

const ONE_HOUR = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" }

/** The files under /.well-known that the operator switched on. */
export function wellKnown({ domains, brand, agentUrl, since: lastUpdated, about }: Published) {
  const door = new Elysia()
  if (domains.length > 0) {
    door.get("/.well-known/adagents.json", async () => {
      const file = adagentsJson({ domains, agentUrl: agentUrl(), name: brand, lastUpdated, ...(await about()) })
      return Response.json(file, { headers: ONE_HOUR })
    })
  }
  if (brand !== null) {
    door.get("/.well-known/brand.json", async () => {
      const agent = { type: "sales", url: agentUrl(), id: "sales_agent" }
      const contact = contactOf(brand, (await about()).contact, agent.url)
      // What a company puts on its own domain: this is its sales agent.
      const file = { version: "1.0", agents: [agent], contact, last_updated: lastUpdated }
      return Response.json(file, { headers: ONE_HOUR })
    })
  }
  return door
}
