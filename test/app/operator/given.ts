import { startApp, type TestApp, type TestAppOptions } from "../../harness/app.ts"
import { type Browse, signIn } from "../../harness/browser/browse.ts"
import { type GivenSeller, givenSeller } from "../given.ts"

export const PRODUCTS = "/app/operator/products"
export const BUYER_KEYS = "/app/operator/buyer-keys"
export const REQUESTS = "/app/operator/requests"
export const FORMATS = "/app/operator/formats"

/** A server with a seller, whose operator is signed in. */
export interface OperatorSite extends AsyncDisposable {
  readonly app: TestApp
  readonly seller: GivenSeller
  readonly open: Browse
}

export async function startOperator(options: TestAppOptions = {}): Promise<OperatorSite> {
  const app = await startApp(options)
  const seller = await givenSeller(app)
  const open = await signIn(app, { isOperator: true, name: "Olga" })
  return { app, seller, open, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}
