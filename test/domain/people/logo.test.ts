import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { LOGO_BYTES_MAX, readLogo } from "../../../src/domain/people/logo.ts"

const word = (text: string) => [...text].map((letter) => letter.charCodeAt(0))
const big = (value: number, count: number) =>
  Array.from({ length: count }, (_, at) => (value >>> (8 * (count - 1 - at))) & 255)
const little = (value: number, count: number) => big(value, count).reverse()

const PNG = (width: number, height: number) =>
  Uint8Array.from([
    0x89,
    ...word("PNG"),
    13,
    10,
    26,
    10,
    ...big(13, 4),
    ...word("IHDR"),
    ...big(width, 4),
    ...big(height, 4),
  ])
const JPEG = (width: number, height: number) => {
  const comment = [0xff, 0xfe, ...big(6, 2), 1, 2, 3, 4]
  return Uint8Array.from([0xff, 0xd8, ...comment, 0xff, 0xc2, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), 3])
}
const webp = (kind: string, body: readonly number[]) =>
  Uint8Array.from([
    ...word("RIFF"),
    0,
    0,
    0,
    0,
    ...word("WEBP"),
    ...word(kind),
    0,
    0,
    0,
    0,
    ...body,
    ...new Array(12).fill(0),
  ])
const WEBP = {
  lossy: (width: number, height: number) =>
    webp("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)]),
  lossless: (width: number, height: number) => webp("VP8L", [0x2f, ...little((width - 1) | ((height - 1) << 14), 4)]),
  extended: (width: number, height: number) =>
    webp("VP8X", [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)]),
}

describe("a logo", () => {
  test.each([
    ["PNG", PNG, "image/png"],
    ["JPEG", JPEG, "image/jpeg"],
    ["WebP, lossy", WEBP.lossy, "image/webp"],
    ["WebP, lossless", WEBP.lossless, "image/webp"],
    ["WebP, extended", WEBP.extended, "image/webp"],
  ])("%s is told by its content, and its size is read before anybody decodes it", (_, make, mediaType) => {
    expect(readLogo(make(300, 80))).toMatchObject({ ok: true, logo: { mediaType } })
    for (const [width, height] of [
      [9_000, 80],
      [300, 4_001],
    ] as const) {
      expect(readLogo(make(width, height))).toMatchObject({
        ok: false,
        message: expect.stringContaining(`${width} × ${height}`),
      })
    }
  })

  test.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["GIF", "GIF89a................................"],
    ["nothing", ""],
    ["half a PNG", String.fromCharCode(0x89)],
  ])("%s is refused", (_, text) => {
    expect(readLogo(Uint8Array.from(text, (letter) => letter.charCodeAt(0))).ok).toBe(false)
  })

  test("one that is too large is refused with the limit", () => {
    const large = new Uint8Array(LOGO_BYTES_MAX + 1)
    large.set(PNG(10, 10))
    expect(readLogo(large)).toMatchObject({ ok: false, message: expect.stringContaining("256 KB") })
  })

  test("whatever the bytes are, it is read or refused, and never throws", () => {
    const starts = [PNG(10, 10), JPEG(10, 10), WEBP.lossy(10, 10), WEBP.extended(10, 10), new Uint8Array()]
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(40), fc.uint8Array({ maxLength: 200 }), (start, cut, rest) => {
        const bytes = Uint8Array.from([...start.subarray(0, cut), ...rest])
        expect(typeof readLogo(bytes).ok).toBe("boolean")
      }),
    )
  })
})
