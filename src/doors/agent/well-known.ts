import { Elysia } from "elysia"
import { adagentsJson, brandJson } from "../../domain/adcp/well-known.ts"

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
