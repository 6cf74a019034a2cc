import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { TestApp } from "../harness/app.ts"
import { type BrowsedPage, signIn } from "../harness/browser/browse.ts"
import { createSecret } from "../harness/inside.ts"
import { startSite } from "./given.ts"

/** Every byte that the server has stored. */
const stored = ({ config }: TestApp): string =>
  readdirSync(config.data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"))
    .join("")
    .toLowerCase()

test("a key that is pasted into a text is neither stored nor shown by the next page", async () => {
  await using site = await startSite()
  const { app, seller, open } = site
  const operate = await signIn(app, { isOperator: true })
  const key = createSecret()

  async function paste(page: BrowsedPage, changes: Record<string, string | File>): Promise<void> {
    const next = await page.send(changes)
    expect([next.path, next.status, next.html.includes(key)]).toEqual([next.path, 200, false])
  }
  await paste(await open(`${seller.home}/keys`), { label: `Ad server ${key}` })
  await paste(await open("/app/account/name"), { name: `Ada ${key}` })
  await paste(await open(`${seller.home}/people`), { name: `Ben ${key}`, email: "ben@example.com" })
  await paste(await open(`${seller.home}/settings`), { name: `Acme ${key}`, address: `Hafen ${key}` })
  await paste(await open(`${seller.campaign}/edit`), { name: `Spring ${key}` })
  await paste(await open(`${seller.campaign}/new-line`), { name: `Banner ${key}`, externalId: key })
  await paste(await open(`${seller.campaign}/share`), { label: `Buyer ${key}` })
  await paste(await operate("/app/operator/organizations"), { name: `Org ${key}`, slug: "org" })
  await paste(await operate("/app/operator/buyer-keys"), { label: `Agent ${key}` })
  await paste(await operate("/app/operator/agent-settings"), { contact: `Ask ${key}`, company: `Acme ${key}` })
  await paste(await open(`${seller.home}/upload`), { file: new File([`Line,${key}\n${key},5\n`], `${key}.csv`) })

  const refused = await (await open(`${seller.home}/people`)).send({ name: "Eve", email: `${key}@example.com` })
  expect(refused.status).toBe(422)
  expect(stored(app).includes(key.toLowerCase())).toBe(false)
})
