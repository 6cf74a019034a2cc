import type { TSchema } from "@sinclair/typebox"
import type { AgentViews } from "../../actions/agent-views.ts"
import type { ReportContext } from "../../actions/context.ts"
import { type Answer, failed } from "../../domain/adcp/answer.ts"
import { capabilitiesCore, getCapabilities } from "../../domain/adcp/capabilities.ts"
import { CapabilitiesInput } from "../../domain/adcp/capabilities-input.ts"
import { adcpError } from "../../domain/adcp/error.ts"
import { getProducts } from "../../domain/adcp/get-products.ts"
import { GetProductsInput } from "../../domain/adcp/get-products-input.ts"
import { listCreativeFormats, noFormats } from "../../domain/adcp/list-creative-formats.ts"
import { ListCreativeFormatsInput } from "../../domain/adcp/list-creative-formats-input.ts"
import type { Arguments, ToolListing } from "./mcp.ts"

interface Tool {
  readonly title: string
  readonly description: string
  readonly input: TSchema
  readonly answer: (views: AgentViews, agentKeyId: string | null, args: Arguments) => Promise<Answer>
}

const TOOLS: Readonly<Record<string, Tool>> = {
  get_adcp_capabilities: {
    title: "AdCP capabilities",
    description:
      "Tells which AdCP version and which protocols this sales agent speaks, how it bills, and what it sells in general. Call it first.",
    input: CapabilitiesInput,
    answer: async (views, _, args) => getCapabilities(await views.capabilities(), args),
  },
  get_products: {
    title: "Products",
    description:
      "Lists the advertising products that are open to you, with prices, formats and territories. Describe the campaign in " +
      "`brief` to have them ranked. Without an agent key the list is empty: ask the operator for one.",
    input: GetProductsInput,
    answer: async (views, agentKeyId, args) => getProducts(await views.products(agentKeyId), args),
  },
  list_creative_formats: {
    title: "Creative formats",
    description:
      "Lists the creative formats that products take: sizes, files, lengths and texts. Public, and the same for everybody.",
    input: ListCreativeFormatsInput,
    answer: async (views, _, args) => listCreativeFormats(await views.formats(), args),
  },
}

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The tools as tools/list shows them. A TypeBox schema already is JSON Schema. */
export const toolListings: readonly ToolListing[] = Object.entries(TOOLS).map(
  ([name, { title, description, input }]) => ({
    name,
    title,
    description,
    inputSchema: JSON.parse(JSON.stringify(input)),
    annotations: { title, ...annotations },
  }),
)

/** The answer of a tool, or undefined when there is none of this name. Whatever goes wrong on our side is an answer too. */
export async function callTool(
  views: AgentViews,
  log: ReportContext["log"],
  name: string,
  agentKeyId: string | null,
  args: Arguments,
): Promise<Answer | undefined> {
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  if (tool === undefined) return undefined
  if (isDeeper(args, ARGUMENTS_DEPTH_MAX)) return failed(tooDeep, {}, requiredOf(name))
  try {
    return await tool.answer(views, agentKeyId, args)
  } catch (cause) {
    log.error("tool failed", cause, { tool: name })
    const error = adcpError("SERVICE_UNAVAILABLE", "Something went wrong on our side.", { retry_after: 5 })
    return failed(error, args, requiredOf(name))
  }
}

// Deeper than anything that the protocol describes. Such arguments are not even echoed: writing them could fail.
const ARGUMENTS_DEPTH_MAX = 100
const tooDeep = adcpError("INVALID_REQUEST", `The arguments are nested deeper than ${ARGUMENTS_DEPTH_MAX} levels.`)

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((field) => isDeeper(field, levels - 1))
}

/** What the schema of a tool wants in a failed answer. */
function requiredOf(name: string): Record<string, unknown> {
  if (name === "list_creative_formats") return noFormats
  return name === "get_adcp_capabilities" ? capabilitiesCore : {}
}
