import { serverText } from '../lib/i18n.ts'

/** A role's name in the reader's language; a role that an admin added stands as it was written. */
export const roleName = (role: { name: string }): string => serverText(role.name).text
