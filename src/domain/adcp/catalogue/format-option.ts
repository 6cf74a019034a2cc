import { hash } from "node:crypto"
import { type CreativeFormat, type ProductFormatRef, publicRef } from "../schema/creative-format.ts"
import { addressBeside } from "../text.ts"
import { canonicalOf, type OwnFormats } from "./format-names.ts"
import { paramsOf } from "./format-params.ts"

/** The ID under which the schema of formats that other agents define is published. */
export const FOREIGN_FORMAT_ID = "of_another_agent"

/** A JSON Schema as it's published, and how a custom format refers to it. */
interface PublishedSchema {
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

/** Declares a format of a product in AdCP's own terms. The newest official clients read nothing else. */
export interface FormatOption {
  readonly format_kind: string
  readonly format_option_id: string
  readonly display_name: string
  readonly params: object
  readonly v1_format_ref: readonly object[]
  readonly format_shape?: string
  readonly format_schema?: object
}

/** One option for each format, in the same order. */
export function formatOptions(refs: readonly ProductFormatRef[], own: OwnFormats, agentUrl: string): FormatOption[] {
  const taken = new Set<string>()
  return refs.map((ref) => {
    const format = ref.agent_url === undefined ? own.get(ref.id) : undefined
    const canonical = format === undefined ? null : canonicalOf(format)
    const kind = canonical?.kind ?? ref.format_kind ?? "custom"
    const id = freeId(idOf(ref), taken)
    taken.add(id)
    return {
      format_kind: kind,
      format_option_id: id,
      display_name: format?.name ?? ref.id,
      params: paramsOf(ref, format),
      v1_format_ref: [publicRef(ref, agentUrl)],
      ...(kind === "custom" && {
        format_shape: canonical?.format_shape ?? "of_another_agent",
        format_schema: (format === undefined ? foreignSchema(agentUrl) : customSchema(format, agentUrl)).reference,
      }),
    }
  })
}

const idOf = ({ id, width, height, duration_ms }: ProductFormatRef): string =>
  [id, ...(width === undefined ? [] : [`${width}x${height}`]), ...(duration_ms ? [`${duration_ms}ms`] : [])].join("_")

/** Formats of two agents may have the same ID. */
function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id
  for (let number = 2; taken.has(free); number++) free = `${id}_${number}`
  return free
}
