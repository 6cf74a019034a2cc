import type { DeliverySource } from "./delivery.ts"

/**
 * As whom somebody looks at a line. Its seller, and the operator, see everything. A buyer and whoever has a share link see what was
 * delivered, and nothing of how the seller works: no key labels, file names or people.
 */
export type LineViewer = "seller" | "buyer"

/** As whom a member of an organization looks at a line, or the operator, who may visit any organization. */
export function viewerOf(
  line: { readonly seller: { readonly id: number } },
  visitor: { readonly organizationId: number; readonly isOperator: boolean },
): LineViewer {
  return visitor.isOperator || line.seller.id === visitor.organizationId ? "seller" : "buyer"
}

/** Through what a report came, as far as a viewer may know. */
export type SeenSource = Pick<DeliverySource, "kind"> & Partial<SourceDetails>

/** Which key, person or file it was. */
export interface SourceDetails extends Omit<DeliverySource, "kind"> {
  /** The key's label, the person's name, or null when it is gone. */
  readonly sender: string | null
}

/** The one place that decides what of a report's source a viewer sees. */
export function sourceSeenBy(viewer: LineViewer, source: DeliverySource & SourceDetails): SeenSource {
  const { kind, reference, detail, sender } = source
  return viewer === "seller" ? { kind, reference, detail, sender } : { kind }
}
