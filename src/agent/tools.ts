import type { TSchema } from "@sinclair/typebox"
import { buyerDelivery } from "../actions/catalogue/buyer-delivery.ts"
import { agentViews } from "../actions/catalogue/views.ts"
import type { Context } from "../actions/context.ts"
import { MediaBuyDeliveryInput, NO_DELIVERY } from "../domain/adcp/delivery/get-media-buy-delivery.ts"
import { cutText } from "../domain/adcp/text.ts"
import { type AdcpAnswer, AdcpError, type Arguments, failed } from "../domain/adcp/tools/answer.ts"
import { CAPABILITIES_CORE, CapabilitiesInput, getCapabilities } from "../domain/adcp/tools/capabilities.ts"
import { getProducts } from "../domain/adcp/tools/get-products.ts"
import {
  ListCreativeFormatsInput,
  listCreativeFormats,
  NO_FORMATS,
} from "../domain/adcp/tools/list-creative-formats.ts"
import { GetProductsInput } from "../domain/adcp/tools/products-input.ts"
import { maskKeys } from "../domain/api-key.ts"

interface Tool {
  readonly title: string
  readonly description: string
  readonly input: TSchema
  /** What the response schema wants even in a failed answer. */
  readonly required: object
  readonly answer: (context: Context, buyerKeyId: string | null, args: Arguments) => Promise<AdcpAnswer>
}

const DELIVERY = "get_media_buy_delivery"

const TOOLS: Readonly<Record<string, Tool>> = {
  get_adcp_capabilities: {
    title: "AdCP capabilities",
    description:
      "Says which AdCP version and protocols this sales agent supports, how it bills, and what it sells in " +
      "general. Call it first.",
    input: CapabilitiesInput,
    required: CAPABILITIES_CORE,
    answer: async (context, buyerKeyId, args) =>
      getCapabilities((await agentViews(context).of(buyerKeyId)).capabilities, args),
  },
  get_products: {
    title: "Products",
    description:
      "Lists the advertising products that you are shown, with prices, formats and territories. Describe the " +
      "campaign in `brief` to get the best matches first. Without a buyer key the list is empty, and `message` says " +
      "whom to ask for one.",
    input: GetProductsInput,
    required: {},
    answer: async (context, buyerKeyId, args) => getProducts((await agentViews(context).of(buyerKeyId)).products, args),
  },
  list_creative_formats: {
    title: "Creative formats",
    description:
      "Lists the creative formats that products take: sizes, files, lengths and texts. Public: no key is needed.",
    input: ListCreativeFormatsInput,
    required: NO_FORMATS,
    answer: async (context, buyerKeyId, args) =>
      listCreativeFormats((await agentViews(context).of(buyerKeyId)).formats, args),
  },
  [DELIVERY]: {
    title: "Delivery of media buys",
    description:
      "Tells what your campaigns (media buys) and their lines (packages) have delivered and what that is worth, as " +
      "their sellers reported it. Needs a buyer key that acts for a buyer.",
    input: MediaBuyDeliveryInput,
    required: NO_DELIVERY,
    answer: buyerDelivery,
  },
}

const offersDelivery = (context: Context): Promise<boolean> =>
  agentViews(context)
    .catalogue()
    .then(
      (catalogue) => catalogue.offersDelivery,
      () => false,
    )

export interface ToolListing {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: object
}

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const PATTERN_MAX = 40

/** Leaves out what no model reads: large limits, and patterns that are longer than their descriptions. */
function withoutLimits(name: string, value: unknown): unknown {
  const isLimit = name === "maxLength" || name === "maxItems" || (name === "minItems" && value === 1)
  const isLong = name === "pattern" && typeof value === "string" && value.length > PATTERN_MAX
  return isLong || (isLimit && typeof value === "number") ? undefined : value
}

const LISTINGS = Object.entries(TOOLS).map(([name, { title, description, input }]): ToolListing => {
  const inputSchema: object = JSON.parse(JSON.stringify(input, withoutLimits))
  return { name, title, description, inputSchema, annotations: { title, ...ANNOTATIONS } }
})

/** The tools that this server offers. Without the database, those that are always there. */
export async function toolListings(context: Context): Promise<readonly ToolListing[]> {
  const delivers = await offersDelivery(context)
  return LISTINGS.filter(({ name }) => name !== DELIVERY || delivers)
}

/** Calls a tool. Null if this server doesn't offer it. A failure on our side becomes an answer as well. */
export async function callTool(
  context: Context,
  buyerKeyId: string | null,
  name: string,
  args: Arguments,
): Promise<AdcpAnswer | null> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  if (tool === undefined || (name === DELIVERY && !(await offersDelivery(context)))) return null
  try {
    return await tool.answer(context, buyerKeyId, args)
  } catch (cause) {
    if (cause instanceof AdcpError) return failed(cause, args, tool.required)
    context.log.error("tool failed", cause, { tool: name })
    const error = new AdcpError("SERVICE_UNAVAILABLE", "Something went wrong on our side.", { retry_after: 5 })
    return failed(error, args, tool.required)
  }
}

const NAME_CHARACTERS_MAX = 60

/** What to do instead of calling a tool that doesn't exist. */
export async function unknownTool(context: Context, name: string): Promise<string> {
  const names = (await toolListings(context)).map((tool) => tool.name).join(", ")
  const { sentences } = await agentViews(context).catalogue()
  return `there is no tool "${cutText(maskKeys(name), NAME_CHARACTERS_MAX)}"; there are ${names}. ${sentences.orders}`
}

/** The result of MCP: the answer as structured content, and as text for people and simple hosts. */
export function toolResult({ outcome, payload, lines }: AdcpAnswer): object {
  const isError = outcome !== "completed"
  const texts = isError ? errorTexts(payload) : [[payload["message"], ...lines].join("\n")]
  const content = texts.map((text) => ({ type: "text", text }))
  return { content, ...(isError && { isError }), structuredContent: payload }
}

/** An error twice: as the JSON that AdCP's clients look for, and in words. */
function errorTexts({ adcp_error, message }: AdcpAnswer["payload"]): string[] {
  const { suggestion } = adcp_error as { suggestion?: string }
  return [JSON.stringify({ adcp_error }), [message, suggestion].filter((text) => text !== undefined).join(" ")]
}
