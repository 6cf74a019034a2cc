import { readLogo } from "../../domain/people/logo.ts"
import type { Organization } from "../../domain/people/organization.ts"
import { type Context, writesOf } from "../context.ts"

/** Saves the picture for an organization's reports. Returns why it is refused; null when it was saved. */
export async function changeLogo(
  context: Context,
  organization: Pick<Organization, "id" | "slug">,
  bytes: Uint8Array,
  actor: string,
): Promise<string | null> {
  const read = readLogo(bytes)
  if (!read.ok) return read.message
  await writesOf(context).organizations.setLogo(organization, read.logo, { actor, at: context.clock() })
  return null
}

/** Removes the picture. False when there was none. */
export function removeLogo(
  context: Context,
  organization: Pick<Organization, "id" | "slug">,
  actor: string,
): Promise<boolean> {
  return writesOf(context).organizations.setLogo(organization, null, { actor, at: context.clock() })
}
