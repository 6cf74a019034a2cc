import { hash } from "node:crypto"
import { addressBeside } from "../address-beside.ts"
import type { CreativeFormat } from "../schema/creative-format.ts"

/**
 * Describes a format that fits no kind of AdCP, as a JSON Schema of its parts. Buyers fetch it by the address in the
 * reference, which AdCP wants to begin with https.
 */
export function customSchema({ format_id, name, description, assets = [] }: CreativeFormat, agentUrl: string) {
  const parts = assets.map((asset) => {
    const isGroup = asset.item_type === "repeatable_group"
    const part = isGroup ? asset.asset_group_id : asset.asset_id
    const schema = isGroup ? { type: "array", minItems: asset.min_count, maxItems: asset.max_count } : {}
    return { part, schema: { title: isGroup ? part : asset.asset_type, ...schema }, isRequired: asset.required }
  })
  const text = JSON.stringify({
    $schema: "http://json-schema.org/draft-07/schema#",
    title: name,
    ...(description !== undefined && { description }),
    type: "object",
    properties: Object.fromEntries(parts.map(({ part, schema }) => [part, schema])),
    required: parts.filter(({ isRequired }) => isRequired).map(({ part }) => part),
  })
  const address = addressBeside(agentUrl).replace(/^http:/, "https:")
  return {
    text,
    reference: { uri: `${address}/formats/${format_id.id}.json`, digest: `sha256:${hash("sha256", text, "hex")}` },
  }
}
