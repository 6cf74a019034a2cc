import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core"
import type { Column, TableShape } from "../../copy/sides.ts"
import { sqliteTables } from "../engine/steps.ts"

type Config = ReturnType<typeof getTableConfig>

/** Every table, each after those that it refers to. */
export const tableShapes = (): readonly TableShape[] =>
  inOrder(Object.values<SQLiteTable>(sqliteTables).map(getTableConfig)).map(shapeOf)

const referencesOf = ({ foreignKeys }: Config): string[] =>
  foreignKeys.map((key) => getTableConfig(key.reference().foreignTable).name)

function inOrder(configs: readonly Config[]): Config[] {
  const ordered: Config[] = []
  const place = (config: Config): void => {
    if (ordered.includes(config)) return
    for (const name of referencesOf(config)) {
      const other = configs.find((table) => table.name === name)
      if (other !== undefined) place(other)
    }
    ordered.push(config)
  }
  for (const config of configs) place(config)
  return ordered
}

function shapeOf(config: Config): TableShape {
  const columns = config.columns
    .filter(({ generated }) => generated === undefined)
    .map((column): Column => ({ name: column.name, kind: kindOf(column.getSQLType()) }))
  const [composite] = config.primaryKeys
  const names = (composite?.columns ?? config.columns.filter(({ primary }) => primary)).map(({ name }) => name)
  const key = names.flatMap((name) => columns.filter((column) => column.name === name))
  return {
    name: config.name,
    columns,
    key,
    isNumbered:
      key.length === 1 && key[0]?.name === "id" && key[0].kind === "whole" && config.name !== "agent_call_size",
  }
}

function kindOf(type: string): Column["kind"] {
  if (type === "integer") return "whole"
  return type === "real" ? "real" : "text"
}
