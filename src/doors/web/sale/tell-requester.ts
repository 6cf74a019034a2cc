import { orderPath } from "../../../actions/sale/order-links.ts"
import type { Order } from "../../../storage/port/store.ts"
import type { Visit } from "../visit.ts"

/** What a requester is told by mail: fixed words and the address of the order's page, nothing that somebody typed. */
const WORDS = {
  received: ["We received your order", "Your order has arrived. You’ll see the answer on this page, and get an email."],
  answered: ["There is an answer to your order", "Your order was answered. This page shows the answer."],
} as const

/** Mails the requester where mail is set up. Nobody waits for it, and it never fails what was done. */
export function tellRequester(visit: Visit, order: Order, what: keyof typeof WORDS): void {
  const [subject, text] = WORDS[what]
  const send = async () => {
    if ((await visit.context.mail.place()) === null) return
    const path = await orderPath(visit.context, order)
    if (path === null) return
    await visit.context.mail.send({ to: order.requester.email, subject, text: `${text}\n\n${visit.origin}${path}\n` })
  }
  send().catch((cause: unknown) => visit.context.log.error("order mail not sent", cause))
}
