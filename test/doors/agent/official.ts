import type { Tool } from "../../domain/adcp/schema/answers.ts"
import { startApp } from "../../harness.ts"
import { givenBuyers, givenProduct } from "./buyer.ts"

export const TOOLS: Tool[] = ["get_adcp_capabilities", "get_products", "list_creative_formats"]
export const callers = ["anonymous", "keyed"] as const

/** A seller with a product that is opened to one key. */
export async function givenOfficial(caller: (typeof callers)[number]) {
  const app = await startApp()
  const { Buyer } = await givenBuyers(app, [givenProduct("p")], { Buyer: { p: ["DE"] } })
  return { app, key: caller === "keyed" ? Buyer : undefined, expected: caller === "keyed" ? 1 : 0 }
}
