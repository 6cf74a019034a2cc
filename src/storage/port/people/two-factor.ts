export interface TwoFactorReads {
  recoveryCodesLeft(userId: number): Promise<number>
}
