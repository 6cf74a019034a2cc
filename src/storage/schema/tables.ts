import { getTableColumns, getTableName } from "drizzle-orm"
import { campaignTables, lineTables } from "./campaigns.ts"
import { catalogueTables } from "./catalogue.ts"
import { affiliateTables, sourceTables, totalTables } from "./delivery.ts"
import { type Kit, sqliteKit } from "./kit.ts"
import { alertTables, callTables, feedActivityTables, operationTables } from "./operations.ts"
import { peopleTables, signInTables } from "./people.ts"
import { orderTables, statementTables } from "./sales.ts"
import { propertiesOf, type TableProperties } from "./table-properties.ts"
import { uploadTables } from "./uploads.ts"

/** The tables that both engines have. Moments are microseconds since 1970 (UTC), dates are YYYY-MM-DD, flags are 0 or 1. */
export type Tables = ReturnType<typeof tables>

export function tables(kit: Kit) {
  const people = peopleTables(kit)
  const campaigns = { ...people, ...campaignTables(kit, people) }
  const lines = { ...campaigns, ...lineTables(kit, campaigns) }
  return {
    ...lines,
    ...signInTables(kit, people),
    ...catalogueTables(kit, people),
    ...sourceTables(kit, lines),
    ...totalTables(kit, lines),
    ...affiliateTables(kit, lines),
    ...uploadTables(kit, people),
    ...feedActivityTables(kit),
    ...callTables(kit),
    ...alertTables(kit),
    ...operationTables(kit, people),
    ...orderTables(kit, people),
    ...statementTables(kit, campaigns),
  }
}

/** A table as it is called in the program and in the database. */
export interface DescribedTable {
  readonly key: keyof Tables
  readonly name: string
  readonly properties: TableProperties
  /** The name of a column in the database. */
  columnName(key: string): string
}

export function describedTable(name: string): DescribedTable {
  const found = describedTables.find((table) => table.name === name)
  if (found === undefined) throw new Error(`There is no table ${name}.`)
  return found
}

/** All tables with their properties, which are the same for both engines. */
export const describedTables: readonly DescribedTable[] = Object.entries(tables(sqliteKit)).map(([key, table]) => ({
  key: key as keyof Tables,
  name: getTableName(table),
  properties: propertiesOf(table),
  columnName: (column) => getTableColumns(table)[column as never]["name"],
}))
