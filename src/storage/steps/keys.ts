import type { AgentKeyReads, IngestKeyReads } from "../port/store.ts"
import { openingsByKey } from "./openings.ts"
import { all, asc, desc, eq, type ReadTx, type Steps } from "./step.ts"

export function ingestKeyReads({ query }: Pick<Steps, "query">): IngestKeyReads {
  return {
    list: (organizationId) =>
      query(({ db, ingestKey, organization }) => {
        const isWanted = organizationId === null ? undefined : eq(ingestKey.organizationId, organizationId)
        return all(
          db
            .select({ ...listed(ingestKey), organization: organization.slug })
            .from(ingestKey)
            .innerJoin(organization, eq(organization.id, ingestKey.organizationId))
            .where(isWanted)
            .orderBy(...newestFirst(ingestKey)),
        )
      }),
  }
}

export function agentKeyReads({ query }: Pick<Steps, "query">): AgentKeyReads {
  return {
    list: () =>
      query(function* (tx) {
        const { db, agentKey, organization } = tx
        const keys = yield* all(
          db
            .select({ ...listed(agentKey), buyer: organization.slug })
            .from(agentKey)
            .leftJoin(organization, eq(organization.id, agentKey.buyerId))
            .orderBy(...newestFirst(agentKey)),
        )
        const openings = yield* openingsByKey(tx)
        return keys.map((key) => ({ ...key, openings: openings.get(key.id) ?? [] }))
      }),
  }
}

type KeyTable = ReadTx["agentKey"] | ReadTx["ingestKey"]

/** All but the fingerprint. */
function listed({ id, label, prefix, createdAt, lastUsedAt, revokedAt }: KeyTable) {
  return { id, label, prefix, createdAt, lastUsedAt, revokedAt }
}

const newestFirst = ({ createdAt, label, id }: KeyTable) => [desc(createdAt), asc(label), asc(id)]
