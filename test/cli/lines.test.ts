import { expect, test } from "bun:test"
import { tryProgram } from "../harness/program.ts"
import { exampleData, exampleFile, PACKAGE_ID } from "./given.ts"

const [campaign] = exampleFile().campaigns
const [line] = campaign.lines
const FLAT = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a02"
const flat = { ...line, package_id: FLAT, name: "Event", pricing_basis: "flat_rate", booked: null, flight_end: null }

test("line list --json is an array with the current total of each line, and null before the first report", async () => {
  using given = await exampleData({ ...exampleFile(), campaigns: [{ ...campaign, lines: [line, flat] }] })
  const [event, preRoll] = await given.json("line", "list", "--org", "acme-audio")
  expect(preRoll).toEqual({
    package_id: PACKAGE_ID,
    campaign: "autumn",
    seller: "acme-audio",
    name: "Pre-roll",
    pricing_basis: "impressions",
    flight_start: "2026-11-01",
    flight_end: "2026-12-31",
    booked: 500_000,
    delivered: null,
    as_of: null,
    state: expect.any(String),
    external_id: null,
  })
  expect(event).toMatchObject({ package_id: FLAT, delivered: false, flight_end: null, booked: null, as_of: null })
  expect(await given.json("line", "list", "--org", "brand-co")).toEqual([])
})

test("the table has the package ID, and says in words what is empty", async () => {
  using given = await exampleData()
  const { output } = await given.run("line", "list")
  expect(output.split("\n")[0]).toStartWith("PACKAGE ID")
  expect(output).toContain(PACKAGE_ID)
  expect(output).toContain("500,000")
  const none = await given.run("line", "list", "--org", "brand-co")
  expect(none).toMatchObject({ code: 0, output: "", errors: "brand-co sells no lines yet.\n" })
})

test("archived lines are left out", async () => {
  using given = await exampleData({
    ...exampleFile(),
    campaigns: [{ ...campaign, lines: [{ ...line, archived: true }] }],
  })
  expect(await given.json("line", "list")).toEqual([])
})

test("lines of an archived campaign are left out", async () => {
  using given = await exampleData({ ...exampleFile(), campaigns: [{ ...campaign, archived: true }] })
  expect(await given.json("line", "list")).toEqual([])
})

test("a directory that isn't a database is explained", async () => {
  const { code, errors } = await tryProgram(["line", "list", "--data", "/dev/null/x"])
  expect(code).toBe(1)
  expect(errors).toContain("There is no Adbooth database in /dev/null/x.")
})
