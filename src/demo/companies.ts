import type { ImportedOrganization } from "../domain/import/import-file.ts"
import type { MemberRole } from "../domain/people/organization.ts"

// Two that sell, and those that buy. None of them exists.
export const PODCASTS = "lighthouse-audio"
export const NEWS = "harbour-post"
export const TRAVEL = "fernweh-travel"

const BUYERS: Readonly<Record<string, string>> = {
  tulpenhof: "Tulpenhof",
  "moewe-outfitters": "Möwe Outfitters",
  kaffeewerk: "Kaffeewerk",
  "nordlicht-rail": "Nordlicht Rail",
  "windkraft-nord": "Windkraft Nord",
  "hanse-museum": "Hanse Museum",
  "klinge-co": "Klinge & Co",
  bergfest: "Bergfest",
  kontorbuch: "Kontorbuch",
}

export const organizations: ImportedOrganization[] = [
  { slug: PODCASTS, name: "Lighthouse Audio", time_zone: "Europe/Berlin" },
  { slug: NEWS, name: "The Harbour Post", time_zone: "Europe/London" },
  { slug: TRAVEL, name: "Fernweh Travel", time_zone: "Europe/Vienna" },
  ...Object.entries(BUYERS).map(([slug, name]) => ({ slug, name, time_zone: "Europe/Berlin" })),
]

export interface Person {
  readonly email: string
  readonly name: string
  readonly isOperator: boolean
  readonly membership: { readonly organization: string; readonly role: MemberRole } | null
  /** What the person can do, in a few words. */
  readonly does: string
}

const person = (email: string, name: string, does: string, organization?: string, role?: MemberRole): Person => ({
  email,
  name,
  isOperator: organization === undefined,
  membership: organization === undefined ? null : { organization, role: role ?? "admin" },
  does,
})

export const people: readonly Person[] = [
  person("olga@adbooth.example", "Olga Operator", "operator: runs the installation"),
  person("ada@lighthouse.example", "Ada Brandt", "admin of Lighthouse Audio, which sells", PODCASTS),
  person("mo@lighthouse.example", "Mo Ferreira", "member of Lighthouse Audio", PODCASTS, "member"),
  person("henry@harbour.example", "Henry Okafor", "admin of The Harbour Post, which sells", NEWS),
  person("flora@fernweh.example", "Flora Lindner", "admin of Fernweh Travel, which buys", TRAVEL),
]

/** The mark of Lighthouse Audio, drawn for the demo: a lighthouse that sends sound. WebP, 112 pixels wide and high. */
export const LIGHTHOUSE = Uint8Array.fromBase64(
  "UklGRigMAABXRUJQVlA4WAoAAAAwAAAAbwAAbwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZBTFBIngQAAAGgBQGQaTuad1/q2aza2LZ917Ft27Zt27bN81ZxcmPbyVOsU7c/unO3+5xZfkXEBKj/ywb4/8WkdLlSaiU6h1SpeID4UlI5oi3U1Q2HQ0V6mgAAZk+RMAPcXS1TFwBgiYDPOvjqOh+BlQAAtSyS4x26w5fSBR66UvI9Qm+zWSLoOuCpbKXiweP4UmyzEFwNsMJWwNcCuHqa8CfNnlzB1xFstEANwO+yKV6fdcC4zodHZX+HoLKY13mitqL98nt7lNIFrK6UHnnn96VUA+K0WHXAUxRd+CU8Ke1BqXhgji/lQZkn8LQgpWYgqCTkdRE99aFSJgJAfOBXeprAbvb8SkgCACR8Q/m/QGeEigDupUjvY4ALEj7rQHSdD1Ec8K8pCDUAQX6ZESgxiOoG+J4PSukCYVdK5P8QQScq9A0aLHMGzVdk4EviO6WUit5kGIYRd8bFeibOMAxjU7RSSpUjnvkRaik6JhIFuDo1FPBK5WH5V8D86nvl4WoEA6m6yB0t0QqZAdQLFB/pyTJgn+dJZBK6T4W6AQCaSsxGRxSZC3BD5ek9vnueqGYIshHqNzRVYiOaSvVEn5THl/kueaQ+oi7UbLRaIg4NpJah03a4gBZRw9FBiSuoLbUbrbLDerSN6ozOS7xANak/0GA7jEC/UvXRI4k7qAV1CM22w1x0gGqJbkkcQ/2pNeg3OxxDK6iB6HeJ7WgaNRW9tcM7NJGaibZILERrqCYI0lsvC+D61EY0V2IUukZFu9F4601BZih1Bw2TqIkgPaGOITOXJ8P4hnmS30RxiswOuIpEgIl6UI0QnPZC6ZxOp7Pq/BMu1hPzqzqdTmc65H0JcF2qN/rkL6EOoKOUuoigCxoGFhyGegA+o+g4tFuJdkbuXFQRN/oQZqXID8gsQOUG3F4m6gMAwB5KDUVQwEpFAQ9U9GH0NlxGjUfgpBzHAGC/l5VSHAaA3xzUj4BHK+Go9+hGAKEid76a46OspHzmvdoaqcigO+hNuJSagmApxbiMY5niXgt4nBKP+oSgJpfBYXA1Afw+Sk51Jd6kY7rHcY8pw3uivbLiZgRbeRwmh+ng2QV4nbJk8C10mycdsKbjeYCuBVhD5foIAK14nDxOno4A8D6Hsmrxi88aKd52PM14VNMXF4sr+0/jGcekyW0823Tm4nHpLJknWWNhwBymr3xc+fRVjauavoZyDdXXKa6T+nrE9Uhf77je6cvN5dZWWmCP1VVzvhq6msY3Xld7+fbo6grfJV3F873U1We+T5pyuPncDj0VAME8emooUU9PzSSa6WmYxDA9LZNYpidDwtDTM4l7WgoDSdOho3wikE1H1WSq6aibTDcdTZOZpqNtMtt0FC8TryO3jFtDsSAcq5/aUjX1M0ZqlH62Sm3Wz0Wps/qJl3qqn89SH7TjcEu5HbopCOJ5ddNero1u5srN0s1huQO62Sy3STeGnKGbe3L3NOMw5UyHXtKBBdPppZwVnHrpZoVmWig096BBHndZ8JhBHpxbyEblwKbl7HPOLuds43hjl1cOu6h7drmnbLvaLivtk+6cPc6ls49SMSWdli8Zq/7jBlZQOCCUBQAAMB8AnQEqcABwAD5RIo5Eo6IhFTkGiDgFBLUBMAEAAfgBbOo3iR+o84uxf1X8Pevjti6H/uXo2eM/sX+x+3D4N+ob9EewR+sfSR8wH7H/t37yX9V/YD3Q/sz7AH9R/u3pb+wb6AH7Cemb+0vwZf17/h+kZ//+sA///Cq9pf9j+oC6NHAR1bgzx1jNW8A9ABGuZmd8tyko6qQg7+0ODEvAs53FxZg/hoHW1FXH6pMg8mNcePqqY0bBj//SOd9u7C/7QYz1mWz1/GDJdDmdbrT0NeNBq5e6AlVgPNF0+CPJ+AHgnd9ogohgs16Fs/m0P5kO7Hd+hKLHj4U5uzRBS/UJ7vJAAP788///rrPuO6kEQr5aDu0DdoZsFa9vkHgdxyNNUZsw47JooLI5Hk/FlZrAv0F/sYLD4SDtKx6YiAZkPiKkm+H0OauFtlQQFIKEDFp3lHKS6b2VBMgHWXxrBTbhiADqNA9ctq4IsbX7X0u7ySXTI7ftRn91J33//5t/76DpoBpM02CgSWxtrQszrevGX+zMJZDCLuxI9B6x7PlHXFrlmS9pFKCCfsKR8F6Oy0Uh5GxmLp9xgXItkXHCwd/5wf//e/3xvVbZ7Yq/P5PptVStoe+DHh1VrGKo5vo0qGf3WkiV22EUnzyYNYUNCvJbzpj5qtU/Va9Z76uPufOXiGuzE8HHL8x2LrnFZrUGcX35ry71mkUhH++1G7xVUI4t27kTGZmvh82KV6+QDbFWg5t82k0dLIDvvDgk08ecDRmW9U2Ux+npWubnj7mHhgopAFWCNlk6BwWEDShSwUB9/O1q1OLBY5js8BAijXEnMmIcd0VfM8GFzjag3DhW3fyy+T142My2eKeMSzORg5xfVvURHsaPFjd51T3nl1lGtgzFH1jX6AQtTnkeZcjjFZ2Dd4J6zNBq3BFooQVJrECS/+XdP1/tTzTe+zci/54rn5mG5kfXEIJjlyXWiWYm+GmKK52W1lm9g9dpLHLHZXBgf5j87IFvPYZFJDSI+VpXOx30ajZS+Ll/+SVFhdnTG4UbCM9RgCpfdD9VQMzFeW2I0T4OfmwniO9mXlV9eXQApNSJ0TZPLmf/s/4829tCHgCz0+ufPQ8cwpOfyi/Ux7+iCtE+kjcPIAMkQJP7TXP9Ur/ljTa3T+v0aqLhRF0AO1yDQcgqrtXFrAA4BudnUFBPTHSfqfd72MDKK6dgTu24eFnBLh/ZT5oShC81Lp1avNrrZj8zbLCvb2WKYwXSaz0gbRg8bsL4HLXwSL/DZg2yLIyxOz0zNSvd8WR/66BQIri5fLxa3hx/+jcpgusKsHKkJDKEHjz6zcq68GrRSqk0SlO39Y9Y+LNag/h/2i5u/em3c4PXu4yqacIN0RMMbWrfsb8qs5g6OPpnHAZvzhi+shU4y90+GlDCZ8zJNp9KiNyfqzen1mVyBmbfEEKOAKu6ouuXDfwVgbm7jNIL0rkM57lEmcD9BZD8OYFbYj68hZPZiy0Lq1YWC3CDpvCVPhAAACYknKWOsmfBTSEwUw6m7he5VyX1v95KG+85/H7hV8chTlw5fHVHj1wPdzAv/QiUXz8wcIXHJ3F3NqN+ZSeo1OBeHJYzMPIIPlIr0DiyGZAv7HBreHB9DVwk8c0Dg9/EhHoJoi5udPN6drgY/ihoo6hAGo91VGrtjo962fB5aZHWKQ/pHD7B91LqRdugh9BNGEQKsqJ+z1/5Yw4+57eSLuftaU+w0SjA676wXM9JNtUxGfjk8VJrsaE00UZ/3FN62LWYc836D71OO0QaR9QCLzdnrYsazJWBRNJXeuoQp1sxW+YQpSDN22OvI0aPurmJOX5d4N/IaodLbwOhi0v3UGAOD2jJTeZPXAjFD+RsgdK/1Z11ISXmWt/PJebk4AIwHCQOgAAA",
)
