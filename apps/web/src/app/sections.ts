/** Imported dynamically, so that the sections are one script: every public page shows all of them. */
export { ChallengesSection } from '../features/challenges/index.tsx'
export { ContactSection } from '../features/contact/index.tsx'
export { LeaderboardSection } from '../features/leaderboard/index.tsx'
export { TeamsSection } from '../features/teams/index.tsx'
export { WorksSection } from '../features/works/index.tsx'
export { MarkMounted, RenderMore } from './render-more.tsx'
