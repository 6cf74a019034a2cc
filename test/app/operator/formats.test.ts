import { expect, test } from "bun:test"
import { call, givenProduct, productOf } from "../../harness/agent/agent.ts"
import { namesOn, rowsOf } from "../given.ts"
import { FORMATS, type OperatorSite, startOperator } from "./given.ts"

const NEW = { formatId: "takeover", name: "Home takeover", size: "970x250", kilobytes: "400" }

async function formatOf({ app }: OperatorSite, id: string) {
  const { formats } = await call(app, "list_creative_formats", {})
  return formats.find(({ format_id }: { format_id: { id: string } }) => format_id.id === id)
}

test("a new format is listed as yours, and agents see it at once", async () => {
  await using site = await startOperator()
  const saved = await (await site.open(`${FORMATS}/new`)).send(NEW)
  expect(saved.path).toBe(`${FORMATS}/takeover`)
  expect(rowsOf(await site.open(`${FORMATS}?state=own`), "Formats")).toEqual([
    "Home takeover takeover Image 970x250 px – Yours",
  ])
  expect(await formatOf(site, "takeover")).toMatchObject({
    name: "Home takeover",
    assets: [{ asset_type: "image", requirements: { max_file_size_kb: 400 } }, { asset_type: "url" }],
  })
})

test("an ID that exists is refused, and so is one with other characters", async () => {
  await using site = await startOperator()
  const form = await site.open(`${FORMATS}/new`)
  expect((await form.send({ ...NEW, formatId: "audio_30s_hosted" })).text).toContain("A built-in format has this ID.")
  const odd = await form.send({ ...NEW, formatId: "a b" })
  expect([odd.status, odd.control("formatId")["aria-invalid"]]).toEqual([422, "true"])
  await form.send(NEW)
  expect((await form.send(NEW)).control("formatId")["aria-invalid"]).toBe("true")
})

test("a changed built-in format is your version, until the built-in one is used again", async () => {
  await using site = await startOperator()
  const page = await site.open(`${FORMATS}/audio_30s_hosted`)
  const original = await formatOf(site, "audio_30s_hosted")
  await page.send({ name: "Radio spot" })
  expect(await formatOf(site, "audio_30s_hosted")).toEqual({ ...original, name: "Radio spot" })
  const changed = await site.open(`${FORMATS}/audio_30s_hosted`)
  expect(changed.text).toContain("Your version")
  await (await site.open(`${FORMATS}/audio_30s_hosted/remove`)).send()
  expect(await formatOf(site, "audio_30s_hosted")).toEqual(original)
})

test("a built-in format is hidden and shown again, unless a product takes it", async () => {
  await using site = await startOperator()
  await givenProduct(site.app, productOf("a"))
  const used = await (await site.open(`${FORMATS}/display_300x250_image/remove`)).send()
  expect(used.text).toContain("These products use it: a. Remove it from them first.")
  const hidden = await (await site.open(`${FORMATS}/audio_15s_hosted/remove`)).send()
  expect(hidden.text).toContain("is hidden.")
  expect(await formatOf(site, "audio_15s_hosted")).toBeUndefined()
  expect(namesOn(await site.open(`${FORMATS}?state=hidden`))).toEqual(["Audio spot, 15 seconds"])
  const page = await site.open(`${FORMATS}/audio_15s_hosted`)
  await page.form(`${FORMATS}/audio_15s_hosted/show`).send()
  expect(await formatOf(site, "audio_15s_hosted")).toBeDefined()
})

test("an own format is deleted", async () => {
  await using site = await startOperator()
  await (await site.open(`${FORMATS}/new`)).send(NEW)
  expect((await (await site.open(`${FORMATS}/takeover/remove`)).send()).text).toContain("Home takeover is deleted.")
  expect((await site.open(`${FORMATS}/takeover`)).status).toBe(404)
})

test("saving over another person's change of a format shows both versions", async () => {
  await using site = await startOperator()
  await (await site.open(`${FORMATS}/new`)).send(NEW)
  const [mine, theirs] = [await site.open(`${FORMATS}/takeover`), await site.open(`${FORMATS}/takeover`)]
  await theirs.send({ name: "Theirs" })
  const merged = await mine.send({ name: "Mine" })
  expect(merged.text).toContain("Someone else saved “Theirs”. You typed “Mine”.")
  await merged.send()
  expect((await site.open(`${FORMATS}/takeover`)).fields["name"]).toBe("Mine")
})
