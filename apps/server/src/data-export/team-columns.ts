import {
  challenges,
  pastMembers,
  submissionMembers,
  submissions,
  teamMembers,
  teams,
  uploads,
} from '@community/db/schema'
import { eq, or, sql } from 'drizzle-orm'
import type { Decisions, Person } from './decision.ts'

const teamsOf = ({ id }: Person) =>
  sql`(select ${teamMembers.teamId} from ${teamMembers} where ${teamMembers.userId} = ${id}
    union select ${pastMembers.teamId} from ${pastMembers} where ${pastMembers.userId} = ${id})`
const challengesOf = ({ id }: Person) =>
  sql`(select ${submissions.challengeId} from ${submissions} where ${submissions.submittedBy} = ${id})`
/** Teams, challenges and work. */
export const teamColumns: Decisions<
  'teams' | 'teamMembers' | 'pastMembers' | 'submissions' | 'submissionMembers' | 'challenges' | 'uploads'
> = {
  teams: {
    sections: { teams: { where: (person) => sql`${teams.id} in ${teamsOf(person)}`, columns: ['id', 'name'] } },
    withheld: [
      ...(['nameKey', 'description', 'isActive', 'ownerId', 'maxMembers', 'memberCount', 'points'] as const),
      ...(['challengesCompleted', 'pointsReachedAt', 'experience', 'searchText', 'createdAt', 'updatedAt'] as const),
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
        where: ({ id }) => eq(submissions.submittedBy, id),
        columns: [
          ...(['id', 'challengeId', 'teamId', 'type', 'content', 'uploadId', 'notes', 'status', 'score'] as const),
          ...(['points', 'feedback', 'evaluatedAt', 'createdAt', 'updatedAt'] as const),
        ],
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
    },
    withheld: [
      ...(['description', 'requirements', 'deadline', 'points', 'category', 'difficulty', 'tags'] as const),
      ...(['maxSubmissions', 'evaluationCriteria', 'resources', 'isActive', 'submissionCount', 'createdBy'] as const),
      ...(['searchText', 'createdAt', 'updatedAt'] as const),
    ],
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
