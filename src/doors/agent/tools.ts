import type { TSchema } from "@sinclair/typebox"
import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import { type AdcpAnswer, type Arguments, adcpError, failed } from "../../domain/adcp/tools/answer.ts"
import { ARGUMENTS_DEPTH_MAX, valuesIn } from "../../domain/adcp/tools/arguments.ts"
import { capabilitiesCore, getCapabilities } from "../../domain/adcp/tools/capabilities.ts"
import { MediaBuyDeliveryInput, noDelivery } from "../../domain/adcp/tools/get-media-buy-delivery.ts"
import { getProducts } from "../../domain/adcp/tools/get-products.ts"
import { GetProductsInput } from "../../domain/adcp/tools/get-products-input.ts"
import { CapabilitiesInput, ListCreativeFormatsInput } from "../../domain/adcp/tools/input.ts"
import { listCreativeFormats, noFormats } from "../../domain/adcp/tools/list-creative-formats.ts"
import { withoutKey } from "../../domain/keys/api-key.ts"
import { memoize } from "../../domain/memoize.ts"
import { isObject } from "../../domain/schema/batch.ts"
import { cutText } from "../../domain/text/short-text.ts"
import { type AnswerCache, answerCache, callKey } from "./answer-cache.ts"
import { type ToolAnswer, toolResult, withContext } from "./result.ts"
import type { RpcRequest } from "./rpc.ts"

/** What the caller may see, and the answer, which depends only on that and on the arguments. */
interface CallerView {
  readonly view: object
  readonly answer: (args: Arguments) => AdcpAnswer
}

interface Tool {
  readonly title: string
  readonly description: string
  readonly input: TSchema
  readonly viewFor: (views: AgentViews, agentKeyId: string | null) => Promise<CallerView | FreshView>
  /** Fields that the schema requires even in a failed answer. */
  readonly always: Record<string, unknown>
}

/** Read anew for each call: what it tells changes with every report. */
type FreshView = Readonly<{ read: (args: Arguments) => Promise<AdcpAnswer> }>

const viewWith = <View extends object>(
  view: View,
  answer: (view: View, args: Arguments) => AdcpAnswer,
): CallerView => ({
  view,
  answer: (args) => answer(view, args),
})

const EVERY_TOOL: Readonly<Record<string, Tool>> = {
  get_adcp_capabilities: {
    title: "AdCP capabilities",
    description:
      "Tells which AdCP version and which protocols this sales agent speaks, how it bills, and what it sells in " +
      "general. Call it first.",
    input: CapabilitiesInput,
    viewFor: async (views, agentKeyId) => viewWith(await views.capabilities(agentKeyId), getCapabilities),
    always: capabilitiesCore,
  },
  get_products: {
    title: "Products",
    description:
      "Lists the advertising products that you are shown, with prices, formats and territories. Describe the " +
      "campaign in `brief` to have them ranked. Without a buyer's key the list is empty, and `message` says whom to ask for one.",
    input: GetProductsInput,
    viewFor: async (views, agentKeyId) => viewWith(await views.products(agentKeyId), getProducts),
    always: {},
  },
  list_creative_formats: {
    title: "Creative formats",
    description:
      "Lists the creative formats that products take: sizes, files, lengths and texts. Public: no key is needed.",
    input: ListCreativeFormatsInput,
    viewFor: async (views, agentKeyId) => viewWith(await views.formats(agentKeyId), listCreativeFormats),
    always: noFormats,
  },
  get_media_buy_delivery: {
    title: "Delivery of media buys",
    description:
      "Tells what your campaigns (media buys) and their lines (packages) have delivered and what that is worth, as " +
      "their sellers reported it. Needs a buyer's key that acts for a buyer.",
    input: MediaBuyDeliveryInput,
    viewFor: async (views, agentKeyId) => ({ read: (args) => views.delivery(agentKeyId, args) }),
    always: noDelivery,
  },
}

const WITH_DELIVERY = new Map(Object.entries(EVERY_TOOL))
const TOOLS = new Map([...WITH_DELIVERY].filter(([name]) => name !== "get_media_buy_delivery"))

/** Without the database, those that are always there. */
const toolsOf = (views: Pick<AgentViews, "offersDelivery">) =>
  views.offersDelivery().then(
    (isOn) => (isOn ? WITH_DELIVERY : TOOLS),
    () => TOOLS,
  )

const LONG_PATTERN = 40

/** Leaves out what no model reads: limits that nobody reaches, and patterns that are longer than all that is said about them. */
function forModels(name: string, value: unknown): unknown {
  const isLimit = name === "maxLength" || name === "maxItems" || (name === "minItems" && value === 1)
  const isLong = name === "pattern" && typeof value === "string" && value.length > LONG_PATTERN
  return isLong || (isLimit && typeof value === "number") ? undefined : value
}

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export type ToolListing = ReturnType<typeof listingOf>

export const toolListings = async (views: Pick<AgentViews, "offersDelivery">): Promise<readonly ToolListing[]> =>
  [...(await toolsOf(views)).keys()].map(listingOf)

/** Made when somebody asks for it: the first call of a tool need not wait for all schemas to be copied. */
const listingOf = memoize(WITH_DELIVERY.size, (name: string) => {
  const { title, description, input } = WITH_DELIVERY.get(name) as Tool
  const inputSchema: object = JSON.parse(JSON.stringify(input, forModels))
  return { name, title, description, inputSchema, annotations: { title, ...annotations } }
})

interface CallInfo extends Pick<RpcRequest, "isLarge" | "isCut"> {
  readonly agentKeyId: string | null
}

type ToolParams = Readonly<{ name: string; arguments?: Arguments }>

/** Everything else in the params of a call is ignored: progress and tasks are not supported. */
export function isToolParams(params: unknown): params is ToolParams {
  if (!isObject(params) || typeof params["name"] !== "string") return false
  return params["arguments"] === undefined || isObject(params["arguments"])
}

const NAME_CHARACTERS_MAX = 60

/** What to do instead of calling a tool that there is not. */
export async function noSuchTool(name: string, views: AgentViews): Promise<string> {
  const names = [...(await toolsOf(views)).keys()].join(", ")
  const { orders } = await views.words()
  return `there is no tool "${cutText(withoutKey(name), NAME_CHARACTERS_MAX)}"; there are ${names}. ${orders}`
}

/** Calls tools by name; undefined for an unknown name. Errors on our side become answers too. */
export function toolCaller(views: AgentViews, log: ReportContext["log"]) {
  const cache = answerCache()
  return async (name: string, args: Arguments, info: CallInfo): Promise<ToolAnswer | undefined> => {
    const { agentKeyId, isLarge, isCut } = info
    const tool = TOOLS.get(name) ?? (await toolsOf(views)).get(name)
    if (tool === undefined) return undefined
    if (isCut) return answered(failed(tooMuch, {}, tool.always))
    if (isDeeper(args, ARGUMENTS_DEPTH_MAX)) return answered(failed(tooDeep, {}, tool.always))
    try {
      const view = await tool.viewFor(views, agentKeyId)
      if ("read" in view) return answered(await view.read(args))
      // Nobody sends the same long call twice.
      return isLarge ? answered(view.answer(args)) : answerCached(cache, name, view, args)
    } catch (cause) {
      log.error("tool failed", cause, { tool: name })
      const error = adcpError("SERVICE_UNAVAILABLE", "Something went wrong on our side.", { retry_after: 5 })
      return answered(failed(error, args, tool.always))
    }
  }
}

/** The cached answer to the same call, or a new one. A context of the wrong type is an error, which is not cached. */
function answerCached(cache: AnswerCache, name: string, { view, answer }: CallerView, args: Arguments): ToolAnswer {
  const { context, ...rest } = args
  if (context !== undefined && !isObject(context)) return answered(answer(args))
  const key = callKey(name, JSON.stringify(rest))
  const cached = key === undefined ? undefined : cache.get(view, key)
  const fresh = cached ?? answered(answer(rest))
  if (cached === undefined && key !== undefined && fresh.outcome === COMPLETED) cache.add(view, key, fresh)
  return { ...fresh, result: withContext(fresh.result, context) }
}

const COMPLETED = "completed"

function answered(answer: AdcpAnswer): ToolAnswer {
  const { code } = (answer.payload["adcp_error"] ?? {}) as { code?: string }
  return { result: toolResult(answer), outcome: code ?? COMPLETED, demand: answer.demand ?? null }
}

const tooMuch = adcpError("INVALID_REQUEST", "The arguments have too many values. Send fewer.")
// Deeper than anything in the protocol. Such arguments are not echoed either: serializing them could fail.
const tooDeep = adcpError("INVALID_REQUEST", `The arguments are nested deeper than ${ARGUMENTS_DEPTH_MAX} levels.`)

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || valuesIn(value).some((field) => isDeeper(field, levels - 1))
}
