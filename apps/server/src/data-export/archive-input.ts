import { PasswordConfirmation } from '@community/contract'
import { z } from 'zod'

/** The body of `POST /admin/export`. */
export const ArchiveInput = z.strictObject(PasswordConfirmation)
