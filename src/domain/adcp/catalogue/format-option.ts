import { type ProductFormatRef, publicRef } from "../schema/format-ref.ts"
import { canonicalOf } from "./canonical.ts"
import { customSchema, foreignSchema } from "./custom-schema.ts"
import { paramsOf } from "./format-params.ts"
import type { OwnFormats } from "./references.ts"

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
