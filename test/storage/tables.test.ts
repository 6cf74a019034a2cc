import { expect, test } from "bun:test"
import { getTableName } from "drizzle-orm"
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core"
import { readableColumns } from "../../src/doors/cli/csv-files.ts"
import { sqliteKit } from "../../src/storage/schema/kit.ts"
import { propertiesOf } from "../../src/storage/schema/table-properties.ts"
import { describedTables, tables } from "../../src/storage/schema/tables.ts"
import { tableShapes } from "../../src/storage/sqlite/copy.ts"

const all = Object.values<SQLiteTable>(tables(sqliteKit))

test("a table says its properties where it is defined", () => {
  const { rowId, table } = sqliteKit
  // @ts-expect-error: it does not compile without them
  const withoutThem = () => table("note", { id: rowId() })
  expect(withoutThem).toThrow()
  // @ts-expect-error: nor with a column that it does not have
  table("note", { forgets: "nothing", rows: "few", exported: "json", hidden: ["token"] }, { id: rowId() })
  for (const one of all) expect([getTableName(one), propertiesOf(one).forgets]).not.toContain(undefined)
})

test("a CSV export shows no secret, and nothing that a secret could be recognized by", () => {
  const shown = tableShapes()
    .filter(({ exported }) => exported === "csv and json")
    .flatMap((table) => readableColumns(table, new Map()).map(({ title }) => `${table.name}.${title}`))
  expect(shown).toContain("organization.slug")
  expect(shown.filter((column) => /hash|fingerprint|secret|totp|token|password/.test(column))).toEqual([])
})

test("whatever ends for good stays ended after a restore", () => {
  const endings = tableShapes().flatMap(({ name, columns }) =>
    columns.flatMap((column) => (/^(?:revoked|ended)_at$/.test(column.name) ? `${name}.${column.name}` : [])),
  )
  const kept = describedTables.flatMap(({ name, columnName, properties: { ends } }) =>
    ends === undefined ? [] : `${name}.${columnName(ends.at)}`,
  )
  // An alert may begin again.
  expect(endings.sort()).toEqual([...kept, "alert.ended_at"].sort())
})

test("an organization cannot be deleted while a row needs it that would not go with it", () => {
  const needing = all.map(getTableConfig).flatMap(({ name, foreignKeys }) =>
    foreignKeys.flatMap((key) => {
      const { columns, foreignTable } = key.reference()
      const isKept = getTableName(foreignTable) === "organization" && key.onDelete !== "cascade"
      return isKept ? columns.map((column) => `${name}.${column.name}`) : []
    }),
  )
  const keeping = describedTables.flatMap(({ name, columnName, properties: { keepsOrganization } }) =>
    keepsOrganization === undefined ? [] : `${name}.${columnName(keepsOrganization)}`,
  )
  // The audit trail outlives the organization.
  expect(needing.filter((column) => !keeping.includes(column))).toEqual(["audit_entry.organization_id"])
})
