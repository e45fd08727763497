import type { Deps } from '../context.ts'
import type { UserRow } from '../users/account-queries.ts'

/** Whether SIGN_IN_OTP requires a mailed code of this account, whatever its owner chose. */
export const isCodeRequired = ({ config }: Pick<Deps, 'config'>, { role }: Pick<UserRow, 'role'>): boolean =>
  config.signInOtp === 'everyone' || (config.signInOtp === 'admins' && role === 'admin')
