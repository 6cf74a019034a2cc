import { type Context, writesOf } from "../context.ts"

/** Deletes an organization on which nothing depends. */
export function removeOrganization(
  context: Context,
  slug: string,
  actor: string,
): Promise<"done" | "not found" | "in use"> {
  return writesOf(context).organizations.remove(slug, { actor, at: context.clock() })
}
