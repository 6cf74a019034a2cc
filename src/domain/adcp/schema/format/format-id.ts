import { type Static, Type } from "@sinclair/typebox"
import { AtLeastOne, has, Identifier, optional, ruled, Url, when } from "../../../schema/schema-helpers.ts"

/** Names a creative format. Without agent_url it is a format of this installation's own catalogue. */
export const FormatRef = ruled(
  Type.Object({
    id: Identifier,
    ...optional({ agent_url: Url, width: AtLeastOne, height: AtLeastOne, duration_ms: Type.Number({ minimum: 1 }) }),
  }),
  when(has("width"), has("height")),
  when(has("height"), has("width")),
)
export type FormatRef = Static<typeof FormatRef>

/** A reference that always names its agent, for places deep inside where none is filled in. */
export const FormatId = ruled(FormatRef, Type.Object({ agent_url: Url }))

/** The same reference with its address: this agent's own, in one spelling, where none or another spelling of it was given. */
export function resolveRef<Ref extends FormatRef>(ref: Ref, agentUrl: string): Ref & { agent_url: string } {
  const { agent_url: given, ...rest } = ref
  const address = given === undefined || isSameAgent(given, agentUrl) ? agentUrl : given
  return { agent_url: address, ...rest } as Ref & { agent_url: string }
}

/** Whether a reference names a format of this agent, by leaving the address out or by any spelling of it. */
export function isOwnRef({ agent_url }: FormatRef, agentUrl: string): boolean {
  return agent_url === undefined || isSameAgent(agent_url, agentUrl)
}

const isSameAgent = (a: string, b: string) => a === b || canonicalUrl(a) === canonicalUrl(b)

/** One text per format and parameters, so that references can be compared and counted. */
export function refKey(ref: FormatRef, agentUrl: string): string {
  return JSON.stringify([
    canonicalUrl(ref.agent_url ?? agentUrl),
    ref.id,
    ref.width ?? null,
    ref.height ?? null,
    ref.duration_ms ?? null,
  ])
}

/** Two spellings of one agent's address compare equal: case of the host, default port, empty path. */
export function canonicalUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url
}
