import type { CreativeFormat } from "../schema/format/creative-format.ts"
import { type FormatRef, resolveRef } from "../schema/format/format-id.ts"

/** The public form of a format: our own references get this agent's address. */
export function emitFormat(format: CreativeFormat, agentUrl: string): CreativeFormat {
  const refs = (list: FormatRef[]) => list.map((ref) => resolveRef(ref, agentUrl))
  const { input_format_ids, output_format_ids, format_card, format_card_detailed, canonical_parameters } = format
  const links = canonical_parameters?.v1_format_ref
  return {
    ...format,
    format_id: resolveRef(format.format_id, agentUrl),
    ...(input_format_ids ? { input_format_ids: refs(input_format_ids) } : {}),
    ...(output_format_ids ? { output_format_ids: refs(output_format_ids) } : {}),
    ...(format_card ? { format_card: card(format_card, agentUrl) } : {}),
    ...(format_card_detailed ? { format_card_detailed: card(format_card_detailed, agentUrl) } : {}),
    ...(links ? { canonical_parameters: { ...canonical_parameters, v1_format_ref: refs(links) } } : {}),
  }
}

function card<Card extends { format_id: FormatRef }>(value: Card, agentUrl: string): Card {
  return { ...value, format_id: resolveRef(value.format_id, agentUrl) }
}
