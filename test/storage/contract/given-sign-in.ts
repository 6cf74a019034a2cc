import type { LinkPurpose } from "../../../src/domain/people/user.ts"
import { type Given, HOUR } from "./given.ts"
import type { Store } from "./whole-store.ts"

let tokens = 0

/** A token that nobody had before, and times from now on for an hour. */
export function newToken({ clock }: Given) {
  return { tokenHash: `token-${++tokens}`, createdAt: clock(), expiresAt: clock() + HOUR }
}

export async function givenSession(at: Given, userId: number): Promise<string> {
  const token = newToken(at)
  if (!(await at.here.sessions.open({ ...token, userId }, { previousHash: null }))) throw new Error("nobody is there")
  return token.tokenHash
}

export async function isSignedIn(store: Store, tokenHash: string, now: number): Promise<boolean> {
  return (await store.sessions.find(tokenHash, now)) !== null
}

export async function givenLink(at: Given, purpose: LinkPurpose, userId: number | null): Promise<string> {
  const token = newToken(at)
  await at.here.oneTimeLinks.issue({ ...token, purpose, userId }, at.change())
  return token.tokenHash
}

export async function findLink(store: Store, tokenHash: string, purpose: LinkPurpose, now: number): Promise<boolean> {
  return (await store.linkClaims.find(tokenHash, purpose, now)) !== null
}
