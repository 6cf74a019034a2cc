import { expect, test } from "bun:test"
import { DELIVERY_CSV, rowValue } from "../../../src/domain/csv/csv-rows.ts"

test("a row of a file leaves out empty cells and unknown columns", () => {
  expect(rowValue(DELIVERY_CSV, { package_id: " x ", impressions: "5", downloads: "", note: "no" })).toEqual({
    package_id: "x",
    impressions: 5,
  })
})
