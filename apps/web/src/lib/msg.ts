/** Marks a text that reaches `t` later, so that `lingui extract` sees it: `meta: { done: msg('Team Deleted') }`. */
export const msg = (id: string): string => id
