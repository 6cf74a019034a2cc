import { expect, test } from "bun:test"
import { chooseBuyer, isSameCompany, newBuyerText, similarTo } from "../../../src/domain/campaign/buyer-choice.ts"

const company = (name: string) => ({ slug: name.toLowerCase().replaceAll(" ", "-"), name })
const KNOWN = ["Nordwind Coffee", "Fernweh Travel", "Kite", "ARD", "Öl & Co. KG"].map(company)
const SELLER = company("Lighthouse Audio")

test("a company is the same up to case, marks and its legal form, and nothing else", () => {
  const same = [
    ["Fernweh Travel", "FERNWEH TRAVEL GmbH"],
    ["Fernweh Travel", "Fernweh Travel, GmbH & Co. KG"],
    ["Kite", "Kite S.p.A."],
    ["Kite Ltd.", "kite limited"],
    ["Öl", "öl e.K."],
  ] as const
  for (const [a, b] of same) expect([a, b, isSameCompany(a, b)]).toEqual([a, b, true])
  const others = [
    ["Fernweh Travel", "Fernweh Travel Media"],
    ["Kite Media", "Fernweh Travel"],
    ["GmbH", "AG"],
    ["", ""],
    ["Kite", "Kites"],
  ] as const
  for (const [a, b] of others) expect([a, b, isSameCompany(a, b)]).toEqual([a, b, false])
})

test("a name much like a known one is offered before a new buyer is made, and never chosen", () => {
  const similar = (name: string) => similarTo(name, KNOWN).map((each) => each.name)
  expect(similar("nordwind cofee")).toEqual(["Nordwind Coffee"])
  expect(similar("Norwdind Coffee")).toEqual(["Nordwind Coffee"])
  expect(similar("Fernweh Travel Media GmbH")).toEqual(["Fernweh Travel"])
  expect(similar("Fernweh")).toEqual(["Fernweh Travel"])
  expect(similar("Kit")).toEqual([])
  expect(similar("ZDF")).toEqual([])
  expect(similar("Southwind Tea")).toEqual([])
  const typed = { buyer: "nordwind cofee" }
  expect(chooseBuyer(typed, KNOWN, SELLER)).toMatchObject({
    ok: false,
    errors: { buyer: "Do you mean Nordwind Coffee? Then enter that name." },
  })
  expect(chooseBuyer({ ...typed, newBuyer: "another name" }, KNOWN, SELLER).ok).toBe(false)
  expect(chooseBuyer({ ...typed, newBuyer: typed.buyer }, KNOWN, SELLER)).toEqual({
    ok: true,
    choice: { newName: "nordwind cofee" },
  })
  expect(chooseBuyer({ buyer: "nordwind coffee" }, KNOWN, SELLER)).toMatchObject({
    choice: { slug: "nordwind-coffee" },
  })
  expect(chooseBuyer({ buyer: "Southwind Tea" }, KNOWN, SELLER)).toMatchObject({ choice: { newName: "Southwind Tea" } })
})

test("a form says that a name is new, before it is sent", () => {
  expect(newBuyerText("", KNOWN)).toBe("")
  expect(newBuyerText("FERNWEH travel", KNOWN)).toBe("")
  expect(newBuyerText("Southwind Tea", KNOWN)).toBe("“Southwind Tea” is a new buyer and will be added.")
  expect(newBuyerText("Kites", KNOWN)).toBe("“Kites” is a new buyer and will be added. Similar: Kite.")
})
