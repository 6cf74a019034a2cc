import { expect, test } from "bun:test"
import { givenPerson, startMarket } from "./given.ts"
import { PIXEL, pathOf } from "./paths.ts"
import { signedIn, visitor } from "./visitor.ts"

const SETTINGS = "/app/o/acme-audio/settings"

function withFile(bytes: Uint8Array, type: string): FormData {
  const data = new FormData()
  data.append("logo", new File([new Uint8Array(bytes)], "logo.png", { type }))
  return data
}

test("a logo is uploaded, stands on the shared report, and is served as a picture and nothing else", async () => {
  await using app = await startMarket()
  const ada = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const share = await pathOf(app, {
    method: "GET",
    path: "/app/share/:token",
    who: "anyone",
    answer: () => new Response(),
  })
  const stranger = visitor(app)
  expect((await stranger.get(`${share}/logo`)).status).toBe(404)
  const pixel = Uint8Array.fromBase64(PIXEL)
  // The type that the browser claims counts for nothing.
  expect((await ada.post(`${SETTINGS}/logo`, withFile(pixel, "text/html"))).status).toBe(303)
  expect((await stranger.read(share)).includes(`src="${share}/logo"`)).toBe(true)
  const answer = await stranger.get(`${share}/logo`)
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(pixel)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/png",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
  })
  await ada.post(`${SETTINGS}/logo/remove`)
  expect((await stranger.get(`${share}/logo`)).status).toBe(404)
  expect((await stranger.read(share)).includes("/logo")).toBe(false)
})

test("what is no picture is refused at its field, and members may not change it", async () => {
  await using app = await startMarket()
  const ada = await signedIn(app, await givenPerson(app, { of: "acme-audio", role: "admin" }))
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
  const refused = await ada.post(`${SETTINGS}/logo`, withFile(svg, "image/png"))
  const html = await refused.text()
  expect([refused.status, html.includes("This is not a PNG, JPEG or WebP picture, or it is damaged.")]).toEqual([
    422,
    true,
  ])
  const none = await ada.post(`${SETTINGS}/logo`, new FormData())
  expect([none.status, (await none.text()).includes("Choose a picture.")]).toEqual([422, true])
  const mo = await signedIn(app, await givenPerson(app, { of: "acme-audio" }))
  expect((await mo.post(`${SETTINGS}/logo`, withFile(Uint8Array.fromBase64(PIXEL), "image/png"))).status).toBe(403)
})
