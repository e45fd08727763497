/** What a reader does to move by themself: whatever the page scrolls to for them, it leaves them alone from then on. */
export const READER_MOVES = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
