import Bowser from 'bowser'

/** What a sign-in is known by: the families of browser and system that its user agent names; null when unknown. */
export interface Device {
  browser: string | null
  system: string | null
}

// Bowser answers the user agent's own words for a browser it does not know: those are the sender's free choice.
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP))
const ifListed = (names: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null

/** Reads a user agent; answers names of fixed lists only, whatever was sent. */
export function parseDevice(userAgent: string): Device {
  if (userAgent.trim() === '') return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: ifListed(BROWSERS, browser.name), system: ifListed(SYSTEMS, os.name) }
}
