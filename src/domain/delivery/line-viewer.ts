import type { DeliverySource } from "./delivery.ts"

/**
 * The role in which somebody views a line. Its seller and the operator see everything. A buyer, or the holder of a share link, sees
 * what was delivered, but no key labels, file names or people.
 */
export type LineViewer = "seller" | "buyer"

export const viewerOf = (
  line: { readonly seller: { readonly id: number } },
  visitor: { readonly organizationId: number; readonly isOperator: boolean },
): LineViewer => (visitor.isOperator || line.seller.id === visitor.organizationId ? "seller" : "buyer")

/** The source of a report, as far as a viewer may see it. It is unknown where somebody has removed it from the database. */
export type SeenSource = Readonly<{ kind: DeliverySource["kind"] | "unknown" }> & Partial<SourceDetails>

interface SourceDetails extends Omit<DeliverySource, "kind"> {
  /** The key's label, the person's name, or null when it is gone. */
  readonly sender: string | null
}

/** The only place that decides what a viewer sees of a report's source. */
export function sourceSeenBy(viewer: LineViewer, source: (DeliverySource & SourceDetails) | undefined): SeenSource {
  if (source === undefined) return { kind: "unknown" }
  const { kind, reference, detail, sender } = source
  return viewer === "seller" ? { kind, reference, detail, sender } : { kind }
}
