import type { DomainUseCases } from '../trpc/init.ts'
import { changePassword } from './change-password.ts'
import { endSession, endSessions } from './end-sessions.ts'
import { forgotPassword } from './forgot-password.ts'
import { getProofChallenge } from './get-proof-challenge.ts'
import { listSessions } from './list-sessions.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { refresh } from './refresh.ts'
import { register, resendRegistrationOtp } from './register.ts'
import { resetPassword } from './reset-password.ts'
import { sendOtp, verifyOtp } from './sign-in-codes.ts'
import { verifyGoogleOtp } from './verify-google-otp.ts'
import { verifyRegistration } from './verify-registration.ts'

export const authUseCases: DomainUseCases<'auth'> = {
  login,
  register,
  verifyRegistrationOtp: verifyRegistration,
  resendRegistrationOtp,
  sendOtp,
  resendOtp: sendOtp,
  verifyOtp,
  verifyGoogleOtp,
  logout,
  refresh,
  changePassword,
  forgotPassword,
  resetPassword,
  proofOfWork: getProofChallenge,
  sessions: listSessions,
  endSession,
  endSessions,
}
