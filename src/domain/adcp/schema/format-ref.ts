import { type Static, Type } from "@sinclair/typebox"
import { fields, has, object, ruled, when } from "../../schema/build.ts"
import { AtLeastOne, Identifier, Url } from "../../schema/values.ts"
import { FormatKind } from "./vocabulary.ts"

const reference = {
  id: Identifier,
  "agent_url?": Url,
  ...fields(AtLeastOne, "width? height?"),
  "duration_ms?": Type.Number({ minimum: 1 }),
} as const

const hasBothSides = [when(has("width"), has("height")), when(has("height"), has("width"))]

/** Names a creative format. Without agent_url it's a format of this server. */
export const FormatRef = ruled(object(reference), ...hasBothSides)
export type FormatRef = Static<typeof FormatRef>

/** The same on a product. We can't look up the kind of another agent's format, so the product may say it. */
export const ProductFormatRef = ruled(object({ ...reference, "format_kind?": FormatKind }), ...hasBothSides)
export type ProductFormatRef = Static<typeof ProductFormatRef>

/** A reference as buyers see it. */
export type PublicRef = FormatRef & { readonly agent_url: string }

/** The reference with its agent_url. Every spelling of our own address becomes the same one. */
export function publicRef({ id, agent_url, width, height, duration_ms }: FormatRef, agentUrl: string): PublicRef {
  const isOwn = agent_url === undefined || canonicalUrl(agent_url) === canonicalUrl(agentUrl)
  return {
    agent_url: isOwn ? agentUrl : agent_url,
    id,
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(duration_ms !== undefined && { duration_ms }),
  }
}

/** Equal references have equal keys. */
export const refKey = (ref: FormatRef, agentUrl: string): string => {
  const { agent_url, id, width = 0, height = 0, duration_ms = 0 } = publicRef(ref, agentUrl)
  return `${canonicalUrl(agent_url)} ${id} ${width}x${height} ${duration_ms}`
}

export const haveSameParameters = (a: FormatRef, b: FormatRef): boolean =>
  a.width === b.width && a.height === b.height && a.duration_ms === b.duration_ms

/** Whether a reference names a format. An ID without a size or duration matches every one, on either side. */
export function namesSameFormat(a: FormatRef, b: FormatRef, agentUrl: string): boolean {
  if (a.id !== b.id || canonicalUrl(a.agent_url ?? agentUrl) !== canonicalUrl(b.agent_url ?? agentUrl)) return false
  const isSize = a.width === undefined || b.width === undefined || (a.width === b.width && a.height === b.height)
  return isSize && (a.duration_ms === undefined || b.duration_ms === undefined || a.duration_ms === b.duration_ms)
}

/** With the host in lower case, and without a default port or an empty path. */
export const canonicalUrl = (url: string): string => URL.parse(url)?.href ?? url
