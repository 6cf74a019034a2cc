import { expect, test } from "bun:test"
import { startApp } from "../harness/app.ts"
import { freePort } from "../harness/folder.ts"
import { type MailSettings, startMailServer } from "../harness/world/mail-server.ts"
import { startTalker } from "../harness/world/talker.ts"

const settingsFor = (port: number, changes: Partial<MailSettings> = {}): MailSettings => ({
  host: "127.0.0.1",
  port,
  tls: "none",
  user: null,
  password: null,
  from: "adbooth@example.com",
  fromName: "Adbooth",
  ...changes,
})

const LETTER = {
  id: "3f0c",
  to: "ops@example.com, sales@example.com",
  subject: "The feed “Nächtlich”\r\nBcc: x@example.com",
  text: "Nothing has arrived for 2 days.\n",
}

test("an email arrives once at each recipient, and a name can't add a header", async () => {
  await using server = await startMailServer()
  await using app = await startApp({ isConnected: true })
  expect(await app.services.mail(settingsFor(server.port), LETTER)).toBeNull()
  const [letter, ...others] = server.letters
  expect(others).toEqual([])
  expect(letter).toMatchObject({ from: "adbooth@example.com", to: ["ops@example.com", "sales@example.com"] })
  expect(letter?.source).toContain("Message-ID: <3f0c@example.com>")
  expect(letter?.source).toContain("Nothing has arrived for 2 days.")
  expect(letter?.source.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/m)
})

test("nothing is sent without encryption, unless the settings allow it", async () => {
  await using server = await startMailServer()
  await using app = await startApp({ isConnected: true })
  const problem = await app.services.mail(settingsFor(server.port, { tls: "starttls" }), LETTER)
  expect(problem).toContain("STARTTLS")
  expect(server.letters).toEqual([])
})

test("nothing is sent to a server with an untrusted certificate", async () => {
  await using server = await startMailServer({ user: "me", password: "right" })
  await using app = await startApp({ isConnected: true })
  const settings = settingsFor(server.port, { tls: "starttls", user: "me", password: "hunter2hunter2" })
  const problem = await app.services.mail(settings, LETTER)
  expect(problem).toMatch(/certificate|self.signed|altname/i)
  expect(problem).not.toContain("hunter2")
})

test("a refused recipient is named, and the others get the letter", async () => {
  await using server = await startMailServer({ refuses: "sales@example.com" })
  await using app = await startApp({ isConnected: true })
  const problem = await app.services.mail(settingsFor(server.port), LETTER)
  expect(problem).toBe("The mail server refused sales@example.com.")
  expect(server.letters).toMatchObject([{ to: ["ops@example.com"] }])
})

test.each([
  ["hangs up in the middle", ["220 hi", "250 hello", "250 ok"]],
  ["hangs up at the text", ["220 hi", "250 hello", "250 ok", "250 ok", "250 ok", "354 go on"]],
  ["speaks another language", ["HTTP/1.1 400 Bad Request"]],
  ["is too busy", ["421 come back later"]],
])("a server that %s is a problem in words", async (_, lines) => {
  using server = startTalker(lines)
  await using app = await startApp({ isConnected: true })
  expect(await app.services.mail(settingsFor(server.port), LETTER)).toStartWith("127.0.0.1: ")
})

test("if no server listens, the problem names the server", async () => {
  await using app = await startApp({ isConnected: true })
  expect(await app.services.mail(settingsFor(freePort()), LETTER)).toMatch(/^127\.0\.0\.1: .*ECONNREFUSED/)
})
