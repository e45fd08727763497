/** The row of a statement that always returns one; throws without it. */
export function onlyRow<T>([row]: readonly T[]): T {
  if (row === undefined) throw new Error('The statement returned no row')
  return row
}
