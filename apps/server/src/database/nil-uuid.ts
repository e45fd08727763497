/** The id of no row; it sorts before all others. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'
