import type { Product } from "../../domain/adcp/schema/product/product.ts"
import { PAGE_RESULTS_MAX } from "../../domain/adcp/tools/common-input.ts"
import { getProducts } from "../../domain/adcp/tools/get-products.ts"
import { agentViews } from "../catalogue/agent-views.ts"
import type { ReportContext } from "../context.ts"

export interface Preview {
  readonly id: string
  readonly label: string
  /** As get_products shows them to this key. */
  readonly products: readonly Product[]
}

// For an installation that has never run; the address only appears in format ids.
const NO_ADDRESS = "http://127.0.0.1:3000/"

/** Every product open to the active key with this id or prefix, ranked if there is a brief. Null without such a key. */
export async function previewAgentKey(
  context: Pick<ReportContext, "store" | "clock" | "log">,
  idOrPrefix: string,
  brief: string | undefined,
): Promise<Preview | null> {
  const keys = await context.store.agentKeys.list()
  const key = keys.find(
    ({ id, prefix, revokedAt }) => revokedAt === null && (id === idOrPrefix || prefix === idOrPrefix),
  )
  if (key === undefined) return null
  const address = (await context.store.settings.get("agent_address")) ?? NO_ADDRESS
  const view = await agentViews(context, { agentUrl: () => address, publishedDomains: [] }).products(key.id)
  const mode = brief === undefined ? { buying_mode: "wholesale" } : { buying_mode: "brief", brief }
  const products: Product[] = []
  let cursor: string | undefined
  do {
    const pagination = { max_results: PAGE_RESULTS_MAX, ...(cursor === undefined ? {} : { cursor }) }
    const { payload } = getProducts(view, { ...mode, pagination })
    products.push(...(payload["products"] as Product[]))
    cursor = (payload["pagination"] as { cursor?: string }).cursor
  } while (cursor !== undefined)
  return { id: key.id, label: key.label, products }
}
