import { asc, eq } from "drizzle-orm"
import type { Organization } from "../../domain/organization.ts"
import type { Organizations } from "../store.ts"
import type { Connection } from "./connection.ts"
import { organization } from "./schema.ts"

const columns = {
  id: organization.id,
  slug: organization.slug,
  name: organization.name,
  timeZone: organization.timeZone,
}

export function organizations(connection: Connection): Organizations {
  const { drizzle } = connection
  return {
    async findBySlug(slug) {
      return drizzle.select(columns).from(organization).where(eq(organization.slug, slug)).get() ?? null
    },
    async list() {
      return allOrganizations(connection)
    },
  }
}

export function allOrganizations({ drizzle }: Connection): Organization[] {
  return drizzle.select(columns).from(organization).orderBy(asc(organization.slug)).all()
}
