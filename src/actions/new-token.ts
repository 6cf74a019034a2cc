/** An unguessable token for sessions and links. */
export function newToken(random: (bytes: number) => Uint8Array): string {
  return random(32).toBase64({ alphabet: "base64url", omitPadding: true })
}
