/** Whether this page was loaded in one of these ways. */
export function isLoadedBy(...types: NavigationTimingType[]): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry !== undefined && 'type' in entry && types.some((type) => type === entry.type)
}

/** Whether this page was loaded by a reload, not by a navigation. */
export const isReload = (): boolean => isLoadedBy('reload')
