/** Whether this page was loaded anew by its reader, not come to. */
export function isReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry !== undefined && 'type' in entry && entry.type === 'reload'
}
