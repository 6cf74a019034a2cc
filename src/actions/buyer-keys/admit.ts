import type { Admission, RateWindow } from "../../domain/callers/rate-limit.ts"
import { fingerprintOf, isKey } from "../../domain/keys/api-key.ts"
import { activeBuyerKeyId } from "../../storage/catalogue/buyer-keys.ts"
import type { Context } from "../context.ts"

/** The ID of the active key with this secret. Null if it's unknown, revoked, or not a buyer key. */
export async function findBuyerKey({ database }: Context, secret: string): Promise<string | null> {
  return isKey(secret, "buyer") ? activeBuyerKeyId(database.read, fingerprintOf(secret)) : null
}

/** Counts a request of a key in a window, and notes that the key was used. */
export async function admitBuyerKey(context: Context, buyerKeyId: string, window: RateWindow): Promise<Admission> {
  const { database, clock } = context
  const now = clock()
  database.later.usedBuyerKey(buyerKeyId, now)
  return database.limits.admit(`buyer ${buyerKeyId}`, window, now)
}

/** Counts a request of a caller without a key. */
export const admitAddress = ({ database, clock }: Context, address: string, window: RateWindow): Promise<Admission> =>
  database.limits.admit(`address ${address}`, window, clock())
