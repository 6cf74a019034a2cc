import { lookup } from "node:dns/promises"
import type { HttpsChoice, HttpsProblem } from "../../domain/operations/https.ts"
import type { Actor, Context } from "../context.ts"
import { choose } from "../settings.ts"

/** The first of these domains that has no address, as far as this machine can see. Null if each of them has one. */
export async function domainWithoutAddress(domains: readonly string[]): Promise<string | null> {
  for (const domain of domains) {
    const found = await lookup(domain).catch(() => null)
    if (found === null) return domain
  }
  return null
}

/** Gets a certificate for the domains, and serves HTTPS with it from now on. Returns what went wrong, or null. */
export async function setUpHttps(context: Context, actor: Actor, choice: HttpsChoice): Promise<HttpsProblem | null> {
  const { https } = context.services
  const problem = await https.order(choice.domains, choice.email)
  if (problem !== null) return problem
  await choose(context, actor, "https", choice)
  await https.refresh()
  return null
}

/** Serves no HTTPS any more. */
export async function turnHttpsOff(context: Context, actor: Actor): Promise<void> {
  await choose(context, actor, "https", null)
  await context.services.https.refresh()
}
