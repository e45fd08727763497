/** Imported dynamically, so that what every member's front page shows beyond a visitor's is one script. */
export { NextSteps } from '../features/dashboard/next-steps.tsx'
export { NotificationBell } from './notification-bell.tsx'
