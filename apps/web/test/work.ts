import type { Challenge, LeaderboardRow, Submission } from '@community/contract'

const id = (number: number): string => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`
/** The time of the server that `settings()` tells. */
const SERVER_NOW = Date.parse('2026-11-01T10:00:00.000Z')
const DAY_MS = 86_400_000

/** An instant so many days from the server's now. */
export const inDays = (days: number): string => new Date(SERVER_NOW + days * DAY_MS).toISOString()

/** An open challenge with ten days left, unless told. */
export const aChallenge = (number: number, own: Partial<Challenge> = {}): Challenge => ({
  id: id(number),
  _id: id(number),
  title: `Challenge ${number}`,
  description: 'Build it.',
  requirements: ['Works offline', 'Two languages', 'A licence'],
  deadline: inDays(10),
  points: 200,
  category: 'Web Development',
  difficulty: 'Intermediate',
  tags: [],
  maxSubmissions: 1,
  evaluationCriteria: [],
  resources: [],
  isActive: true,
  submissionCount: 2,
  createdAt: inDays(-5),
  ...own,
})

/** A pending submission of a link, unless told. */
export const aSubmission = (number: number, own: Partial<Submission> = {}): Submission => ({
  id: id(700 + number),
  _id: id(700 + number),
  challengeId: { id: id(1), _id: id(1), title: 'Challenge 1', points: 200 },
  teamId: { id: id(900), _id: id(900), name: 'Atlas Lions' },
  submittedBy: { id: id(800), name: 'Sara El Amrani', email: 'sara@example.ma' },
  type: 'link',
  content: 'https://github.com/atlas-lions/tram',
  fileInfo: null,
  metadata: { submissionNotes: '' },
  status: 'pending',
  score: null,
  points: null,
  feedback: null,
  evaluatedBy: null,
  createdAt: inDays(-1),
  evaluatedAt: null,
  ...own,
})

export const aStanding = (rank: number, name: string, points: number, own: Partial<LeaderboardRow> = {}) => ({
  rank,
  id: id(300 + rank),
  _id: id(300 + rank),
  name,
  challengesCompleted: 2,
  points,
  ...own,
})

/** The pages around a list that is answered whole. */
export const whole = (total: number) => ({
  page: 1,
  limit: 50,
  total,
  totalPages: total === 0 ? 0 : 1,
  nextCursor: null,
})
