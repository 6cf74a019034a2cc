import { describe, expect, test } from "bun:test"
import type { ImportPlan } from "../../../src/domain/import/import-plan.ts"
import type { KeyRecord } from "../../../src/storage/port/store.ts"
import { storageContract } from "./contract.ts"
import {
  given,
  givenLine,
  givenLineIn,
  givenMarket,
  givenMember,
  givenUser,
  keep,
  NOTHING,
  need,
  newKey,
  newLine,
  saveProduct,
  winners,
} from "./given.ts"
import type { Store } from "./whole-store.ts"

const LINE = { ...newLine({ name: "Imported" }), campaign: "autumn", seller: "acme" }

/** One of everything. */
const PLAN: ImportPlan = {
  organizations: [
    { slug: "acme", name: "Acme", timeZone: "Europe/Berlin" },
    { slug: "brand", name: "Brand", timeZone: null },
  ],
  users: [
    { email: "a@example.com", name: "A", isOperator: null, membership: { organization: "acme", role: "admin" } },
    { email: "o@example.com", name: "O", isOperator: true, membership: null },
  ],
  campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand" }],
  lines: [LINE],
  formats: [
    { formatId: "f", body: { id: "f" } },
    { formatId: "hidden", body: null },
  ],
  products: [{ productId: "p", body: { product_id: "p" } }],
  productSellers: [{ productId: "p", seller: "acme" }],
  agentKeys: [{ label: "Buyer", buyer: "brand", openings: [{ productId: "p", territories: ["DE"] }] }],
}

const keysFor = (...labels: string[]): ReadonlyMap<string, KeyRecord> =>
  new Map(labels.map((label) => [label, newKey(label)]))

async function everything(store: Store) {
  const { users, organizations, ...rest } = await store.importExport.snapshot()
  return { users, organizations, ...rest, audit: (await store.audit.list({}, { before: null, limit: 100 })).entries }
}

storageContract("import-export", (engine) => {
  describe("an import", () => {
    test("writes the whole plan, and says what was created and what updated; a snapshot gives it back", async () => {
      await using at = await given(engine)
      const newKeys = keysFor("Buyer")
      const apply = async (keys = newKeys) =>
        at.here.importExport.apply(PLAN, keys, await at.here.catalogue.revision(), at.change())
      const counts = (created: boolean) => {
        const of = (n: number) => (created ? { created: n, updated: 0 } : { created: 0, updated: n })
        const { id, prefix } = need(newKeys.get("Buyer"))
        return {
          organizations: of(2),
          users: of(2),
          campaigns: of(1),
          lines: of(1),
          formats: of(2),
          products: of(1),
          agentKeys: [{ id, label: "Buyer", prefix, isNew: created, buyer: "brand" }],
        }
      }
      expect(await apply()).toEqual(counts(true))
      const first = await at.there.importExport.snapshot()
      expect(first).toMatchObject({
        organizations: [
          { slug: "acme", name: "Acme", timeZone: "Europe/Berlin" },
          { slug: "brand", name: "Brand", timeZone: "UTC" },
        ],
        users: [
          { email: "a@example.com", isOperator: false, memberships: [{ organization: "acme", role: "admin" }] },
          { email: "o@example.com", isOperator: true, memberships: [] },
        ],
        campaigns: PLAN.campaigns,
        lines: PLAN.lines,
        formats: PLAN.formats,
        products: PLAN.products,
        productSellers: PLAN.productSellers,
        agentKeys: PLAN.agentKeys,
      })
      // Again, it changes nothing, and the fresh key of a known label is not used.
      expect(await apply(keysFor("Buyer"))).toEqual(counts(false))
      expect(await at.there.importExport.snapshot()).toEqual(first)
      expect(await at.there.agentKeys.list()).toHaveLength(1)
    })

    test("a key keeps its buyer unless the file says another, or none", async () => {
      await using at = await given(engine)
      const newKeys = keysFor("Buyer", "Other")
      const apply = async (agentKeys: ImportPlan["agentKeys"]) => {
        const plan = { ...PLAN, agentKeys }
        await at.here.importExport.apply(plan, newKeys, await at.here.catalogue.revision(), at.change())
        const listed = await at.there.agentKeys.list()
        return Object.fromEntries(listed.map(({ label, buyer }) => [label, buyer]))
      }
      const buyer = (label: string, slug?: string | null) => ({
        label,
        openings: [],
        ...(slug !== undefined && { buyer: slug }),
      })
      expect(await apply([buyer("Buyer", "brand"), buyer("Other")])).toEqual({ Buyer: "brand", Other: null })
      expect(await apply([buyer("Buyer"), buyer("Other", "acme")])).toEqual({ Buyer: "brand", Other: "acme" })
      expect(await apply([buyer("Buyer", "acme"), buyer("Other", null)])).toEqual({ Buyer: "acme", Other: null })
    })

    test("a product keeps its seller unless the file says another, or none", async () => {
      await using at = await given(engine)
      const apply = async (productSellers: ImportPlan["productSellers"]) => {
        const plan = { ...PLAN, productSellers }
        await at.here.importExport.apply(plan, keysFor("Buyer"), await at.here.catalogue.revision(), at.change())
        return (await at.there.catalogue.contents()).sellers.get("p")
      }
      expect(await apply([])).toBeUndefined()
      expect(await apply([{ productId: "p", seller: "acme" }])).toBe("acme")
      expect(await apply([])).toBe("acme")
      expect(await apply([{ productId: "p", seller: "brand" }])).toBe("brand")
      expect(await apply([{ productId: "p", seller: null }])).toBeUndefined()
    })

    test("leaves alone what the file says nothing about", async () => {
      await using at = await given(engine)
      await at.here.importExport.apply(PLAN, keysFor("Buyer"), await at.here.catalogue.revision(), at.change())
      const plan = {
        ...NOTHING,
        organizations: [{ slug: "acme", name: "Renamed", timeZone: null }],
        users: [{ email: "o@example.com", name: "Renamed", isOperator: null, membership: null }],
      }
      await at.there.importExport.apply(plan, new Map(), await at.there.catalogue.revision(), at.change())
      expect(await at.here.organizations.findBySlug("acme")).toMatchObject({
        name: "Renamed",
        timeZone: "Europe/Berlin",
      })
      expect(await at.here.users.findByEmail("o@example.com")).toMatchObject({ name: "Renamed", isOperator: true })
    })

    test("of several rows about one thing the last counts, and somebody may be in several organizations", async () => {
      await using at = await given(engine)
      const person = { email: "a@example.com", name: "A", isOperator: null }
      const plan: ImportPlan = {
        ...PLAN,
        organizations: [
          ...PLAN.organizations,
          { slug: "acme", name: "Acme again", timeZone: null },
          { slug: "late", name: "Late", timeZone: "Asia/Tokyo" },
        ],
        users: [
          { ...person, isOperator: true, membership: { organization: "acme", role: "admin" } },
          { ...person, name: "Second", membership: { organization: "brand", role: "member" } },
          { ...person, name: "Third", membership: { organization: "acme", role: "member" } },
        ],
        campaigns: [...PLAN.campaigns, { slug: "autumn", name: "Autumn again", buyer: "late" }],
        lines: [...PLAN.lines, { ...LINE, name: "Imported again", booked: 0.1 }],
        formats: [...PLAN.formats, { formatId: "f", body: null }],
        products: [...PLAN.products, { productId: "p", body: { product_id: "p", name: "Again" } }],
      }
      const revision = await at.here.catalogue.revision()
      const done = await at.here.importExport.apply(plan, keysFor("Buyer"), revision, at.change())
      const one = { created: 1, updated: 1 }
      expect(done).toMatchObject({ organizations: { created: 3, updated: 1 }, users: { created: 1, updated: 2 } })
      expect(done).toMatchObject({ campaigns: one, lines: one, formats: { created: 2, updated: 1 }, products: one })
      expect(await at.there.importExport.snapshot()).toMatchObject({
        organizations: [
          { slug: "acme", name: "Acme again", timeZone: "Europe/Berlin" },
          { slug: "brand", name: "Brand" },
          { slug: "late", name: "Late", timeZone: "Asia/Tokyo" },
        ],
        users: [
          {
            name: "Third",
            isOperator: true,
            memberships: [
              { organization: "acme", role: "member" },
              { organization: "brand", role: "member" },
            ],
          },
        ],
        campaigns: [{ slug: "autumn", name: "Autumn again", buyer: "late" }],
        lines: [{ ...LINE, name: "Imported again", booked: 0.1 }],
        formats: [
          { formatId: "f", body: null },
          { formatId: "hidden", body: null },
        ],
        products: [{ productId: "p", body: { product_id: "p", name: "Again" } }],
      })
    })

    test("is all or nothing: when a part of it cannot be written, nothing is", async () => {
      await using at = await given(engine)
      await saveProduct(at, "kept")
      const before = await everything(at.there)
      const revision = await at.here.catalogue.revision()
      // Nobody made a key for the label, which is the last that is written.
      await expect(at.here.importExport.apply(PLAN, new Map(), revision, at.change())).rejects.toThrow()
      const openings = [{ productId: "unknown", territories: ["DE"] }]
      const dangling = { ...PLAN, agentKeys: [{ label: "Buyer", openings }] }
      await expect(at.here.importExport.apply(dangling, keysFor("Buyer"), revision, at.change())).rejects.toThrow()
      expect(await everything(at.there)).toEqual(before)
      expect(await at.there.catalogue.revision()).toBe(revision)
      expect(await at.here.importExport.apply(PLAN, keysFor("Buyer"), revision, at.change())).not.toBeNull()
    })

    test("writes nothing when the catalogue has changed since it was checked: of two at once, exactly one is made", async () => {
      await using at = await given(engine)
      const checkedRevision = (await at.here.importExport.known()).revision
      const outcomes = await Promise.all(
        at.stores.map(({ importExport }, i) => {
          const products = [{ productId: `p${i}`, body: {} }]
          return importExport.apply({ ...NOTHING, products }, new Map(), checkedRevision, at.change())
        }),
      )
      expect(winners(outcomes, (one) => one !== null)).toBe(1)
      expect(await at.there.catalogue.products()).toHaveLength(1)
    })

    test("what is archived stays so unless the file says otherwise, and the snapshot says it", async () => {
      await using at = await givenMarket(engine)
      const { packageId, campaign } = at.line
      const line = { ...newLine(), packageId, campaign, seller: "acme" }
      const head = { slug: campaign, name: "A campaign", buyer: "brand" }
      const archived = async (said: { readonly archived?: boolean }) => {
        const { revision } = await at.here.importExport.known()
        const plan = { ...NOTHING, campaigns: [{ ...head, ...said }], lines: [{ ...line, ...said }] }
        await at.here.importExport.apply(plan, new Map(), revision, at.change())
        const { campaigns, lines } = await at.there.importExport.snapshot()
        return [...campaigns, ...lines].map((one) => one.archived)
      }
      expect(await archived({})).toEqual([false, false])
      expect(await archived({ archived: true })).toEqual([true, true])
      expect(await archived({})).toEqual([true, true])
      expect(await archived({ archived: false })).toEqual([false, false])
    })

    test.each(["basis", "seller"] as const)(
      "writes nothing when figures were reported meanwhile that another %s would give another meaning",
      async (what) => {
        await using at = await givenMarket(engine)
        const { revision } = await at.here.importExport.known()
        const { packageId, campaign, lineId } = at.line
        const changed = what === "basis" ? { pricingBasis: "downloads" as const } : { seller: "other" }
        const line = { ...newLine(), packageId, campaign, seller: "acme", ...changed }
        await keep(at.there, [{ lineId, quantity: 5, asOf: 1 }])
        const apply = (lines: ImportPlan["lines"]) =>
          at.here.importExport.apply({ ...NOTHING, lines }, new Map(), revision, at.change())
        expect(await apply([LINE, line])).toBeNull()
        expect(await at.there.packageLines.listWithTotals(null)).toMatchObject([
          { packageId, pricingBasis: "impressions", seller: "acme", total: { quantity: 5 } },
        ])
        expect(await apply([{ ...newLine({ name: "Renamed" }), packageId, campaign, seller: "acme" }])).not.toBeNull()
      },
    )

    test("changes no rights of an account that another store has just made or given some", async () => {
      await using at = await givenMarket(engine)
      const { revision } = await at.here.importExport.known()
      const person = { email: "a@example.com", name: "A", isOperator: null }
      const asMember = { ...person, membership: { organization: "acme", role: "member" as const } }
      const apply = (user: ImportPlan["users"][number]) =>
        at.here.importExport.apply({ ...NOTHING, users: [user] }, new Map(), revision, at.change())
      const { id } = await givenUser(at, person.email)
      expect(await apply(asMember)).toBeNull()
      expect(await apply({ ...person, isOperator: true, membership: null })).toBeNull()
      expect(await at.there.users.findById(id)).toMatchObject({ isOperator: false, memberships: [] })
      const { id: adminId } = await givenMember(at, "b@example.com", at.acme, "admin")
      expect(await apply({ ...asMember, email: "b@example.com" })).toBeNull()
      expect(await at.there.members.find(at.acme.id, adminId)).toMatchObject({ role: "admin" })
    })

    test("knows what a file may refer to, as it stands at one revision", async () => {
      await using at = await givenMarket(engine)
      await givenUser(at, "o@example.com", { isOperator: true })
      await givenUser(at, "a@example.com")
      await givenMember(at, "admin@example.com", at.acme, "admin")
      await givenMember(at, "m@example.com", at.brand, "member")
      await saveProduct(at, "p")
      const twin = await givenLine(at, at.acme, at.brand, { campaign: "Twin" })
      const younger = await givenLineIn(at, "twin", at.acme)
      await keep(at.here, [{ lineId: at.line.lineId, quantity: 1, asOf: 1 }])
      const known = await at.there.importExport.known()
      const names = { seller: "acme", name: "A line", pricingBasis: "impressions", externalId: null } as const
      const line = { packageId: at.line.packageId, campaign: at.line.campaign, ...names, hasFigures: true }
      const other = { packageId: twin.packageId, campaign: "twin", ...names, hasFigures: false }
      expect(known).toEqual({
        organizations: new Set(["acme", "other", "brand"]),
        accounts: new Map([
          ["a@example.com", { isOperator: false, roles: new Map() }],
          ["admin@example.com", { isOperator: false, roles: new Map([["acme", "admin"]]) }],
          ["m@example.com", { isOperator: false, roles: new Map([["brand", "member"]]) }],
          ["o@example.com", { isOperator: true, roles: new Map() }],
        ]),
        products: new Map([["p", { product_id: "p" }]]),
        formats: new Map(),
        lines: new Map([line, other, { ...other, packageId: younger.packageId }].map((one) => [one.packageId, one])),
        // Of several with one name, the oldest.
        linesByName: new Map([line, other].map((one) => [`${one.campaign} acme A line`, one])),
        revision: await at.there.catalogue.revision(),
      })
    })
  })
})
