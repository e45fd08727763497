import { searchKey } from '@community/contract'

/** The search text of an account: name and email address. */
export const accountSearchText = (name: string, email: string): string => searchKey(`${name} ${email}`)

/** The search text of a team or challenge. Its first line is the name, the only part that visitors search. */
export const titledSearchText = (title: string, description: string): string =>
  `${searchKey(title).replaceAll('\n', ' ')}\n${searchKey(description)}`
