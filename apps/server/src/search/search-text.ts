import { searchKey } from '@community/contract'

/** What an account is found by: its name and address. */
export const accountSearchText = (name: string, email: string): string => searchKey(`${name} ${email}`)

/** What a team or a challenge is found by: the first line is its name, which is all that visitors search. */
export const titledSearchText = (title: string, description: string): string =>
  `${searchKey(title).replaceAll('\n', ' ')}\n${searchKey(description)}`
