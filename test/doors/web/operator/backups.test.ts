import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { lastBackup } from "../../../../src/actions/operations/last-backup.ts"
import { startApp } from "../../../harness.ts"
import { givenPerson } from "../given.ts"
import { signedIn } from "../visitor.ts"

const BACKUPS = "/app/operator/backups"

test("a backup is made, shown with its result, and can be taken away as a whole database", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  expect(await olga.read(BACKUPS)).toContain("No backups yet")
  await olga.post(BACKUPS)
  // The page waits for a few seconds only, which is less than a backup may take on a busy machine.
  expect(await olga.read(BACKUPS)).toMatch(/done and checked|in progress/)
  while ((await lastBackup(app.store)) === null) await Bun.sleep(10)
  const html = await olga.read(BACKUPS)
  expect(html).toMatch(/Last result<.{0,100}>good</)
  const [, path = ""] = /href="(\/app\/operator\/backup\/[^"]+)"/.exec(html) ?? []
  const copy = Database.deserialize(new Uint8Array(await (await olga.get(path)).arrayBuffer()))
  expect(copy.query("SELECT count(*) AS people FROM user").get()).toEqual({ people: 1 })
  expect(await olga.read("/app/operator/audit")).toContain("download backup")
}, 60_000)

test("only files that are backups of ours can be asked for", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true }))
  for (const name of ["..%2Fadbooth.db", "adbooth.db", "adbooth-20261101T000000Z.db"]) {
    expect((await olga.get(`/app/operator/backup/${name}`)).status).toBe(404)
  }
})
