import { agentViews } from "../actions/catalogue/views.ts"
import type { Context } from "../actions/context.ts"
import type { Arguments } from "../domain/adcp/tools/answer.ts"
import { listCreativeFormats } from "../domain/adcp/tools/list-creative-formats.ts"
import type { FormatView } from "../domain/adcp/view/format-view.ts"
import { modernResult } from "./modern.ts"
import { toolResult } from "./tools.ts"

const keptResults = new WeakMap<FormatView, { older?: Uint8Array; modern?: Uint8Array }>()

export const isWholeCatalogue = (tool: string, args: Arguments): boolean =>
  tool === "list_creative_formats" && Object.keys(args).length === 0

/** The result of `list_creative_formats` without arguments as JSON. Callers ask for it again and again, so it's kept as long as the view. */
export async function wholeCatalogue(
  context: Context,
  buyerKeyId: string | null,
  isModern: boolean,
): Promise<Uint8Array> {
  const { formats } = await agentViews(context).of(buyerKeyId)
  const kept = keptResults.get(formats) ?? {}
  keptResults.set(formats, kept)
  const era = isModern ? "modern" : "older"
  const result = () => toolResult(listCreativeFormats(formats, {}))
  kept[era] ??= Buffer.from(JSON.stringify(isModern ? modernResult(result()) : result()))
  return kept[era]
}
