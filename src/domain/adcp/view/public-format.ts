import { type Canonical, canonicalOf } from "../catalogue/canonical.ts"
import { unacceptedParameters } from "../catalogue/references.ts"
import type { CreativeFormat } from "../schema/creative-format.ts"
import { canonicalUrl, type FormatRef, haveSameParameters, type PublicRef, publicRef } from "../schema/format-ref.ts"

/** A format as buyers see it: our own references have this agent's URL. */
export interface PublicFormat extends Omit<CreativeFormat, "format_id" | "canonical"> {
  readonly format_id: PublicRef
  readonly canonical: Canonical
}

export function publicFormat(format: CreativeFormat, agentUrl: string): PublicFormat {
  const { input_format_ids: inputs, output_format_ids: outputs } = format
  const { format_shape: _, ...canonical } = canonicalOf(format)
  return {
    ...format,
    canonical,
    ...(inputs !== undefined && { input_format_ids: inputs.map((ref) => publicRef(ref, agentUrl)) }),
    ...(outputs !== undefined && { output_format_ids: outputs.map((ref) => publicRef(ref, agentUrl)) }),
    format_id: publicRef(format.format_id, agentUrl),
  }
}

/** The format that a reference names. A template gets the parameters of the reference in its format_id. */
export function resolveFormat(
  formats: readonly PublicFormat[],
  ref: FormatRef,
  agentUrl: string,
): PublicFormat | undefined {
  const agent = canonicalUrl(ref.agent_url ?? agentUrl)
  const named = formats.filter(
    ({ format_id }) => format_id.id === ref.id && canonicalUrl(format_id.agent_url) === agent,
  )
  const exact = named.find(({ format_id }) => haveSameParameters(format_id, ref))
  if (exact !== undefined) return exact
  const template = named.find((format) => unacceptedParameters(ref, format).length === 0)
  if (template === undefined) return undefined
  const parameters = publicRef({ ...ref, agent_url: template.format_id.agent_url }, agentUrl)
  return { ...template, format_id: { ...template.format_id, ...parameters } }
}
