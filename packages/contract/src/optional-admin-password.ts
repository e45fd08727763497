import { adminPasswordLocked, passwordRequired, wrongPassword } from './error-catalogue.ts'
import { AdminPassword } from './primitives.ts'

/** Required of administrators, also those who are the chef: the server does not look at the team first. */
export const OptionalAdminPassword = {
  password: AdminPassword.describe(
    'The administrator’s own password. Required of administrators who are signed in, also for their own team; not of others, nor with a personal access token',
  ),
}
export const optionalAdminPasswordErrors = { passwordRequired, wrongPassword, adminPasswordLocked }
