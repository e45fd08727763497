import {
  codes,
  identities,
  knownDevices,
  personalTokens,
  refreshFamilies,
  refreshTokens,
  sessions,
  users,
} from '@community/db/schema'
import { eq, or, sql } from 'drizzle-orm'
import type { Decisions, Person } from './decision.ts'

const signInsOf = ({ id }: Person) =>
  sql`(select ${refreshFamilies.id} from ${refreshFamilies} where ${refreshFamilies.userId} = ${id})`

/** An account and its sign-ins. */
export const accountColumns: Decisions<
  | 'users'
  | 'identities'
  | 'refreshFamilies'
  | 'refreshTokens'
  | 'sessions'
  | 'knownDevices'
  | 'codes'
  | 'personalTokens'
> = {
  users: {
    sections: {
      account: {
        where: ({ id }) => eq(users.id, id),
        columns: [
          ...([
            'id',
            'name',
            'email',
            'role',
            'avatarUrl',
            'phone',
            'github',
            'instagram',
            'portfolio',
            'bio',
          ] as const),
          ...(['experience', 'language', 'signInOtp', 'warningCount', 'isBanned', 'banReason', 'bannedAt'] as const),
          ...(['createdAt', 'updatedAt'] as const),
        ],
      },
    },
    withheld: ['searchText'],
    secret: ['passwordHash'],
  },
  identities: {
    sections: {
      externalSignIns: { where: ({ id }) => eq(identities.userId, id), columns: ['issuer', 'subject', 'createdAt'] },
    },
    withheld: ['userId'],
  },
  refreshFamilies: {
    sections: {
      signIns: {
        where: ({ id }) => eq(refreshFamilies.userId, id),
        columns: ['id', 'userAgent', 'address', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt', 'revokedReason'],
      },
    },
    withheld: ['userId'],
  },
  refreshTokens: {
    sections: {
      signInRenewals: {
        where: (person) => sql`${refreshTokens.familyId} in ${signInsOf(person)}`,
        columns: ['familyId', 'generation', 'createdAt', 'spentAt'],
      },
    },
    secret: ['hash', 'spentBy'],
  },
  sessions: {
    sections: {
      sessions: { where: ({ id }) => eq(sessions.userId, id), columns: ['familyId', 'createdAt', 'expiresAt'] },
    },
    withheld: ['userId'],
    secret: ['id'],
  },
  knownDevices: {
    sections: {
      devices: {
        where: ({ id }) => eq(knownDevices.userId, id),
        columns: ['browser', 'system', 'createdAt', 'lastSeenAt'],
      },
    },
    withheld: ['userId'],
  },
  codes: {
    sections: {
      codes: {
        where: ({ id, email }) => or(eq(codes.userId, id), eq(codes.email, email)),
        columns: ['purpose', 'email', 'attempts', 'sentAt', 'expiresAt', 'usedAt', 'begunAt'],
      },
    },
    // The identity may belong to somebody else, who tried an external sign-in with this email.
    withheld: ['userId', 'identity'],
    secret: ['hash', 'bindingHash'],
  },
  personalTokens: {
    sections: {
      accessTokens: {
        where: ({ id }) => eq(personalTokens.userId, id),
        columns: ['id', 'name', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt'],
      },
    },
    withheld: ['userId'],
    secret: ['hash'],
  },
}
