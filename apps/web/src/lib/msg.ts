/** Marks a text that reaches `t` later, so that `lingui extract` sees it: `title: msg('Leaderboard Error')`. */
export const msg = (id: string): string => id
