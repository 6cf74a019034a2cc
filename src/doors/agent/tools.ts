import type { TSchema } from "@sinclair/typebox"
import type { AgentViews } from "../../actions/catalogue/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import { ARGUMENTS_DEPTH_MAX } from "../../domain/adcp/credentials.ts"
import { type Answer, failed } from "../../domain/adcp/tools/answer.ts"
import { capabilitiesCore, getCapabilities } from "../../domain/adcp/tools/capabilities.ts"
import { CapabilitiesInput } from "../../domain/adcp/tools/capabilities-input.ts"
import { adcpError } from "../../domain/adcp/tools/error.ts"
import { getProducts } from "../../domain/adcp/tools/get-products.ts"
import { GetProductsInput } from "../../domain/adcp/tools/get-products-input.ts"
import { listCreativeFormats, noFormats } from "../../domain/adcp/tools/list-creative-formats.ts"
import { ListCreativeFormatsInput } from "../../domain/adcp/tools/list-creative-formats-input.ts"
import { isObject } from "../../domain/schema/batch.ts"
import { type AnswerCache, answerCache, questionOf } from "./answer-cache.ts"
import type { Arguments, ToolListing } from "./mcp.ts"
import { type ToolResult, toolResult, withContext } from "./result.ts"

/** What the caller may see, and the answer that depends on it and on the arguments alone. */
interface Sight {
  readonly view: object
  readonly answer: (args: Arguments) => Answer
}

interface Tool {
  readonly title: string
  readonly description: string
  readonly input: TSchema
  readonly look: (views: AgentViews, agentKeyId: string | null) => Promise<Sight>
  /** What the schema of the tool wants in a failed answer too. */
  readonly always: Record<string, unknown>
}

function sight<View extends object>(view: View, answer: (view: View, args: Arguments) => Answer): Sight {
  return { view, answer: (args) => answer(view, args) }
}

const TOOLS = new Map<string, Tool>([
  [
    "get_adcp_capabilities",
    {
      title: "AdCP capabilities",
      description:
        "Tells which AdCP version and which protocols this sales agent speaks, how it bills, and what it sells in " +
        "general. Call it first.",
      input: CapabilitiesInput,
      look: async (views) => sight(await views.capabilities(), getCapabilities),
      always: capabilitiesCore,
    },
  ],
  [
    "get_products",
    {
      title: "Products",
      description:
        "Lists the advertising products that are open to you, with prices, formats and territories. Describe the " +
        "campaign in `brief` to have them ranked. Without an agent key the list is empty: ask the operator for one.",
      input: GetProductsInput,
      look: async (views, agentKeyId) => sight(await views.products(agentKeyId), getProducts),
      always: {},
    },
  ],
  [
    "list_creative_formats",
    {
      title: "Creative formats",
      description:
        "Lists the creative formats that products take: sizes, files, lengths and texts. Public, and the same for " +
        "everybody.",
      input: ListCreativeFormatsInput,
      look: async (views) => sight(await views.formats(), listCreativeFormats),
      always: noFormats,
    },
  ],
])

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The tools as tools/list shows them. A TypeBox schema already is JSON Schema. */
export const toolListings: readonly ToolListing[] = [...TOOLS].map(([name, { title, description, input }]) => ({
  name,
  title,
  description,
  inputSchema: JSON.parse(JSON.stringify(input)),
  annotations: { title, ...annotations },
}))

export interface ToolAnswer {
  readonly result: ToolResult
  /** For the call log: completed, or the code of the error. */
  readonly outcome: string
}

/** What else there is to know about the arguments of a call. */
export interface Asked {
  readonly agentKeyId: string | null
  readonly isLarge: boolean
  readonly isCut: boolean
}

export type ToolCaller = (name: string, args: Arguments, asked: Asked) => Promise<ToolAnswer | undefined>

/** Calls tools by name; undefined when there is none of a name. Whatever goes wrong on our side is an answer too. */
export function toolCaller(views: AgentViews, log: ReportContext["log"]): ToolCaller {
  const kept = answerCache()
  return async (name, args, { agentKeyId, isLarge, isCut }) => {
    const tool = TOOLS.get(name)
    if (tool === undefined) return undefined
    if (isCut) return written(failed(tooMuch, {}, tool.always))
    if (isDeeper(args, ARGUMENTS_DEPTH_MAX)) return written(failed(tooDeep, {}, tool.always))
    try {
      const sight = await tool.look(views, agentKeyId)
      return isLarge ? answerLarge(sight, args) : answerOnce(kept, name, sight, args)
    } catch (cause) {
      log.error("tool failed", cause, { tool: name })
      const error = adcpError("SERVICE_UNAVAILABLE", "Something went wrong on our side.", { retry_after: 5 })
      return written(failed(error, args, tool.always))
    }
  }
}

/** The kept answer to the same question, or a new one. A context of the wrong type is a question of its own. */
function answerOnce(kept: AnswerCache, name: string, { view, answer }: Sight, args: Arguments): ToolAnswer {
  const { context, ...asked } = args
  if (context !== undefined && !isObject(context)) return written(answer(args))
  const question = questionOf(name, asked)
  const known = question === undefined ? undefined : kept.get(view, question)
  if (known !== undefined) return { result: withContext(known, context), outcome: COMPLETED }
  const { result, outcome } = written(answer(asked))
  if (question !== undefined && outcome === COMPLETED) kept.keep(view, question, result)
  return { result: withContext(result, context), outcome }
}

/** Nobody asks the same long question twice. */
function answerLarge({ answer }: Sight, args: Arguments): ToolAnswer {
  return written(answer(args))
}

const COMPLETED = "completed"

function written(answer: Answer): ToolAnswer {
  const { code } = (answer.payload["adcp_error"] ?? {}) as { code?: string }
  return { result: toolResult(answer), outcome: code ?? COMPLETED }
}

const tooMuch = adcpError("INVALID_REQUEST", "The arguments hold too many values. Ask for less at a time.")
// Deeper than anything that the protocol describes. Such arguments are not even echoed: writing them could fail.
const tooDeep = adcpError("INVALID_REQUEST", `The arguments are nested deeper than ${ARGUMENTS_DEPTH_MAX} levels.`)

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((field) => isDeeper(field, levels - 1))
}
