import { createHash } from "node:crypto"

export const LINES = 5_000
export const SELLER = "acme-audio"
export const FLIGHT_START = "2026-01-01"

/** Package ids that look random, as real ones do, and are the same in every run. */
export function packageId(line: number): string {
  const hex = createHash("sha256").update(`line ${line}`).digest("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export const packageIds: readonly string[] = Array.from({ length: LINES }, (_, line) => packageId(line))

/** The part of an import file that gives the product its lines. */
export function importedLines() {
  return {
    organizations: [
      { slug: SELLER, name: "Acme Audio", time_zone: "Europe/Berlin" },
      { slug: "brand-co", name: "Brand Co" },
    ],
    campaigns: [{ slug: "autumn", name: "Autumn", buyer: "brand-co", lines: packageIds.map(importedLine) }],
  }
}

function importedLine(id: string, line: number) {
  const terms = { pricing_basis: "impressions", flight_start: FLIGHT_START, booked: 5_000_000 }
  return { package_id: id, seller: SELLER, name: `Line ${line}`, ...terms }
}
