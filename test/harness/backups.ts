import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { createBackup } from "../../src/storage/copies/backup.ts"
import type { TestApp } from "./app.ts"

/** Makes real backups of the app's data, which can be restored. The server makes them in a process of its own. */
export function makeRealBackups({ services, database }: TestApp): void {
  const { folder } = services.backups
  mkdirSync(folder, { recursive: true })
  const sizeOf = (name: string) => statSync(join(folder, name)).size
  const names = () => readdirSync(folder).filter((name) => name.endsWith(".db"))
  Object.assign(services.backups, {
    async create(name: string) {
      await createBackup(database, join(folder, name))
      return { name, bytes: sizeOf(name) }
    },
    list: async () =>
      names()
        .sort()
        .map((name) => ({ name, bytes: sizeOf(name) })),
    remove: async (name: string) => rmSync(join(folder, name)),
  })
}
