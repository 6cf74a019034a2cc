import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { isInNetworks, isPublicAddress, parseCidr } from "../../../src/domain/callers/client-address.ts"

const PRIVATE =
  "0.0.0.0 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.255 169.254.169.254 168.63.129.16 172.16.0.1 172.31.255.255 192.0.0.192 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1 fe80::1 fe80::1%eth0 fd00:ec2::254 fc00::1 ff02::1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::a9fe:a9fe 2002:7f00:1::1 2001::1 2001:db8::1 3fff::1 100::1"
const PUBLIC =
  "1.1.1.1 8.8.8.8 93.184.216.34 172.32.0.1 172.15.255.255 100.63.0.1 100.128.0.1 2606:4700:4700::1111 2a00:1450::1 64:ff9b::808:808 ::ffff:8.8.8.8"

describe("an address", () => {
  test.each(PRIVATE.split(" "))("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(PUBLIC.split(" "))("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test("that carries an IPv4 address is as public as that one", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number)
        const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
        for (const carrier of [`::ffff:${address}`, `::ffff:${hex}`, `64:ff9b::${hex}`])
          expect([carrier, isPublicAddress(carrier)]).toEqual([carrier, isPublicAddress(address)])
      }),
    )
  })

  test("that is no address at all is not public, and in no network", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[\d.:a-f%]+$/i.test(text))
        expect(isPublicAddress(text)).toBe(false)
        expect(isInNetworks(text, [{ address: "0.0.0.0", bits: 0 }])).toBe(false)
      }),
    )
  })

  test("is in a network that was named", () => {
    const networks = [parseCidr("10.1.0.0/16"), parseCidr("fd00::/8")].filter((block) => block !== undefined)
    expect(isInNetworks("10.1.2.3", networks)).toBe(true)
    expect(isInNetworks("::ffff:10.1.2.3", networks)).toBe(true)
    expect(isInNetworks("fd12::1", networks)).toBe(true)
    expect(isInNetworks("10.2.0.1", networks)).toBe(false)
    expect(isInNetworks("10.1.2.3", [])).toBe(false)
  })
})
