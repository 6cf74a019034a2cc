export interface ExampleLine {
  readonly packageId: string
  readonly pricingBasis: string
}

/** A request that reports delivery, to try in a terminal. */
export function deliveryCurl(address: string, key: string, { packageId, pricingBasis }: ExampleLine): string {
  const figure = pricingBasis === "flat_rate" ? {} : { [pricingBasis]: 1000 }
  return [
    `curl ${address} \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ items: [{ package_id: packageId, ...figure }] })}'`,
  ].join("\n")
}
