import { describe, expect, test } from "bun:test"
import { type Cidr, clientAddress, isEverybody, parseCidr } from "../../../src/domain/callers/client-address.ts"

const blocks = (...texts: string[]): Cidr[] =>
  texts.map((text) => {
    const block = parseCidr(text)
    if (block === undefined) throw new Error(`${text} is no block of addresses`)
    return block
  })

describe("the peer's own address counts", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["nonsense", "unknown"],
    ["", "unknown"],
    ["1:2:3:4:5:6:7:8:9", "unknown"],
    ["1::2::3", "unknown"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
    ["1:2:3:4:5:6:7::8", "unknown"],
    ["256.1.1.1", "unknown"],
    ["01.2.3.4", "unknown"],
    ["0:0:0:0:0:FFFF:203.0.113.7", "203.0.113.7"],
    ["0:0:0:1:0:ffff:203.0.113.7", "0:0:0:1::/64"],
    ["ffff::a:db8:0:10.206.135.1", "ffff:0:0:a::/64"],
  ])("%p is %p", (peer, name) => {
    expect(clientAddress(peer, null, [])).toBe(name)
  })
})

describe("X-Forwarded-For is believed only from proxies that the operator named", () => {
  const proxies = blocks("10.0.0.0/8", "2001:db8:ffff::/48", "192.0.2.1")
  test.each([
    ["a stranger claims to be another", "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["a proxy tells whom it serves", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["a single named address", "192.0.2.1", "198.51.100.1", "198.51.100.1"],
    ["its neighbour is not named", "192.0.2.2", "198.51.100.1", "192.0.2.2"],
    ["a proxy over IPv6", "2001:db8:ffff:1::1", "2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["a mapped proxy address", "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["two named proxies in a row", "10.1.2.3", "198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["the caller wrote a header of its own", "10.1.2.3", "1.2.3.4, 198.51.100.1", "198.51.100.1"],
    ["nonsense stops the reading", "10.1.2.3", "1.2.3.4, unknown", "10.1.2.3"],
    ["an empty header", "10.1.2.3", "", "10.1.2.3"],
    ["an address with its port", "10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
    ["an IPv6 address with its port", "10.1.2.3", "[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"],
    ["only proxies", "10.1.2.3", "10.7.7.7", "10.7.7.7"],
  ])("%s", (_, peer, header, name) => {
    expect(clientAddress(peer, header, proxies)).toBe(name)
  })

  test("the bits of a block are compared to the last one", () => {
    expect(clientAddress("10.0.0.127", "198.51.100.1", blocks("10.0.0.0/25"))).toBe("198.51.100.1")
    expect(clientAddress("10.0.0.128", "198.51.100.1", blocks("10.0.0.0/25"))).toBe("10.0.0.128")
    expect(clientAddress("10.0.0.128", "198.51.100.1", blocks("0.0.0.0/0"))).toBe("198.51.100.1")
  })
})

test.each([
  ["0.0.0.0/0", true],
  ["::/0", true],
  ["0.0.0.0/1", false],
  ["::/1", false],
  ["::/96", false],
  ["::ffff:0:0/96", true],
])("%p holds everybody: %p", (text, holds) => {
  expect(blocks(text).some(isEverybody)).toBe(holds)
})

test.each(["10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1", "proxy", ""])(
  "%p names no block of addresses",
  (text) => {
    expect(parseCidr(text)).toBeUndefined()
  },
)
