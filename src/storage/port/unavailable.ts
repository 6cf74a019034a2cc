import { UserError } from "../../domain/user-error.ts"

/**
 * The database cannot be reached, or did not answer in time. Nothing is wrong with what was asked: it may be asked again soon. A write
 * that ends so may have been done all the same.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable"
}

/** The store cannot be opened because its database is away: a server waits for it, a command says so. */
export class StoreAway extends UserError {}
