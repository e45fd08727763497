import { limits } from '@community/contract'
import type { Context } from '../context.ts'
import { addressKey, takeOrRefuse } from '../rate-limits.ts'

/** Sign-ins and codes, right or wrong, per address: generous, a whole campus may share one. */
const ATTEMPTS = { max: 300, seconds: limits.SIGN_IN_WINDOW }

export const limitAttempts = ({ db, request }: Context): Promise<void> =>
  takeOrRefuse(db, `attempts:${addressKey(request.address)}`, ATTEMPTS)
