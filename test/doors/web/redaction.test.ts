import { describe, expect, test } from "bun:test"
import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { createAgentKey, createIngestKey } from "../../../src/actions/keys/keys.ts"
import { createUser } from "../../../src/actions/people/users.ts"
import { viewerOf } from "../../../src/domain/delivery/line-viewer.ts"
import { routes } from "../../../src/doors/web/routes.ts"
import { startApp, type TestApp } from "../../harness.ts"
import { crawl } from "./crawl.ts"
import { givenMarket, givenPerson, LINE, OTHER_SELLERS_LINE } from "./given.ts"
import { reportLine } from "./report-anyway.ts"
import { reportText, uploadFile } from "./uploaded.ts"
import { signedIn, type Visitor, visitor } from "./visitor.ts"

// Everything that only the seller's own people may know carries this word. It is long enough not to occur in a random secret: three
// letters did, once in some hundred runs.
const MARK = "zqxvjwkq"
const marked = (what: string) => `${MARK}-${what}`
const isMarked = new RegExp(MARK, "i")
const withMark = new RegExp(`[^<>"\\n]{0,60}${MARK}[^<>"\\n]{0,60}`, "gi")
const SECRET_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a77"

interface Market {
  readonly seller: Visitor
  readonly keyId: string
  readonly sellerUserId: number
  readonly shareLink: string
}

/** A seller with staff, keys, files, share links and another buyer's campaign, all marked. */
async function givenMarkedMarket(app: TestApp): Promise<Market> {
  await givenMarket(app)
  const secret = {
    organizations: [{ slug: marked("rival"), name: marked("Rival") }],
    campaigns: [
      {
        slug: marked("campaign"),
        name: marked("Campaign"),
        buyer: marked("rival"),
        lines: [
          {
            package_id: SECRET_LINE,
            seller: "acme-audio",
            name: marked("Line"),
            pricing_basis: "impressions",
            flight_start: "2026-11-01",
          },
        ],
      },
    ],
  }
  expect((await importCatalogue(app, secret, "import")).ok).toBe(true)
  const acme = await app.store.organizations.findBySlug("acme-audio")
  const organization = { id: acme?.id ?? 0 }
  const membership = { organizationId: organization.id, role: "admin" } as const
  const staff = {
    email: `${marked("staff")}@example.com`,
    name: marked("Staff"),
    isOperator: false,
    passwordHash: null,
  }
  const userId = (await createUser(app, { ...staff, membership }, "test"))?.user.id ?? 0
  await createAgentKey(app, marked("agent key"), "test")
  const { record, secret: key } = await createIngestKey(app, organization, marked("key label"), "test")

  const seller = await signedIn(app, userId)
  const line = `/app/o/acme-audio/campaigns/autumn/lines/${LINE}`
  await byApi(app, key, [
    { package_id: LINE, impressions: 1_000, as_of: "2026-11-10" },
    { package_id: SECRET_LINE, impressions: 77 },
  ])
  await byApiCodes(app, key)
  await reportLine(seller, line, { impressions: "2000", as_of: "2026-11-11" })
  const text = `package_id,impressions,as_of\n${LINE},3000,2026-11-12\n`
  await reportText(seller, "delivery", text, marked("file.csv"))
  const shared = await seller.follow("/app/o/acme-audio/campaigns/autumn/share", { label: marked("share"), days: "30" })
  const shareLink = /\/app\/share\/[\w-]+/.exec(await shared.text())?.[0] ?? ""
  return { seller, keyId: record.id, sellerUserId: userId, shareLink }
}

function byApi(app: TestApp, key: string, items: readonly object[]): Promise<Response> {
  return send(app, key, "/api/ingest/delivery/metrics", { items })
}

async function byApiCodes(app: TestApp, key: string): Promise<void> {
  const rows = [
    { packageId: LINE, code: "AUTUMN10" },
    { packageId: SECRET_LINE, code: marked("CODE"), slug: marked("slug") },
  ]
  await send(app, key, "/api/ingest/affiliate/codes", { codes: rows })
  const metrics = rows.map(({ code }) => ({ code, date: "2026-11-12", clicks: 5 }))
  await send(app, key, "/api/ingest/affiliate/metrics", { metrics })
}

async function send(app: TestApp, key: string, path: string, body: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const answer = await app.fetch(path, { method: "POST", headers, body: JSON.stringify(body) })
  expect([path, answer.status]).toEqual([path, 200])
  return answer
}

/** Paths of every kind of page, with the buyer's organization or the seller's, and with what is the seller's own. */
function pathsToTry({ keyId, sellerUserId, shareLink }: Market): string[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    ":org": ["brand-co", "acme-audio", marked("rival")],
    ":campaign": ["autumn", marked("campaign")],
    ":package": [LINE, OTHER_SELLERS_LINE, SECRET_LINE],
    ":token": [shareLink.split("/").at(-1) ?? ""],
    ":key": [keyId],
    ":user": [String(sellerUserId)],
    ":code": ["1", "2"],
    ":link": ["1"],
    ":slug": ["acme-audio"],
  }
  return routes.filter(({ method }) => method === "GET").flatMap(({ path }) => filled(path, values))
}

function filled(path: string, values: Readonly<Record<string, readonly string[]>>): string[] {
  const part = /:\w+/.exec(path)?.[0]
  if (part === undefined) return [path]
  return (values[part] ?? ["1"]).flatMap((value) => filled(path.replace(part, value), values))
}

/** What an answer tells that its address does not: a page may repeat the address that it was asked for. */
function markedParts(text: string, path: string): string[] {
  const repeated = path.split(/[/?&=]/).filter((part) => isMarked.test(part))
  const told = repeated.reduce((rest, part) => rest.replaceAll(part, "").replaceAll(encodeURIComponent(part), ""), text)
  return [...told.matchAll(withMark)].map(([found]) => found)
}

interface Seen {
  readonly path: string
  readonly text: string
}

async function everything(person: Visitor, starts: readonly string[], tried: readonly string[]): Promise<Seen[]> {
  const seen: Seen[] = []
  const onAnswer = (path: string, response: Response, text: string) => {
    seen.push({ path, text: `${JSON.stringify([...response.headers])}\n${text}` })
  }
  await crawl(person, starts, { onAnswer })
  for (const path of tried) {
    const answer = await person.get(path)
    seen.push({ path, text: `${JSON.stringify([...answer.headers])}\n${await answer.text()}` })
  }
  return seen
}

describe("what only the seller may know", () => {
  test("is on the seller's own pages, so that this test would find it elsewhere", async () => {
    await using app = await startApp()
    const { seller } = await givenMarkedMarket(app)
    const seen = await everything(seller, ["/app", "/app/o/acme-audio/campaigns"], [])
    for (const what of ["key label", "file.csv", "Staff", "staff", "share", "Campaign", "Line", "CODE", "Rival"]) {
      expect([what, seen.some(({ text }) => text.includes(marked(what)))]).toEqual([what, true])
    }
    const history = await seller.read(`/app/o/acme-audio/campaigns/autumn/lines/${LINE}/history.csv`)
    expect(history).toContain(marked("key label"))
    expect(history).toContain(marked("file.csv"))
  })

  test.each([["member"], ["admin"]] as const)(
    "is nowhere in what a buyer's %s can reach",
    async (role) => {
      await using app = await startApp()
      const market = await givenMarkedMarket(app)
      const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co", role }))
      const line = `/app/o/brand-co/campaigns/autumn/lines/${LINE}`
      const seen = await everything(buyer, ["/app", "/app/o/brand-co/campaigns", line], pathsToTry(market))
      expect(seen.filter(({ text }) => text.includes("3,000")).length).toBeGreaterThan(2)
      expect(
        seen.map(({ path, text }) => [path, markedParts(text, path)]).filter(([, found]) => found?.length),
      ).toEqual([])
      const page = await buyer.read(line)
      for (const kind of ["API", "Form", "File"]) expect(page).toContain(`<td data-label="Source">${kind}</td>`)
    },
    600_000,
  )

  test("is not told to a buyer who sends forms either", async () => {
    await using app = await startApp()
    await givenMarkedMarket(app)
    const buyer = await signedIn(app, await givenPerson(app, { of: "brand-co", role: "admin" }))
    const text = `package_id,impressions\n${LINE},1\n${SECRET_LINE},1\n`
    const uploaded = await uploadFile(buyer, "delivery", text, "mine.csv", "/app/o/brand-co/upload")
    for (const path of [uploaded, `${uploaded}/refused`]) {
      expect([path, markedParts(await buyer.read(path), path)]).toEqual([path, []])
    }
    for (const [path, fields] of [
      [`/app/o/brand-co/totals?line=${LINE}`, { [`total.${LINE}`]: "1" }],
      [`/app/o/brand-co/totals?line=${SECRET_LINE}`, { [`total.${SECRET_LINE}`]: "1" }],
      [`${uploaded}/report`, {}],
      ["/app/o/brand-co/campaigns/autumn/share", { label: "Mine", days: "30" }],
    ] as const) {
      const answer = await buyer.post(path, { ...fields })
      expect([path, markedParts(await answer.text(), path)]).toEqual([path, []])
    }
  })

  test("is nowhere behind a share link", async () => {
    await using app = await startApp()
    const market = await givenMarkedMarket(app)
    const stranger = visitor(app)
    const seen = await everything(stranger, [market.shareLink], pathsToTry(market))
    expect(seen.filter(({ text }) => text.includes("3,000")).length).toBeGreaterThan(0)
    expect(seen.map(({ path, text }) => [path, markedParts(text, path)]).filter(([, found]) => found?.length)).toEqual(
      [],
    )
  })
})

test("a line is seen in full by its seller and by the operator, and by nobody else", () => {
  const line = { seller: { id: 1 } }
  expect(viewerOf(line, { organizationId: 1, isOperator: false })).toBe("seller")
  expect(viewerOf(line, { organizationId: 2, isOperator: false })).toBe("buyer")
  expect(viewerOf(line, { organizationId: 2, isOperator: true })).toBe("seller")
})
