import type { PreferencesInput } from '@community/contract'
import type { z } from 'zod'
import type { Procedure } from '../../lib/procedure.ts'

/** Stores preferences: those of the user, or of the account that a link in a mail belongs to. */
export type SavePreferences = Procedure<z.input<typeof PreferencesInput>, unknown>
