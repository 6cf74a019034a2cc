import { Elysia } from "elysia"
import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import { adagentsJson, contactOf } from "../../domain/adcp/adagents.ts"
import { nothingHere } from "../http/base-app.ts"

const ONE_HOUR = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" }

/** The files under /.well-known that the operator switched on. */
export function wellKnown(published: AgentViews["published"]) {
  return new Elysia()
    .get("/.well-known/adagents.json", async ({ request }) => {
      const { brand: name, ...about } = await published()
      if (about.domains.length === 0) return nothingHere(request)
      return Response.json(adagentsJson({ ...about, name }), { headers: ONE_HOUR })
    })
    .get("/.well-known/brand.json", async ({ request }) => {
      const { brand, contact, agentUrl, lastUpdated } = await published()
      if (brand === null) return nothingHere(request)
      const agent = { type: "sales", url: agentUrl, id: "sales_agent" }
      // What a company puts on its own domain: this is its sales agent.
      const about = { contact: contactOf(brand, contact, agentUrl), last_updated: lastUpdated }
      return Response.json({ version: "1.0", agents: [agent], ...about }, { headers: ONE_HOUR })
    })
}
