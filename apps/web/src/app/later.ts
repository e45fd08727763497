/** Imported dynamically, so that what every page loads after the first paint is one script. */
export { startLive } from '../lib/live/index.ts'
export { Footer } from './footer.tsx'
export { Overlays } from './overlays.tsx'
export { UnavailableNotice } from './unavailable-notice.tsx'
