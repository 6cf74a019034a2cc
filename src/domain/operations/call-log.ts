/**
 * Whether to log the arguments of a call: never of one that was refused for a credential in them. Protocol errors (JSON-RPC codes) keep
 * them only for callers with a key, who may want help.
 */
export const keepsArguments = (outcome: string, isKeyed: boolean): boolean =>
  outcome !== "CREDENTIAL_IN_ARGS" && (isKeyed || !outcome.startsWith("-"))
