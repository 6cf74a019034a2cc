import { expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { startApp, type TestApp, type TestAppOptions } from "../../harness/app.ts"
import { makeRealBackups } from "../../harness/backups.ts"
import { type Browse, browse, sessionFor } from "../../harness/browser/browse.ts"
import { chooseInApp } from "../../harness/data/jobs.ts"
import { head, openConnection } from "../../harness/sockets.ts"
import { until } from "../../harness/until.ts"
import { givenPerson, PASSWORD, signInAs } from "../people/given.ts"

const BACKUPS = "/app/operator/backups"

interface Site extends AsyncDisposable {
  readonly app: TestApp
  readonly open: Browse
}

async function startWithOperator(options: TestAppOptions = {}): Promise<Site> {
  const app = await startApp(options)
  makeRealBackups(app)
  await givenPerson(app, { isOperator: true })
  const open = browse(app)
  await signInAs(open)
  return { app, open, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const make = async ({ open }: Site) => (await open(BACKUPS)).form(`${BACKUPS}/make`).send()

const FIRST = "adbooth-20261115T120000Z.db"
const pathOf = ({ app }: Site, name: string) => join(app.services.backups.folder, name)
const filesIn = ({ app }: Site) => readdirSync(app.services.backups.folder)

test("a backup is made, listed and checked", async () => {
  await using site = await startWithOperator()
  const made = await make(site)
  expect(made.text).toContain(`${FIRST} is made and checked.`)
  expect(made.text).toContain("On this server 1 backup")
  const checked = await made.form(`${BACKUPS}/${FIRST}/check`).send()
  expect(checked.text).toMatch(new RegExp(`${FIRST} is intact and can be restored: \\d+ rows`))
  await Bun.write(pathOf(site, FIRST), "no database")
  const broken = await checked.form(`${BACKUPS}/${FIRST}/check`).send()
  expect(broken.text).toContain(`${FIRST} is damaged`)
})

test("a download asks for the password again, and is noted", async () => {
  await using site = await startWithOperator()
  await make(site)
  const ask = await site.open(`${BACKUPS}/${FIRST}/download`)
  const wrong = await ask.send({ password: "something else" })
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("This password is wrong.")])
  const file = await ask.send({ password: PASSWORD })
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${FIRST}"`)
  expect(file.html).toStartWith("SQLite format 3")
  expect((await site.open("/app/operator/changes")).text).toContain(`downloaded the backup ${FIRST}`)
})

test("a restore asks for the password again, replaces everything and keeps what was replaced", async () => {
  await using site = await startWithOperator()
  await make(site)
  await givenPerson(site.app, { email: "later@example.com", name: "Lena Later" })
  site.app.clock.advance({ hours: 1 })
  const ask = await site.open(`${BACKUPS}/${FIRST}/restore`)
  expect((await ask.send({ password: "" })).text).toContain("This password is wrong.")
  const restored = await ask.send({ password: PASSWORD })
  expect(restored.title).toStartWith("Sign in")
  expect(restored.text).toContain(`${FIRST} is restored.`)

  await signInAs(site.open)
  expect((await site.open("/app/operator/users")).text).not.toContain("Lena Later")
  const after = await site.open(BACKUPS)
  expect(after.text).toContain("What was there before is kept as adbooth-20261115T130000Z.db.")
  await (await site.open(`${BACKUPS}/adbooth-20261115T130000Z.db/restore`)).send({ password: PASSWORD })
  await signInAs(site.open)
  expect((await site.open("/app/operator/users")).text).toContain("Lena Later")
})

test("a backup that can't be restored changes nothing", async () => {
  await using site = await startWithOperator()
  await make(site)
  await Bun.write(pathOf(site, FIRST), "no database")
  const failed = await (await site.open(`${BACKUPS}/${FIRST}/restore`)).send({ password: PASSWORD })
  expect(failed.text).toContain("Nothing was changed:")
  expect(failed.path).toBe(BACKUPS)
})

test("while something is under way, the page says so, loads itself again, and nothing else begins", async () => {
  await using site = await startWithOperator()
  const { create } = site.app.services.backups
  const released = Promise.withResolvers<void>()
  Object.assign(site.app.services.backups, {
    async create(name: string) {
      await released.promise
      return create(name)
    },
  })
  const started = await make(site)
  expect(started.text).toContain("A backup is being made. This page shows when it’s done.")
  expect(started.html).toContain('<meta http-equiv="refresh"')
  expect((await make(site)).text).toContain("Something else is under way.")
  released.resolve()
  let page = await site.open(BACKUPS)
  while (page.html.includes('http-equiv="refresh"')) page = await site.open(BACKUPS)
  expect(page.text).toContain(`${FIRST} is made and checked.`)
  expect((await site.open(BACKUPS)).text).not.toContain("is made and checked")
})

test("an uploaded backup is checked, listed and offered for a restore", async () => {
  await using site = await startWithOperator()
  await make(site)
  const bytes = await Bun.file(pathOf(site, FIRST)).bytes()
  const form = (await site.open(BACKUPS)).form(`${BACKUPS}/upload`)
  const older = await form.send({ backup: new File([bytes], "adbooth-20260301T000000Z.db") })
  expect(older.path).toBe(`${BACKUPS}/adbooth-20260301T000000Z.db/restore`)
  site.app.clock.advance({ hours: 1 })
  const own = await form.send({ backup: new File([Bun.gzipSync(bytes)], "../../mine.gz") })
  expect(own.path).toBe(`${BACKUPS}/adbooth-20261115T130000Z.db/restore`)
  expect(await Bun.file(pathOf(site, "adbooth-20260301T000000Z.db")).bytes()).toEqual(bytes)
})

test("a file that isn't a backup, a known one and no file at all are refused at the field", async () => {
  await using site = await startWithOperator()
  await make(site)
  const bytes = await Bun.file(pathOf(site, FIRST)).bytes()
  const form = (await site.open(BACKUPS)).form(`${BACKUPS}/upload`)
  site.app.clock.advance({ hours: 1 })
  const texts = new File(["hello ".repeat(200_000)], "hello.db")
  for (const [backup, why] of [
    [texts, "The uploaded file is damaged"],
    [new File([bytes], FIRST), `${FIRST} is in the list already.`],
    [new File([], ""), "Choose a file."],
  ] as const) {
    const refused = await form.send({ backup })
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(why)])
    expect(refused.html).toContain('<a href="#backup">')
  }
  expect(filesIn(site)).toEqual([FIRST])
})

const START = '--x\r\nContent-Disposition: form-data; name="backup"; filename="a.db"\r\n\r\nSQLite format 3'

test("an upload that breaks off leaves nothing behind, and the server goes on", async () => {
  await using site = await startWithOperator()
  const headers = { "content-type": "multipart/form-data; boundary=x", origin: site.app.url }
  const short = await site.open(`${BACKUPS}/upload`, { method: "POST", body: START, headers })
  expect(short.status).toBe(400)

  const cookie = `adbooth_session=${await sessionFor(site.app, { isOperator: true })}`
  const all = Object.entries({ ...headers, cookie, "content-length": "9000000" })
  const connection = await openConnection(site.app.port)
  connection.send(head(`POST ${BACKUPS}/upload`, ...all.map(([name, value]) => `${name}: ${value}`)) + START)
  await until(() => filesIn(site).length === 1)
  connection[Symbol.dispose]()
  await until(() => filesIn(site).length === 0)
  expect((await make(site)).text).toContain("is made and checked")
})

test("the schedule is chosen here, unless a server option decides", async () => {
  await using site = await startWithOperator()
  const saved = await (await site.open(BACKUPS)).send({ every: "86400000000", keep: "3" })
  expect(saved.fields).toMatchObject({ keep: "3" })
  expect((await site.open("/app/operator/system")).text).toContain("Every day, 3 copies kept Chosen here")
  expect((await saved.send({ every: "5", keep: "0" })).text).toContain("Enter a whole number from 1 to 10000.")

  await using set = await startWithOperator({ options: { backupEvery: 3_600_000_000 } })
  const page = await set.open(BACKUPS)
  expect(page.text).toContain("A server option takes precedence: Every hour")
  expect((await page.send({ keep: "9" })).fields["keep"]).toBe("9")
})

test("a copy in the bucket is fetched, and can be restored then", async () => {
  await using site = await startWithOperator()
  const bucket = { endpoint: null, region: null, bucket: "b", prefix: "", keyId: "k", secret: "s", keep: 7 }
  await chooseInApp(site.app, "secret.bucket", bucket)
  await make(site)
  const copy = "adbooth-20260301T000000Z.db"
  site.app.world.bucket.set(copy, await Bun.file(pathOf(site, FIRST)).bytes())
  const page = await site.open(BACKUPS)
  expect(page.text).toContain("Copies in the bucket 2 copies")
  const fetched = await page.form(`${BACKUPS}/${copy}/fetch`).send()
  expect(fetched.text).toContain(`${copy} is on this server now, and can be restored.`)
  expect(filesIn(site).sort()).toEqual([copy, FIRST])
  site.app.world.bucketProblem = "Access denied."
  expect((await site.open(BACKUPS)).text).toContain("The copies can’t be listed: Access denied.")
})

test("a name that isn't one of a listed backup leads nowhere", async () => {
  await using site = await startWithOperator()
  for (const name of [FIRST, "..%2Fadbooth.db", "adbooth.db"])
    for (const action of ["download", "restore"])
      expect([name, (await site.open(`${BACKUPS}/${name}/${action}`)).status]).toEqual([name, 404])
})
