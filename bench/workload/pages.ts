import type { BenchRequest } from "../load/requests-file.ts"
import { packageIds, SELLER } from "./lines.ts"

/** Pages that somebody of the seller looks through: the campaigns, one of them, some of its lines. */
export function pageRequests(cookie: string): BenchRequest[] {
  const campaign = `/app/o/${SELLER}/campaigns/autumn`
  const lines = packageIds.slice(0, 8).map((id) => `${campaign}/lines/${id}`)
  const paths = [`/app/o/${SELLER}/campaigns`, campaign, ...lines]
  return paths.map((path) => ({ method: "GET", path, headers: { Cookie: cookie }, body: "" }))
}
