import type { Change } from "../../../domain/people/audit.ts"

export type TwoFactor = TwoFactorReads & TwoFactorWrites

export interface TwoFactorReads {
  recoveryCodesLeft(userId: number): Promise<number>
}

export interface TwoFactorWrites {
  /** Turns two-factor codes on. The recovery codes, given as hashes, replace earlier ones. */
  enable(userId: number, secret: string, recoveryHashes: readonly string[], change: Change): Promise<void>
  disable(userId: number, change: Change): Promise<void>
  /** Turns codes off for a user who lost them, and ends all of that user's sessions. False when they are off already. */
  reset(userId: number, change: Change): Promise<boolean>
  /** True when this was an unused recovery code of the user. It cannot be used again. */
  useRecoveryCode(userId: number, codeHash: string, change: Change): Promise<boolean>
  /** False when a code of this or a later time step was used before: every code works once. */
  useTimeStep(userId: number, step: number): Promise<boolean>
}
