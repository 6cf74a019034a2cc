import { hash } from "node:crypto"
import { addressBeside } from "../address-beside.ts"
import type { CreativeFormat } from "../schema/creative-format.ts"

/** The ID under which the schema of formats that other agents define is published. */
export const FOREIGN_FORMAT_ID = "of_another_agent"

/** A JSON Schema as it's published, and how a custom format refers to it. */
export interface PublishedSchema {
  readonly text: string
  readonly reference: { readonly uri: string; readonly digest: string }
}

/** Describes a format that fits no kind of AdCP by its parts. Buyers fetch it by the address in the reference. */
export function customSchema(format: CreativeFormat, agentUrl: string): PublishedSchema {
  const { format_id, name, description, assets = [] } = format
  const parts = assets.map((asset) => {
    const isGroup = asset.item_type === "repeatable_group"
    const part = isGroup ? asset.asset_group_id : asset.asset_id
    const schema = isGroup ? { type: "array", minItems: asset.min_count, maxItems: asset.max_count } : {}
    return { part, schema: { title: isGroup ? part : asset.asset_type, ...schema }, isRequired: asset.required }
  })
  return published(format_id.id, agentUrl, {
    title: name,
    ...(description !== undefined && { description }),
    type: "object",
    properties: Object.fromEntries(parts.map(({ part, schema }) => [part, schema])),
    required: parts.filter(({ isRequired }) => isRequired).map(({ part }) => part),
  })
}

/** We don't know another agent's format, unless the product says its kind. */
export const foreignSchema = (agentUrl: string): PublishedSchema =>
  published(FOREIGN_FORMAT_ID, agentUrl, {
    title: "A format of another agent",
    description: "The agent that v1_format_ref names defines it.",
    type: "object",
  })

/** AdCP wants the address to begin with https. */
function published(id: string, agentUrl: string, schema: object): PublishedSchema {
  const text = JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", ...schema })
  const address = addressBeside(agentUrl).replace(/^http:/, "https:")
  return {
    text,
    reference: { uri: `${address}/formats/${id}.json`, digest: `sha256:${hash("sha256", text, "hex")}` },
  }
}
