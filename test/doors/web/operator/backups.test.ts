import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { readdir, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import {
  backupSchedule,
  changeBackupSchedule,
  lastBackup,
  lastRestore,
  scheduleSeen,
} from "../../../../src/actions/operations/backups.ts"
import { createOrganization } from "../../../../src/actions/people/organizations.ts"
import { MICROS_PER_DAY } from "../../../../src/domain/time/moment.ts"
import { startApp, type TestApp } from "../../../harness.ts"
import { until } from "../../../until.ts"
import { givenPerson } from "../given.ts"
import { signedIn, type Visitor } from "../visitor.ts"

const BACKUPS = "/app/operator/system?open=backups"
const ACTIONS = "/app/operator/system/backups"
const PASSWORD = "correct horse battery"

test("a backup is made, shown with its result, and can be taken away as a whole database", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true, password: PASSWORD }))
  expect(await olga.read(BACKUPS)).toContain("No backups yet")
  await olga.post(ACTIONS)
  // The page waits for a few seconds only, which is less than a backup may take on a busy machine.
  expect(await olga.read(BACKUPS)).toMatch(/made and checked|being made/)
  await until(async () => (await lastBackup(app.store)) !== null)
  const html = await olga.read(BACKUPS)
  expect(html).toMatch(/Last result<.{0,100}>Good</)
  const [, path = ""] = /href="(\/app\/operator\/backup\/[^"]+)"/.exec(html) ?? []
  expect(await olga.read(path)).toContain("Your password")
  const refused = await olga.post(path, { password: "wrong horse battery" })
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("This is the wrong password.")])
  const copy = Database.deserialize(new Uint8Array(await (await olga.post(path, { password: PASSWORD })).arrayBuffer()))
  expect(copy.query("SELECT count(*) AS people FROM user").get()).toEqual({ people: 1 })
  expect(await olga.read("/app/operator/audit")).toContain("downloaded the backup")
})

test("only files that are backups of ours can be asked for", async () => {
  await using app = await startApp()
  const olga = await signedIn(app, await givenPerson(app, { isOperator: true, password: PASSWORD }))
  for (const name of ["..%2Fadbooth.db", "adbooth.db", "adbooth-20261101T000000Z.db"]) {
    expect((await olga.get(`/app/operator/backup/${name}`)).status).toBe(404)
  }
})

const operatorOf = async (app: TestApp) =>
  signedIn(app, await givenPerson(app, { isOperator: true, password: PASSWORD }))

/** Makes a backup and returns its name. */
async function backedUp(app: TestApp, olga: Visitor): Promise<string> {
  await olga.post(ACTIONS)
  await until(async () => (await lastBackup(app.store)) !== null)
  return basename((await lastBackup(app.store))?.file ?? "")
}

/** Sends the form of the schedule as it was opened, with these fields. */
async function save(olga: Visitor, fields: Readonly<Record<string, string>>): Promise<Response> {
  const [, seen = ""] = /name="seen" value="([^"]*)"/.exec(await olga.read(BACKUPS)) ?? []
  return olga.post(`${ACTIONS}/schedule`, { seen, ...fields })
}

const scheduleOf = async ({ store, config }: TestApp) => backupSchedule(store, config)

describe("the schedule", () => {
  test("is chosen in the app, is in force at once, and is in the audit trail", async () => {
    await using app = await startApp()
    const olga = await operatorOf(app)
    expect(await scheduleOf(app)).toMatchObject({ every: null, keep: 7, from: { every: "default" } })
    const sent = { every: String(MICROS_PER_DAY), keep: "3" }
    expect((await save(olga, sent)).status).toBe(303)
    expect(await scheduleOf(app)).toMatchObject({ every: MICROS_PER_DAY, keep: 3, from: { every: "chosen" } })
    expect(await olga.read("/app/operator/audit")).toContain("changed the backup schedule")
    const { checks } = (await (await app.fetch("/readyz")).json()) as { checks: { backup: { detail: string } } }
    expect(checks.backup.detail).not.toBe("not scheduled")
  })

  test("wrong fields are named, and somebody else's change is not overwritten unseen", async () => {
    await using app = await startApp()
    const olga = await operatorOf(app)
    const wrong = await save(olga, {
      every: "17",
      keep: "0",
    })
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining("Keep at least 1.")])
    const seen = await scheduleSeen(app.store)
    await changeBackupSchedule(app, { keep: 5 }, { actor: "test" })
    const late = await olga.post(`${ACTIONS}/schedule`, { every: "never", keep: "9", seen })
    expect([late.status, await late.text()]).toEqual([
      422,
      expect.stringContaining("Someone else changed the schedule"),
    ])
    expect((await scheduleOf(app)).keep).toBe(5)
  })

  test("an option of the server goes first: the app says so, and offers only the rest", async () => {
    await using app = await startApp({ options: { backupEvery: "24h" } })
    const olga = await operatorOf(app)
    const html = await olga.read(BACKUPS)
    expect(html).toContain("The server was started with <code>--backup-every</code>: a backup every 24 h.")
    expect(html).not.toContain('name="every"')
    await save(olga, { every: "never", keep: "4" })
    expect(await scheduleOf(app)).toMatchObject({ every: MICROS_PER_DAY, keep: 4, from: { every: "option" } })
  })
})

describe("a backup", () => {
  test("is checked as a restore would check it", async () => {
    await using app = await startApp()
    const olga = await operatorOf(app)
    const name = await backedUp(app, olga)
    await olga.post(`/app/operator/backup/${name}/check`)
    await until(async () => />Sound</.test(await olga.read(BACKUPS)))
    await Bun.write(join(app.config.data, "backups", name), "a copy that a disk has damaged")
    await olga.post(`/app/operator/backup/${name}/check`)
    await until(async () => />Damaged</.test(await olga.read(BACKUPS)))
  })

  test("is restored while the server runs, after a question that says what is lost, and can be undone", async () => {
    await using app = await startApp()
    const olga = await operatorOf(app)
    const name = await backedUp(app, olga)
    app.clock.advance({ minutes: 5 })
    await createOrganization(app, { slug: "later", name: "Later", timeZone: "UTC" }, "test")
    const question = await olga.read(`/app/operator/backup/${name}/restore`)
    const [, changes = ""] = /<a href="([^"]*)">changed since then/.exec(question) ?? []
    expect(await olga.read(changes)).toContain("added the organization Later")
    expect(question).toContain("Everyone will be signed out")
    const refused = await olga.post(`/app/operator/backup/${name}/restore`, { password: "wrong horse battery" })
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("This is the wrong password."),
    ])
    expect(await app.store.organizations.findBySlug("later")).not.toBeNull()
    await olga.post(`/app/operator/backup/${name}/restore`, { password: PASSWORD })
    await until(async () => (await lastRestore(app.store))?.ok === true)
    expect(await app.store.organizations.findBySlug("later")).toBeNull()
    expect((await olga.get(BACKUPS)).status).toBe(303)
    const again = await signedIn(app, (await app.store.users.list())[0]?.id ?? 0)
    const safety = (await lastRestore(app.store))?.safety ?? ""
    const html = await again.read(BACKUPS)
    expect(html).toContain(`What was there before is in ${safety}`)
    expect(await again.read("/app/operator/audit")).toContain("restored the backup")
    using before = new Database(join(app.config.data, "backups", safety), { readonly: true })
    expect(before.query("SELECT name FROM organization").all()).toEqual([{ name: "Later" }])
  })

  test("that is damaged changes nothing, and the page says why", async () => {
    await using app = await startApp()
    const olga = await operatorOf(app)
    await Bun.write(join(app.config.data, "backups", "adbooth-20261101T000000Z.db"), "a copy that a disk has damaged")
    await olga.post("/app/operator/backup/adbooth-20261101T000000Z.db/restore", { password: PASSWORD })
    await until(async () => (await lastRestore(app.store))?.ok === false)
    expect(await olga.read(BACKUPS)).toContain("Nothing was changed.")
  })
})

describe("a backup from somebody's own machine", () => {
  async function sent(olga: Visitor, name: string, bytes: Blob): Promise<Response> {
    const form = new FormData()
    form.append("backup", new File([bytes], name))
    return olga.post(`${ACTIONS}/upload`, form)
  }

  test("is checked as the command line checks it, and restored after the same question", async () => {
    await using app = await startApp()
    const olga = await operatorOf(app)
    const folder = join(app.config.data, "backups")
    const name = await backedUp(app, olga)
    const bytes = new Blob([await Bun.file(join(folder, name)).bytes()])
    const same = await sent(olga, name, bytes)
    expect([same.status, await same.text()]).toEqual([422, expect.stringContaining("already in the list")])
    await rm(join(folder, name))
    await createOrganization(app, { slug: "later", name: "Later", timeZone: "UTC" }, "test")
    const answer = await sent(olga, "my copy.db", bytes)
    const question = answer.headers.get("location") ?? ""
    expect([answer.status, question]).toEqual([303, expect.stringContaining("/restore")])
    expect(await olga.read(question)).toContain("my copy.db is fine")
    await olga.post(question, { password: PASSWORD })
    await until(async () => (await lastRestore(app.store))?.ok === true)
    expect(await app.store.organizations.findBySlug("later")).toBeNull()
  })

  test("that is no backup is refused with the reason, and leaves nothing behind", async () => {
    await using app = await startApp()
    const olga = await operatorOf(app)
    for (const name of ["holiday.jpg", "adbooth-20261101T000000Z.db", "../../adbooth.db"]) {
      const answer = await sent(olga, name, new Blob(["a picture"]))
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("cannot be restored")])
    }
    expect(await readdir(join(app.config.data, "backups"))).toEqual([])
  })
})
