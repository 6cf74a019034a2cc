import { describe, expect, test } from "bun:test"
import { createHash, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"
import { fingerprintOf, holdsKey, looksValid, maskKeys, mint, prefixOf } from "../../../src/domain/keys/api-key.ts"

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const wide = (text: string) => text.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
const FIRST_BOLD = { 0: 0x1d7ce, A: 0x1d400, a: 0x1d41a }
const bold = (letter: string) => {
  const first = /\d/.test(letter) ? "0" : /[A-Z]/.test(letter) ? "A" : "a"
  if (!/[0-9A-Za-z]/.test(letter)) return letter
  return String.fromCodePoint(FIRST_BOLD[first as keyof typeof FIRST_BOLD] + letter.charCodeAt(0) - first.charCodeAt(0))
}

describe("a key", () => {
  test("is its kind, then 32 random base62 characters, then a checksum of 6", () => {
    expect(mint("ingest", randomBytes)).toMatch(/^abi_[0-9A-Za-z]{38}$/)
    expect(mint("agent", randomBytes)).toMatch(/^aba_[0-9A-Za-z]{38}$/)
  })

  test("ends with the base62 CRC-32 of what precedes", () => {
    const secret = mint("ingest", randomBytes)
    let checksum = 0
    for (const character of secret.slice(-6)) checksum = checksum * 62 + BASE62.indexOf(character)
    expect(checksum).toBe(crc32(secret.slice(0, -6)))
  })

  test("takes every character with the same chance: bytes that would favour some are left out", () => {
    const seen = new Map<string, number>()
    for (let byte = 0; byte < 248; byte++) {
      const character = mint("ingest", (count) => new Uint8Array(count).fill(byte)).charAt(4)
      seen.set(character, (seen.get(character) ?? 0) + 1)
    }
    expect([...seen.values()]).toEqual(new Array(62).fill(4))

    let asked = 0
    const mostlyBiased = (count: number) => new Uint8Array(count).fill(asked++ < 8 ? 248 + asked - 1 : 61)
    expect(mint("ingest", mostlyBiased).slice(4, 36)).toBe("z".repeat(32))
  })

  test("is refused without a look into the database when its checksum, kind or form is wrong", () => {
    const secret = mint("ingest", randomBytes)
    expect(looksValid(secret, "ingest")).toBe(true)
    expect(looksValid(secret, "agent")).toBe(false)
    expect(looksValid(`aba_${secret.slice(4)}`, "agent")).toBe(false)
    expect(looksValid(`${secret}0`, "ingest")).toBe(false)
    expect(looksValid(secret.slice(0, -1), "ingest")).toBe(false)
    expect(looksValid("", "ingest")).toBe(false)
    for (let i = 0; i < secret.length; i++) {
      const changed = secret[i] === "x" ? "y" : "x"
      expect(looksValid(secret.slice(0, i) + changed + secret.slice(i + 1), "ingest")).toBe(false)
    }
    expect(looksValid(`abi_${"é".repeat(38)}`, "ingest")).toBe(false)
  })

  test("is stored as its SHA-256 fingerprint and its first 12 characters", () => {
    const secret = mint("agent", randomBytes)
    expect(fingerprintOf(secret)).toBe(createHash("sha256").update(secret).digest("hex"))
    expect(prefixOf(secret)).toBe(secret.slice(0, 12))
    expect(prefixOf(secret)).toHaveLength(12)
  })

  test("is masked wherever it stands in a text", () => {
    const secret = mint("agent", randomBytes)
    const text = maskKeys(`{"brief":"use ${secret} or ${mint("ingest", randomBytes)}, please"}`)
    expect(text).toBe('{"brief":"use aba_******** or abi_********, please"}')
    expect(maskKeys("abi_short stays")).toBe("abi_short stays")
  })

  test("is found in whatever way it is written, and never in other words", () => {
    const secret = mint("agent", randomBytes)
    const [start, rest] = [secret.slice(0, 3), secret.slice(4)]
    const percent = [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("")
    const ways = {
      plain: secret,
      "after a space": `${start}_ ${rest}`,
      "letter by letter": [...secret].join(" "),
      "for an address": `${start}%5F${rest}`,
      "for an address, every letter": percent,
      "for an address, with soft hyphens": encodeURIComponent([...secret].join("\u00ad")),
      "for a page": `${start}&#95;${rest}`,
      "for a page, hexadecimal": `${start}&#x5f;${rest}`,
      "for a program": `${start}\\u005f${rest}`,
      "without underscore": `${start}${rest}`,
      "the underscore as a word": `${start} underscore ${rest}`,
      "without its start": `the key is ${rest}.`,
      "with a start in capitals": `ABA${rest}`,
      "for an address within an address": `${start}%255F${rest}`,
      "for a page within a page": `${start}&amp;#95;${rest}`,
      "for a program, in two digits": `${start}\\x5f${rest}`,
      "in wide letters": wide(secret),
      "in bold letters": [...secret].map(bold).join(""),
    }
    for (const [way, text] of Object.entries(ways)) expect([way, holdsKey(text)]).toEqual([way, true])
    const words =
      "Alibaba's habitat: 100% ability & #95; a_b_a, abattoir; b2f1c0de99aa4b43b9a55a0d6f6f2f9a01aaaa".repeat(200)
    expect(holdsKey(words)).toBe(false)
    expect(holdsKey("alibaba_preroll_30s and alibaba_sponsored_homepage")).toBe(false)
  })
})
