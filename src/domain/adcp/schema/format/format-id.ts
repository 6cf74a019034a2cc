import { type Static, Type } from "@sinclair/typebox"
import { AtLeastOne, fields, has, Identifier, object, ruled, Url, when } from "../../../schema/schema-helpers.ts"

/** A reference to a creative format. Without agent_url it is one of this installation. */
export const FormatRef = ruled(
  object({
    id: Identifier,
    "agent_url?": Url,
    ...fields(AtLeastOne, "width? height?"),
    "duration_ms?": Type.Number({ minimum: 1 }),
  }),
  when(has("width"), has("height")),
  when(has("height"), has("width")),
)
export type FormatRef = Static<typeof FormatRef>

/** A reference with its agent, for places where we do not fill it in. */
export const FormatId = ruled(FormatRef, Type.Object({ agent_url: Url }))

/** The reference with its agent_url; any spelling of our own is replaced by the canonical one. */
export function resolveRef<Ref extends FormatRef>(ref: Ref, agentUrl: string): Ref & { agent_url: string } {
  const { agent_url: given, ...rest } = ref
  const address = given === undefined || isSameAgent(given, agentUrl) ? agentUrl : given
  return { agent_url: address, ...rest } as Ref & { agent_url: string }
}

export const isOwnRef = ({ agent_url }: FormatRef, agentUrl: string): boolean =>
  agent_url === undefined || isSameAgent(agent_url, agentUrl)

const isSameAgent = (a: string, b: string) => a === b || canonicalUrl(a) === canonicalUrl(b)

/** A key by which equal references are equal. */
export const refKey = (ref: FormatRef, agentUrl: string): string =>
  JSON.stringify([
    canonicalUrl(ref.agent_url ?? agentUrl),
    ref.id,
    ref.width ?? null,
    ref.height ?? null,
    ref.duration_ms ?? null,
  ])

export const uniqueRefs = (refs: readonly FormatRef[], agentUrl: string): FormatRef[] => [
  ...new Map(refs.map((ref) => [refKey(ref, agentUrl), ref])).values(),
]

export const sameParameters = (a: FormatRef, b: FormatRef): boolean =>
  a.width === b.width && a.height === b.height && a.duration_ms === b.duration_ms

/** Normalizes the case of the host, the default port and an empty path. */
export const canonicalUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)
