import { requesterPath } from "../../../actions/sale/order-links.ts"
import type { Order } from "../../../storage/port/store.ts"
import { sellerWithLogo } from "../outside/seller-with-logo.ts"
import type { Visit } from "../visit.ts"

/** What a requester is told by mail: the seller, fixed words and the address of the order's page, nothing that a stranger typed. */
const MAILS = {
  received: "Your order has arrived. You’ll see the answer on this page, and get an email.",
  answered: "Your order was answered. This page shows the answer.",
}

/** Mails the requester where mail is set up. Nobody waits for it, and it never fails what was done. */
export function tellRequester(visit: Visit, order: Order, did: keyof typeof MAILS): void {
  const { mail, log, mailOrigin } = visit.context
  const origin = visit.person === null ? mailOrigin(visit.url) : visit.origin
  const send = async () => {
    const path = (await mail.inForce()) && (await requesterPath(visit.context, order))
    if (path === null) return
    const seller = await sellerWithLogo(visit, order.sellerId)
    const subject = `${seller?.name ?? "We"} ${did} your order`
    await mail.send({ to: order.requester.email, subject, text: `${MAILS[did]}\n\n${origin}${path}\n` })
  }
  send().catch((cause: unknown) => log.error("order mail not sent", cause))
}
