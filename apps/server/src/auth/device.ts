import Bowser from 'bowser'

/** Identifies a device by the browser and system families of its user agent; null if unknown. */
export interface Device {
  browser: string | null
  system: string | null
}

// For unknown browsers Bowser returns text from the user agent, which the sender controls: only listed names pass.
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP))
const ifListed = (names: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null

export function parseDevice(userAgent: string): Device {
  if (userAgent.trim() === '') return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: ifListed(BROWSERS, browser.name), system: ifListed(SYSTEMS, os.name) }
}
