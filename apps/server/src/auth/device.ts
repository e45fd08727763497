import Bowser from 'bowser'

/** The browser and the operating system that a user agent names, without versions; each null if unknown. */
export interface UserAgentFamilies {
  browser: string | null
  system: string | null
}

// For unknown browsers Bowser returns text from the user agent, which the sender controls: only listed names pass.
// The last two are names of Bowser that its map lacks.
const BROWSERS = new Set([...Object.values(Bowser.BROWSER_MAP), 'Miui', 'Opera Touch'])
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP))
const ifListed = (names: ReadonlySet<string>, name: string | undefined): string | null =>
  name !== undefined && names.has(name) ? name : null

export function parseDevice(userAgent: string): UserAgentFamilies {
  if (userAgent.trim() === '') return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: ifListed(BROWSERS, browser.name), system: ifListed(SYSTEMS, os.name) }
}
