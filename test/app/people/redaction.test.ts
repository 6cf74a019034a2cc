import { expect, test } from "bun:test"
import { startApp, type TestApp } from "../../harness/app.ts"
import { browse, signIn } from "../../harness/browser/browse.ts"
import {
  createCampaign,
  createKey,
  createOrganization,
  createUser,
  ROUTES,
  reportDelivery,
} from "../../harness/inside.ts"
import { type GivenSeller, givenLine, givenSeller } from "../given.ts"

// Everything that only the seller's own people may know carries this word, which no random secret has.
const MARK = "zqxvjwkq"

/** A seller with a colleague, a key, another buyer's campaign and reports in it, all marked. */
async function givenMarkedSeller(app: TestApp) {
  const seller = await givenSeller(app)
  const person = { email: `${MARK}@example.com`, name: `${MARK} Staff`, isOperator: false, passwordHash: null }
  await createUser(app, "test", { ...person, seat: { organizationId: seller.id, role: "admin" } })
  await createKey(app, "test", { organizationId: seller.id, label: `${MARK} key` })
  const rival = { slug: `${MARK}-rival`, name: `${MARK} Rival`, timeZone: "UTC" }
  const buyerId = await createOrganization(app, rival)
  const campaign = { slug: `${MARK}-campaign`, name: `${MARK} Campaign`, buyerId, ownerId: seller.id }
  const campaignId = await createCampaign(app, campaign)
  const packageId = await givenLine(app, { id: seller.id, campaignId }, { name: `${MARK} Line` })
  const open = await givenLine(app, seller)
  const items = [packageId, open].map((package_id) => ({ package_id, impressions: 77, as_of: "2026-11-10" }))
  const source = { kind: "form", reference: MARK, actor: MARK } as const
  await reportDelivery(app, { sellerId: seller.id, source }, items, { isDryRun: false })
  return { seller, packageId, open }
}

/** Addresses of every page, with the records of the buyer and with those of the seller. */
function addresses({ packageId, open }: { readonly packageId: string; readonly open: string }): readonly string[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    ":org": ["acme", "acme-buyer", `${MARK}-rival`],
    ":campaign": ["acme-spring", `${MARK}-campaign`],
    ":line": [open, packageId],
  }
  const filled = (path: string): readonly string[] => {
    const part = /:\w+/.exec(path)?.[0]
    if (part === undefined) return [path]
    return (values[part] ?? ["1"]).flatMap((value) => filled(path.replace(part, value)))
  }
  return ROUTES.filter(([method]) => method === "GET").flatMap(([, path]) => filled(path))
}

async function shareLink(app: TestApp, seller: GivenSeller): Promise<string> {
  const open = await signIn(app, { organization: seller })
  const shown = await (await open(`${seller.campaign}/share`)).send({ label: `${MARK} share` })
  return /\/app\/share\/[\w-]+/.exec(shown.html)?.[0] ?? ""
}

test("people of a buyer, a rival's admin and a stranger see nothing that only the seller may know", async () => {
  await using app = await startApp()
  const market = await givenMarkedSeller(app)
  const rival = await givenSeller(app, "rival")
  const buyerAdmin = await signIn(app, { organization: { id: market.seller.buyerId } })
  const buyerMember = await signIn(app, { organization: { id: market.seller.buyerId }, role: "member" })
  const visitors = [buyerAdmin, buyerMember, await signIn(app, { organization: rival }), browse(app)]
  for (const open of visitors) {
    for (const path of addresses(market)) {
      const { html, status } = await open(path)
      // Our own address may be repeated: whoever asks knows it.
      const shown = html
        .replaceAll(path, "")
        .replaceAll(encodeURIComponent(path), "")
        .replaceAll(path.split("/")[3] ?? "", "")
      expect([path, status < 500, shown.includes(MARK)]).toEqual([path, true, false])
    }
  }
  expect((await buyerAdmin("/app/o/acme-buyer/campaigns")).text).toContain("Spring")
})

test("a shared campaign shows the seller's lines in it, and nothing else of the seller", async () => {
  await using app = await startApp()
  const market = await givenMarkedSeller(app)
  const link = await shareLink(app, market.seller)
  for (const path of [link, `${link}/lines.csv`]) {
    const { html, status } = await browse(app)(path)
    expect([path, status, html.includes("Pre-roll"), html.includes(MARK)]).toEqual([path, 200, true, false])
  }
})

test("an address doesn't reveal whether another company's record exists", async () => {
  await using app = await startApp()
  const market = await givenMarkedSeller(app)
  const rival = await signIn(app, { organization: await givenSeller(app, "rival") })
  const pairs = [
    ["/app/o/acme", "/app/o/nobody"],
    ["/app/o/acme/campaigns/acme-spring", "/app/o/nobody/campaigns/acme-spring"],
    [`/app/o/rival/campaigns/${MARK}-campaign`, "/app/o/rival/campaigns/nothing"],
    [`/app/o/rival/campaigns/rival-spring/lines/${market.packageId}`, "/app/o/rival/campaigns/rival-spring/lines/0"],
    ["/app/o/acme/people", "/app/o/nobody/people"],
  ] as const
  for (const [theirs, missing] of pairs) {
    const [first, second] = [await rival(theirs), await rival(missing)]
    expect([theirs, first.status]).toEqual([theirs, 404])
    expect(first.text).toBe(second.text)
  }
})
