import type { Context } from "../actions/context.ts"
import type { RequestHandler } from "../http/limits.ts"
import { notFound } from "../http/refusals.ts"

/** The sales agent: `POST /`, and what it publishes under /.well-known. */
export function salesAgent(_context: Context): RequestHandler {
  return () => {
    throw notFound()
  }
}
