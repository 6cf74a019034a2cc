import { openOrderLink } from "../../../actions/sale/place-order.ts"
import { logoOf } from "../../../storage/organizations.ts"
import { logoResponse } from "../../assets.ts"
import { NotFound, type Visit } from "../../visit.ts"

export const orderLogoAddress = (token: string): string => `/order/${token}/logo`

/** The logo of the seller, for visitors of an order page. */
export async function orderLogo({ context, params }: Visit): Promise<Response> {
  const link = await openOrderLink(context, params["token"] ?? "")
  const logo = link?.seller == null ? null : await logoOf(context.database.read, link.seller.id)
  if (logo === null) throw new NotFound()
  return logoResponse(logo)
}
