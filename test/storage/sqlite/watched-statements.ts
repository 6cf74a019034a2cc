import { Database } from "bun:sqlite"

const RUNNING = new Set<PropertyKey>(["run", "get", "all", "values", "iterate"])

/** Notes the text of every statement that is run on databases opened from now on. */
export function watchStatements(): Disposable & { readonly ran: ReadonlySet<string>; forget(): void } {
  const ran = new Set<string>()
  const { query, prepare } = Database.prototype

  function watched<Statement extends object>(sql: string, statement: Statement): Statement {
    return new Proxy(statement, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as unknown
        if (typeof value !== "function") return value
        return (...given: unknown[]) => {
          if (RUNNING.has(name)) ran.add(sql)
          return Reflect.apply(value, target, given) as unknown
        }
      },
    })
  }

  Database.prototype.query = function (this: Database, sql: string) {
    return watched(sql, query.call(this, sql))
  } as typeof query
  Database.prototype.prepare = function (this: Database, sql: string, ...more: never[]) {
    return watched(sql, prepare.call(this, sql, ...more))
  } as typeof prepare
  return {
    ran,
    forget: () => ran.clear(),
    [Symbol.dispose]() {
      Object.assign(Database.prototype, { query, prepare })
    },
  }
}
