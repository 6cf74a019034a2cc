import type { CatalogueContents } from "../../domain/adcp/catalogue/catalogue-edit.ts"

export interface StoredProduct {
  readonly productId: string
  readonly body: unknown
}

/** A format that the operator defined; a null body hides the built-in format with this id. */
export interface StoredFormat {
  readonly formatId: string
  readonly body: unknown
}

export interface CatalogueMoments {
  /** Increases with every change to products, formats and openings, also when another process makes it. */
  revision(): Promise<number>
  /** Products, formats and the revision, all read at the same moment. */
  contents(): Promise<CatalogueContents & { readonly revision: number }>
}
