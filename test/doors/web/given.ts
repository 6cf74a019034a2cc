import { importCatalogue } from "../../../src/actions/catalogue/import-catalogue.ts"
import { createUser } from "../../../src/actions/people/users.ts"
import type { MemberRole } from "../../../src/domain/people/organization.ts"
import { startApp, type TestApp, type TestAppOptions } from "../../harness.ts"

export const LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a01"
export const OTHER_SELLERS_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a02"
export const DOWNLOADS_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a03"
export const FLAT_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a04"
export const OWN_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a06"
export const FUTURE_LINE = "0b8f5a0e-6d1c-4b43-9a55-0d6f6f2f9a05"

const line = (package_id: string, seller: string, name: string, more: object = {}) => ({
  package_id,
  seller,
  name,
  pricing_basis: "impressions",
  flight_start: "2026-11-01",
  flight_end: "2026-11-30",
  booked: 500000,
  ...more,
})

const MARKET = {
  organizations: [
    { slug: "acme-audio", name: "Acme Audio", time_zone: "Europe/Berlin" },
    { slug: "other-seller", name: "Other Seller" },
    { slug: "brand-co", name: "Brand Co" },
  ],
  campaigns: [
    {
      slug: "autumn",
      name: "Autumn",
      buyer: "brand-co",
      lines: [
        line(LINE, "acme-audio", "Pre-roll"),
        line(DOWNLOADS_LINE, "acme-audio", "Podcast", { pricing_basis: "downloads", booked: 20000 }),
        line(FLAT_LINE, "acme-audio", "Newsletter", { pricing_basis: "flat_rate", booked: null }),
        line(FUTURE_LINE, "acme-audio", "December", { flight_start: "2026-12-01", flight_end: "2026-12-31" }),
        line(OTHER_SELLERS_LINE, "other-seller", "Banner"),
      ],
    },
    { slug: "acme-only", name: "Acme only", buyer: "brand-co", lines: [line(OWN_LINE, "acme-audio", "Mid-roll")] },
  ],
}

/** The app with the market. */
export async function startMarket(wishes?: TestAppOptions): Promise<TestApp> {
  const app = await startApp(wishes)
  await givenMarket(app)
  return app
}

/** Two sellers and a buyer: both sell lines of the campaign "autumn" to Brand Co, and Acme Audio all of "acme-only". */
export async function givenMarket(app: TestApp): Promise<void> {
  const outcome = await importCatalogue(app, MARKET, "import")
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
}

interface PersonOptions {
  readonly of?: string
  readonly role?: MemberRole
  readonly isOperator?: boolean
  readonly password?: string
}

// Checking a password costs what its hash says: here almost nothing, which changes nothing else.
export const quickHash = (password: string) =>
  Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 })

let people = 0

/** An account; the id of the person. */
export async function givenPerson(app: TestApp, options: PersonOptions = {}): Promise<number> {
  const { of, role = "member", isOperator = false, password } = options
  const organization = of === undefined ? null : await app.store.organizations.findBySlug(of)
  const membership = organization === null ? null : { organizationId: organization.id, role }
  const passwordHash = password === undefined ? null : await quickHash(password)
  const email = `person${++people}@example.com`
  const made = await createUser(app, { email, name: `Person ${people}`, isOperator, membership, passwordHash }, "test")
  if (made === null) throw new Error("there is such a person already")
  return made.user.id
}
