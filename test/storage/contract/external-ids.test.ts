import { describe, expect, test } from "bun:test"
import { ExternalIdTaken } from "../../../src/actions/campaigns/lines.ts"
import type { PlannedLine } from "../../../src/domain/import/import-plan.ts"
import { storageContract } from "./contract.ts"
import { type Given, givenLineIn, givenMarket, NOTHING, newLine, winners } from "./given.ts"

const fieldsOf = ({ packageId: _, ...fields }: ReturnType<typeof newLine>) => fields

async function applied({ here, change }: Given, lines: readonly PlannedLine[]) {
  return here.importExport.apply({ ...NOTHING, lines }, new Map(), await here.catalogue.revision(), change())
}

storageContract("external-ids", (engine) => {
  describe("external ids of lines", () => {
    test("are told with the names of all lines of their seller", async () => {
      await using at = await givenMarket(engine)
      const one = await givenLineIn(at, at.line.campaign, at.acme, { externalId: "LI-1" })
      const two = await givenLineIn(at, at.line.campaign, at.acme, { externalId: "li-1" })
      const lines = await at.there.packageLines.allSold(at.acme.id)
      for (const [line, externalId] of [
        [one, "LI-1"],
        [two, "li-1"],
      ] as const)
        expect(lines).toContainEqual(
          expect.objectContaining({
            packageId: line.packageId,
            externalId,
            name: "A line",
            archived: false,
            total: null,
          }),
        )
      expect(await at.there.packageLines.allSold(at.other.id)).toEqual([])
    })

    test("are unique within a seller, whatever saves the line", async () => {
      await using at = await givenMarket(engine)
      const { campaigns } = at.here
      const taken = newLine({ externalId: "LI-1" })
      await givenLineIn(at, at.line.campaign, at.acme, { externalId: "LI-1" })
      const named = { name: "New", buyer: { slug: "brand" } }
      const attempts = [
        () => campaigns.addLine(at.acme.id, at.line.campaign, taken, at.change()),
        () => campaigns.create(at.acme.id, named, taken, at.change()),
        () => campaigns.editLine(at.acme.id, at.line.packageId, fieldsOf(taken), at.change()),
      ]
      for (const attempt of attempts) await expect(attempt()).rejects.toBeInstanceOf(ExternalIdTaken)
      expect(await at.there.packageLines.listWithTotals(null)).toHaveLength(2)
      expect(await campaigns.create(at.other.id, named, taken, at.change())).toBe("new")
      expect(await campaigns.editLine(at.other.id, taken.packageId, fieldsOf(taken), at.change())).toBe("done")
    })

    test("of racers who want the same one, exactly one gets it", async () => {
      await using at = await givenMarket(engine)
      const lines = await Promise.all([1, 2, 3, 4].map(() => givenLineIn(at, at.line.campaign, at.acme)))
      const outcomes = await Promise.allSettled(
        lines.map(({ packageId }, i) =>
          at.stores[i % 2 === 0 ? 0 : 1].campaigns.editLine(
            at.acme.id,
            packageId,
            fieldsOf(newLine({ externalId: "LI-1" })),
            at.change(),
          ),
        ),
      )
      expect(winners(outcomes, ({ status }) => status === "fulfilled")).toBe(1)
    })

    test("are imported: set, left where the file has none, removed by null, and exchanged", async () => {
      await using at = await givenMarket(engine)
      const { packageId: first } = await givenLineIn(at, at.line.campaign, at.acme, { externalId: "A" })
      const { packageId: second } = await givenLineIn(at, at.line.campaign, at.acme, { externalId: "B" })
      const { externalId: _, ...plain } = newLine()
      const planned = (packageId: string, more: object = {}): PlannedLine => ({
        ...plain,
        packageId,
        campaign: at.line.campaign,
        seller: "acme",
        ...more,
      })
      const stored = async () => {
        const { lines } = await at.there.importExport.snapshot()
        return [first, second].map((id) => lines.find(({ packageId }) => packageId === id)?.externalId)
      }
      await applied(at, [planned(first), planned(second)])
      expect(await stored()).toEqual(["A", "B"])
      await applied(at, [planned(first, { externalId: "B" }), planned(second, { externalId: "A" })])
      expect(await stored()).toEqual(["B", "A"])
      await applied(at, [planned(first, { externalId: null }), planned(second, { externalId: "B" })])
      expect(await stored()).toEqual([null, "B"])
      expect((await at.there.importExport.known()).lines.get(second)?.externalId).toBe("B")
    })
  })
})
