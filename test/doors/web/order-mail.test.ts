import { expect, test } from "bun:test"
import { mailServer } from "../../jobs/alerts/mail-server.ts"
import { givenPerson } from "./given.ts"
import { givenOrder, LIGHTHOUSE, startShop } from "./given-sale.ts"
import { signedIn } from "./visitor.ts"

const HOSTILE = {
  organization: "Win <b>money</b>",
  name: "Visit https://evil.example",
  note: "Buy pills at evil.example",
}

test("a requester is mailed a receipt and then that there is an answer, in fixed words without what anybody typed", async () => {
  await using mail = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] })
  await using shop = await startShop()
  const olga = await signedIn(shop, await givenPerson(shop, { isOperator: true }))
  await olga.post("/app/operator/system/mail", {
    ...{ host: "127.0.0.1", port: String(mail.port), tls: "none", user: "", password: "" },
    ...{ from: "ads@example.org", from_name: "Lighthouse Audio", to: "ada@example.org" },
  })
  const host = "203.0.113.9"
  const page = await givenOrder(shop, HOSTILE, { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" })
  await mail.arrived(2)
  const [order] = await shop.store.orders.list(null)
  await olga.post(`/app/o/${LIGHTHOUSE}/orders/${order?.id}/decline`, { message: "Sorry, evil.example is full." })
  await mail.arrived(3)
  const [, receipt, answer] = mail.received.map(({ to, text }) => ({ to, text: text.replaceAll("=\r\n", "") }))
  expect(receipt).toMatchObject({ to: ["lena.vogt@fernweh.example"] })
  expect(receipt?.text).toContain("Subject: Lighthouse Audio received your order")
  expect(answer?.text).toContain("Subject: Lighthouse Audio answered your order")
  for (const sent of [receipt, answer]) {
    expect(sent?.text.replaceAll("=3D", "=")).toContain(`${shop.url}${page}`)
    expect(sent?.text).not.toMatch(/evil|money|pills|full|203\.0\.113/)
  }
})
