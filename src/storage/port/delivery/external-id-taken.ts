/** Another line of the same seller has this external id. Nothing was written. */
export class ExternalIdTaken extends Error {
  override readonly name = "ExternalIdTaken"
}
