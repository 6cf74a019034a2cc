import type { RejectedItem } from "./feed-request.ts"

// Older items are deleted after this many were added, not one by one.
const TRIMMED_EVERY = 500

/** Says of which organizations the oldest items should be deleted now that these were added. */
export function trimCounter(): (items: readonly RejectedItem[]) => number[] {
  const addedSince = new Map<number, number>()
  return (items) =>
    [...Map.groupBy(items, (item) => item.organizationId)].flatMap(([organizationId, added]) => {
      // The first time at once: nobody knows how many a process that was killed has added.
      const since = (addedSince.get(organizationId) ?? TRIMMED_EVERY) + added.length
      addedSince.set(organizationId, since >= TRIMMED_EVERY ? 0 : since)
      return since >= TRIMMED_EVERY ? [organizationId] : []
    })
}
