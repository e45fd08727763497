import { catalogText } from '../lib/i18n.ts'

/** A role's name in the reader's language; a role that an admin added stands as it was written. */
export function roleName({ name }: { name: string }): string {
  return catalogText(name) ?? name
}
