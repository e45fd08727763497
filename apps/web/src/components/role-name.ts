import { catalogText } from '../lib/i18n.ts'

/** A role's translated name; roles that an admin added are not translated. */
export function roleName({ name }: { name: string }): string {
  return catalogText(name) ?? name
}
