import { join } from "node:path"
import { createAgentKey } from "../../../../src/actions/keys/keys.ts"
import { makeOrderLink } from "../../../../src/actions/sale/order-links.ts"
import { plainProduct } from "../../../domain/adcp/schema/documents.ts"
import { saveProduct } from "../../../given.ts"
import type { TestApp } from "../../../harness.ts"
import { call } from "../../agent/buyer.ts"
import { givenPerson } from "../given.ts"

const BACKUP = "adbooth-20261101T000000Z.db"
let keys = 0

/** Something that exists for a part of an operator's path; undefined for a part that is not ours. */
export async function operatorValueFor(app: TestApp, part: string): Promise<string | undefined> {
  switch (part) {
    case ":slug":
      return "acme-audio"
    case ":user":
      return String(await givenPerson(app))
    case ":product":
      await saveProduct(app, { ...plainProduct, product_id: "visited" }, "test")
      return "visited"
    case ":link":
      await makeOrderLink(app, "visited", { label: "Guest", days: "30", territories: "*" }, "test")
      return String((await app.store.orderLinks.list("visited"))[0]?.id)
    case ":format":
      return "video_vast"
    case ":key":
      return (await createAgentKey(app, `Visited ${++keys}`, "test"))?.record.id
    case ":request":
      await call(app, "get_products", { brief: "podcasts in Poland" })
      await app.store.flushWriteBuffer()
      return String((await app.store.agentCallLog.after(0, 1))[0]?.id)
    case ":file":
      await Bun.write(join(app.config.data, "backups", BACKUP), "a copy")
      return BACKUP
    default:
      return undefined
  }
}
