import { type AnyElysia, Elysia } from "elysia"
import packageJson from "../../../package.json"
import { namedSchemas } from "./named-schemas.ts"
import { type IngestLimits, TAGS } from "./openapi-operations.ts"
import { feedRoutes, fileRoutes } from "./routes.ts"

const DESCRIPTION = `Sellers report how much of a sold line was delivered, and how affiliate codes perform.

Every figure is a total, so a request may be repeated safely. Rows are accepted or refused one by one; one bad row does not stop the
others. Add \`?dry_run=true\` to any request to get the answer without anything being written.`

const OUTSIDE_THE_API = /^(?!\/api\/)/

/** The OpenAPI 3.1 document of all routes under /api. The plugin is large, so it is loaded on demand. */
export async function openapiDocument(routes: AnyElysia, serverUrl: string): Promise<object> {
  const { toOpenAPISchema } = await import("@elysiajs/openapi")
  return {
    openapi: "3.1.2",
    info: {
      title: "Adbooth ingest API",
      version: packageJson.version,
      description: DESCRIPTION,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: serverUrl }],
    tags: TAGS,
    security: [{ apiKey: [] }],
    paths: toOpenAPISchema(routes, { paths: OUTSIDE_THE_API }).paths,
    components: {
      schemas: namedSchemas(),
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key that an admin of your organization creates under Settings, API keys.",
        },
      },
    },
  }
}

/** The same document without a running server. */
export function openapiWithoutServer(limits: IngestLimits, serverUrl: string): Promise<object> {
  const files = fileRoutes(limits, notServed)
  return openapiDocument(new Elysia().use(feedRoutes(limits, () => notServed)).use(files), serverUrl)
}

function notServed(): never {
  throw new Error("these routes are only described")
}
