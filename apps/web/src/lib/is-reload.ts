/** Whether this page was loaded by a reload, not by a navigation. */
export function isReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry !== undefined && 'type' in entry && entry.type === 'reload'
}
