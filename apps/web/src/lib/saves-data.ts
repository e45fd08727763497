/** Whether the user asks to load less data: their browser's data saver (`Save-Data`), or `prefers-reduced-data`. */
export function savesData(): boolean {
  // Not in every browser, and not in the types.
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true || window.matchMedia('(prefers-reduced-data: reduce)').matches
}
