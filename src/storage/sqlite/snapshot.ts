import type { Database } from "bun:sqlite"

/** Reads something for each of many keys under one lock of the file, instead of one lock each. */
export function snapshotReader(database: Database): <Key, Row>(keys: readonly Key[], read: (key: Key) => Row) => Row[] {
  const inTransaction = database.transaction((readAll: () => unknown) => readAll()).deferred
  return <Key, Row>(keys: readonly Key[], read: (key: Key) => Row): Row[] => {
    const readAll = () => keys.map((key) => read(key))
    return keys.length < 2 ? readAll() : (inTransaction(readAll) as Row[])
  }
}
