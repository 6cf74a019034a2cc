import { Webhook } from "standardwebhooks"

export const WEBHOOK_SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`

/** What a webhook got, with its signature checked. */
export interface ReceivedCall {
  readonly id: string
  readonly payload: {
    readonly type: string
    readonly text: string
    readonly alerts: readonly { readonly kind: string; readonly state: string; readonly url: string }[]
  }
}

export interface WebhookReceiver extends Disposable {
  readonly url: string
  readonly calls: readonly ReceivedCall[]
  /** What it answers from now on. */
  answer: () => Response
}

/** A receiver that checks signatures with the official library. Its clock is that of the test. */
export function startWebhook(now: () => number): WebhookReceiver {
  const calls: ReceivedCall[] = []
  const library = new Webhook(WEBHOOK_SECRET)
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const id = request.headers.get("webhook-id") ?? ""
      const seconds = Number(request.headers.get("webhook-timestamp"))
      // The library compares with the clock of this machine, which the test doesn't move.
      const signature = library.sign(id, new Date(seconds * 1_000), body)
      if (signature !== request.headers.get("webhook-signature")) return new Response("bad signature", { status: 401 })
      if (Math.abs(seconds - now() / 1_000_000) > 5) return new Response("bad time", { status: 401 })
      calls.push({ id, payload: JSON.parse(body) })
      return receiver.answer()
    },
  })
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${server.port}/hooks/secret-path`,
    calls,
    answer: () => new Response(),
    [Symbol.dispose]: () => void server.stop(true),
  }
  return receiver
}
