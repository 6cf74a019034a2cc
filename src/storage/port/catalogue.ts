export interface StoredProduct {
  readonly productId: string
  readonly body: unknown
}

/** A format that the operator defined; a null body hides the built-in format with this id. */
export interface StoredFormat {
  readonly formatId: string
  readonly body: unknown
}
