import { agentViews } from "../actions/catalogue/views.ts"
import type { Context } from "../actions/context.ts"
import { adagentsJson, brandJson } from "../domain/adcp/adagents.ts"
import { canonicalOf } from "../domain/adcp/catalogue/canonical.ts"
import { customSchema, FOREIGN_FORMAT_ID, foreignSchema } from "../domain/adcp/catalogue/custom-schema.ts"
import { methodNotAllowed, notFound } from "../http/refusals.ts"

const HEADERS = { "Cache-Control": "public, max-age=3600", "Access-Control-Allow-Origin": "*" }

/** The files that others fetch: adagents.json and brand.json if the operator filled them in, and schemas of custom formats. */
export async function wellKnown(context: Context, request: Request): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed("GET")
  const { pathname } = new URL(request.url)
  const formatId = /^\/formats\/([\w-]+)\.json$/.exec(pathname)?.[1]
  if (formatId !== undefined) return formatSchema(context, formatId)
  const listing = await agentViews(context).listing()
  if (pathname === "/.well-known/adagents.json" && listing.domains.length > 0)
    return Response.json(adagentsJson(listing), { headers: HEADERS })
  // The schema of brand.json wants the agent's address to begin with https.
  const isEncrypted = listing.agentUrl.startsWith("https:")
  if (pathname === "/.well-known/brand.json" && listing.company !== null && isEncrypted)
    return Response.json(brandJson(listing), { headers: HEADERS })
  throw notFound()
}

/** Serves the schema that a custom format's `format_schema` refers to, byte by byte. */
async function formatSchema(context: Context, formatId: string): Promise<Response> {
  const { own, agentUrl } = await agentViews(context).catalogue()
  const headers = { ...HEADERS, "Content-Type": "application/schema+json" }
  if (formatId === FOREIGN_FORMAT_ID) return new Response(foreignSchema(agentUrl).text, { headers })
  const format = own.get(formatId)
  if (format === undefined || canonicalOf(format).kind !== "custom") throw notFound()
  return new Response(customSchema(format, agentUrl).text, { headers })
}
