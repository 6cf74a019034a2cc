import { describe, expect, test } from "bun:test"
import { saveFormat } from "../../../../given.ts"
import { startApp, type TestApp } from "../../../../harness.ts"
import { givenMarket, givenPerson } from "../../given.ts"
import { signedIn, type Visitor } from "../../visitor.ts"

const NEW = "/app/operator/formats/new"

const IMAGE = {
  "assets.0.~shape": "image",
  "assets.0.~from": "",
  "assets.0.asset_id": "banner_image",
  "assets.0.required": "true",
}

async function operatorOf(app: TestApp): Promise<Visitor> {
  await givenMarket(app)
  return signedIn(app, await givenPerson(app, { isOperator: true }))
}

const stored = async ({ store }: TestApp) => (await store.catalogue.formats()).map(({ body }) => body)

describe("a format by its form", () => {
  test("is made without a line of JSON", async () => {
    await using app = await startApp()
    const operator = await operatorOf(app)
    const made = await operator.post(NEW, {
      "format_id.id": "takeover",
      name: "Takeover",
      "canonical.kind": "image",
      ...IMAGE,
      "assets.0.requirements.max_width": "970",
      "assets.0.requirements.formats": "png",
    })
    expect([made.status, made.headers.get("location")]).toEqual([303, "/app/operator/format/takeover"])
    expect(await stored(app)).toEqual([
      {
        format_id: { id: "takeover" },
        name: "Takeover",
        canonical: { kind: "image" },
        assets: [
          {
            item_type: "individual",
            asset_type: "image",
            asset_id: "banner_image",
            required: true,
            requirements: { max_width: 970, formats: ["png"] },
          },
        ],
      },
    ])
  })

  test("names everything that is wrong at once, each at its field", async () => {
    await using app = await startApp()
    const operator = await operatorOf(app)
    const answer = await operator.post(NEW, {
      "format_id.id": "video_vast",
      name: "",
      example_url: "nowhere",
      ...IMAGE,
      "assets.0.asset_id": "",
      "assets.0.requirements.max_width": "1.000",
      "assets.0.requirements.min_height": "0",
    })
    const html = await answer.text()
    expect(answer.status).toBe(422)
    const errors = [...html.matchAll(/<li><a href="#([^"]+)">([^<]+)<\/a>/g)].map(([, field, text]) => [field, text])
    expect(Object.fromEntries(errors)).toEqual({
      "format_id.id": expect.stringContaining("already exists"),
      name: "Enter the name.",
      example_url: expect.stringContaining("must be a URL"),
      "assets.0.asset_id": "Enter the asset ID.",
      "assets.0.requirements.max_width": expect.stringContaining("can mean 1000 or 1"),
      "assets.0.requirements.min_height": "Smallest height must be a number, above 0.",
    })
    expect(await stored(app)).toEqual([])
  })

  test("rows are added and removed without losing what was typed, and nothing is saved meanwhile", async () => {
    await using app = await startApp()
    const operator = await operatorOf(app)
    const added = await operator.post(NEW, {
      name: "Half done",
      ...IMAGE,
      add_row: "assets",
      "new_row.assets": "audio",
    })
    const html = await added.text()
    expect([added.status, html.includes('value="Half done"'), html.includes("Asset 2: Audio")]).toEqual([
      200,
      true,
      true,
    ])
    const removed = await operator.post(NEW, { name: "Half done", ...IMAGE, remove_row: "assets.0" })
    expect(await removed.text()).not.toContain("Asset 1")
    expect(await stored(app)).toEqual([])
  })

  test("keeps what it does not show", async () => {
    await using app = await startApp()
    const operator = await operatorOf(app)
    const imported = {
      format_id: { id: "rich" },
      name: "Rich",
      input_format_ids: [{ id: "display_300x250_image" }],
      canonical: { kind: "image" },
    }
    await saveFormat(app, imported)
    const saved = await operator.edit("/app/operator/format/rich", { name: "Richer", "canonical.kind": "image" })
    expect(saved.status).toBe(303)
    expect(await stored(app)).toEqual([{ ...imported, name: "Richer" }])
  })
})
