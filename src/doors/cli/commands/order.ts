import { amountNow, stateAt, termsNow } from "../../../domain/sale/order.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { Order } from "../../../storage/port/store.ts"
import { type Answer, describes, group, lists, onData } from "../command.ts"
import { asJson, type List, timeColumn } from "../output/table.ts"

const ORDERS: List<Order> = {
  columns: [
    { title: "ID", value: ({ id }) => id },
    { title: "STATE", value: ({ state }) => state },
    { title: "PRODUCT", value: ({ productId }) => productId, shrinks: true },
    { title: "FROM", value: ({ requester }) => requester.organization, shrinks: true },
    { title: "FIRST DAY", json: "first_day", value: (order) => termsNow(order).from, optional: 3 },
    { title: "LAST DAY", json: "last_day", value: (order) => termsNow(order).to, optional: 3 },
    { title: "QUANTITY", value: (order) => termsNow(order).quantity, isFigure: true, optional: 2 },
    { title: "AMOUNT", value: amountNow, isFigure: true },
    { title: "CURRENCY", value: ({ priced }) => priced.currency, optional: 1 },
    timeColumn("ASKED", ({ askedAt }) => askedAt, { optional: 4 }),
  ],
  empty: "No orders yet.",
}

const LIST = onData("list", "list the latest orders, newest first", {
  examples: [["order list"], ["order list --json"]],
  async run({ store, clock }) {
    const all = (await store.orders.list(null)).map((order) => ({ ...order, state: stateAt(order, clock()) }))
    return lists(all, ORDERS)
  },
})

const SHOW = onData("show <ID>", "show one order", {
  examples: [["order show 0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"]],
  async run({ store, clock }, id: string) {
    const found = await store.orders.find(null, id)
    if (found === null) throw new UserError(`There is no order "${id}". "adbooth order list" lists them.`)
    return describesOrder({ ...found, state: stateAt(found, clock()) })
  },
})

function describesOrder(order: Order): Answer {
  const { id, state, requester, asked, offered, message, packageId, priced, product } = order
  const { from, to, quantity, price, territories } = termsNow(order)
  const { organization, name, email, creative, note } = requester
  const said = { name, email, creative, note, message, package_id: packageId }
  const json = { ...asJson(ORDERS, order), product_name: product.name, asked, offered, priced, ...said }
  return describes(json, [
    ["ID", id],
    ["State", state],
    ["Product", `${product.name} (${product.id})`],
    ["From", `${organization}: ${name}, ${email}`],
    ["Days", `${from} to ${to}`],
    ["Quantity", quantity === null ? null : `${quantity} ${priced.counted?.unit}`],
    ["Price", `${price} ${priced.currency}`],
    ["Amount", `${amountNow(order)} ${priced.currency}`],
    ["Countries", territories.join(", ")],
    ["Creative", creative || null],
    ["Note", note || null],
    ["Message", message || null],
    ["Line ID", packageId],
  ])
}

export const orderCommand = group("order", "show the orders that buyers placed", { below: [LIST, SHOW] })
