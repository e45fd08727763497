import {
  challenges,
  pastMembers,
  submissionMembers,
  submissions,
  teamMembers,
  teams,
  uploads,
} from '@community/db/schema'
import { and, eq, not, or, sql } from 'drizzle-orm'
import { approvedCondition } from '../submissions/status-conditions.ts'
import type { Decisions, Person } from './decision.ts'

const teamsOf = ({ id }: Person) =>
  sql`(select ${teamMembers.teamId} from ${teamMembers} where ${teamMembers.userId} = ${id}
    union select ${pastMembers.teamId} from ${pastMembers} where ${pastMembers.userId} = ${id})`
const challengesOf = ({ id }: Person) =>
  sql`(select ${submissions.challengeId} from ${submissions} where ${submissions.submittedBy} = ${id})`
/** A person who left a team sees only the verdicts on its approved submissions, as in `findOwnSubmissions`. */
const visibleVerdictCondition = ({ id }: Person) =>
  sql`(${approvedCondition} or ${submissions.teamId} in
    (select ${teamMembers.teamId} from ${teamMembers} where ${teamMembers.userId} = ${id}))`
/** Without `updatedAt` and `resubmittedAt`, which would reveal a verdict. */
const COLUMNS_WITHOUT_VERDICT = [
  'id',
  'challengeId',
  'teamId',
  'type',
  'content',
  'uploadId',
  'notes',
  'createdAt',
] as const

/** Teams, challenges and work. */
export const teamColumns: Decisions<
  'teams' | 'teamMembers' | 'pastMembers' | 'submissions' | 'submissionMembers' | 'challenges' | 'uploads'
> = {
  teams: {
    sections: {
      teams: { where: (person) => sql`${teams.id} in ${teamsOf(person)}`, columns: ['id', 'name'] },
      ledTeams: {
        where: ({ id }) => eq(teams.ownerId, id),
        columns: ['id', 'name', 'description', 'experience', 'maxMembers', 'createdAt', 'updatedAt'],
      },
    },
    withheld: [
      ...(['nameKey', 'isActive', 'ownerId', 'memberCount', 'points', 'challengesCompleted'] as const),
      ...(['pointsReachedAt', 'searchText'] as const),
    ],
  },
  teamMembers: {
    sections: {
      memberships: {
        where: ({ id }) => eq(teamMembers.userId, id),
        columns: [
          ...(['id', 'teamId', 'roleId', 'isChef', 'name', 'email', 'phone', 'github', 'instagram'] as const),
          ...(['portfolio', 'bio', 'experience', 'joinedAt'] as const),
        ],
      },
    },
    withheld: ['userId'],
  },
  pastMembers: {
    sections: {
      pastMemberships: { where: ({ id }) => eq(pastMembers.userId, id), columns: ['teamId', 'leftAt'] },
    },
    withheld: ['userId'],
  },
  submissions: {
    sections: {
      submissions: {
        where: (person) => and(eq(submissions.submittedBy, person.id), visibleVerdictCondition(person)),
        columns: [
          ...COLUMNS_WITHOUT_VERDICT,
          ...(['status', 'score', 'points', 'feedback', 'evaluatedAt', 'resubmittedAt', 'updatedAt'] as const),
        ],
      },
      submissionsWithoutVerdict: {
        where: (person) => and(eq(submissions.submittedBy, person.id), not(visibleVerdictCondition(person))),
        columns: COLUMNS_WITHOUT_VERDICT,
      },
      evaluations: {
        where: ({ id }) => eq(submissions.evaluatedBy, id),
        columns: ['id', 'challengeId', 'teamId', 'status', 'score', 'points', 'feedback', 'evaluatedAt'],
      },
    },
    withheld: ['submittedBy', 'evaluatedBy'],
  },
  submissionMembers: {
    sections: {
      submissionsAsMember: { where: ({ id }) => eq(submissionMembers.userId, id), columns: ['submissionId'] },
    },
    withheld: ['userId'],
  },
  challenges: {
    sections: {
      challenges: {
        where: (person) => or(eq(challenges.createdBy, person.id), sql`${challenges.id} in ${challengesOf(person)}`),
        columns: ['id', 'title'],
      },
      createdChallenges: {
        where: ({ id }) => eq(challenges.createdBy, id),
        columns: [
          ...(['id', 'title', 'description', 'requirements', 'deadline', 'points', 'category', 'difficulty'] as const),
          ...(['tags', 'maxSubmissions', 'evaluationCriteria', 'resources', 'isActive'] as const),
          ...(['createdAt', 'updatedAt'] as const),
        ],
      },
    },
    withheld: ['submissionCount', 'createdBy', 'deletedAt', 'searchText'],
  },
  uploads: {
    sections: {
      // The archive has each as `files/<id>/<originalName>`.
      files: {
        where: ({ id }) => eq(uploads.userId, id),
        columns: ['id', 'originalName', 'size', 'mimeType', 'attachedAt', 'createdAt'],
      },
    },
    withheld: ['key', 'userId', 'preview'],
  },
}
